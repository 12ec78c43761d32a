package main

%% for tables
import "engine/v${n}"
%% end

%% for tables
func bishops${n}(square int, occupied uint64) uint64 { $bishop; return attacks }
%% end
