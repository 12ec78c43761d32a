package main

import "engine/v@N"

func bishops@N(square int, occupied uint64) uint64 { @BISHOP; return attacks }
