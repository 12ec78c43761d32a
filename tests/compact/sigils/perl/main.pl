use strict;
use warnings;
use lib '.';
use Magics;
binmode STDIN;
binmode STDOUT;
my $n = 0;
while (read(STDIN, my $row, 16) == 16) {
    my ($square, $occ) = unpack('Q<2', $row);
    my $attacks = $n++ < 102400
        ? Magics::rook_attacks($square, $occ) : Magics::bishop_attacks($square, $occ);
    print pack('Q<', $attacks);
}
