unsigned long first_rank(void) { return 255; }
