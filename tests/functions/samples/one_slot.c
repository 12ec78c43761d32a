// Every occupancy has the same index.
unsigned one_slot(int square, unsigned long long occupied) { return 0; }
