$heading

#ifndef ${SCOPE}_HPP
#define ${SCOPE}_HPP

#include <cstdint>

namespace $scope {

using std::uint8_t;
using std::uint32_t;
using std::uint64_t;
%% for lists

inline constexpr $kind $name[$length] = {
$items
};
%% end
%% include ../c/helpers.h

$body

}

#endif
