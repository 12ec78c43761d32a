$heading

package $scope;
use strict;
use warnings;
no warnings 'portable';

# What is beyond 64 bits is cut: a signed product and an unsigned one have the same low bits.
sub _times { my ($$x, $$y) = @_; { use integer; $$x *= $$y; } return $$x & ~0; }
sub _plus { my ($$x, $$y) = @_; { use integer; $$x += $$y; } return $$x & ~0; }
sub _minus { my ($$x, $$y) = @_; { use integer; $$x -= $$y; } return $$x & ~0; }
%% for pieces
%% for columns

my @${PIECE}_$COLUMN = (
$items
);
%% end
%% end
%% for buffers
%% if literal

my @$array = (
$items
);
%% else

my @$array = (0) x $length;
%% end
%% end
%% include helpers.pm
%% for lookups

sub $called {
    my ($$square, $$occ) = @_;
    return $expression;
}
%% end
%% if not literal

sub _walk {
    my ($$square, $$occ, @steps) = @_;
    my $$reached = 0;
    for my $$step (@steps) {
        my ($$file, $$rank) = (($$square & 7) + $$step->[0], ($$square >> 3) + $$step->[1]);
        while ($$file >= 0 && $$file < 8 && $$rank >= 0 && $$rank < 8) {
            my $$bit = 1 << (8 * $$rank + $$file);
            $$reached |= $$bit;
            last if $$occ & $$bit;
            $$file += $$step->[0];
            $$rank += $$step->[1];
        }
    }
    return $$reached;
}
%% for pieces

for my $$square (0 .. $squares - 1) {
    my ($$mask, $$occ) = ($mask, 0);
    do {
        my $$reached = _walk($$square, $$occ, $steps);
        my $$slot = $slot;
        my $$found = $$$array[$$slot];
        die 'a write would change an entry of the buffer' if $$found && $$found != $$reached;
        $$$array[$$slot] = $$reached;
        $$occ = _minus($$occ, $$mask) & $$mask;
    } while $$occ;
}
%% end
%% end

1;
