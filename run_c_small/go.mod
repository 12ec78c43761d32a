module boards

go 1.18
