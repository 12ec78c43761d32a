%% if by_parts
%% include bitboard.go
%% end
%% if uses extractBits(

func extractBits(x, mask uint64) uint64 {
	var found uint64
	for bit := uint64(1); mask != 0; bit, mask = bit<<1, mask&(mask-1) {
		if x&mask&-mask != 0 {
			found |= bit
		}
	}
	return found
}
%% end
