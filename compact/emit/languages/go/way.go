$heading

// Package $scope computes the squares that rooks, bishops and queens attack.
package $scope
%% if uses bits.

import "math/bits"
%% end

%% for choices
$part
%% end
