$heading

#ifndef ${SCOPE}_HPP
#define ${SCOPE}_HPP

#include <cstdint>
%% for choices
%% if intrinsics
#if $condition
#include <immintrin.h>
#endif
%% end
%% end

namespace $scope {

using std::uint8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

%% for choices
%% if several
%% if first
#if $condition

%% else
%% if condition
#elif $condition

%% else
#else

%% end
%% end
%% end
$part
%% end
%% if several
#endif

%% end
}

#endif
