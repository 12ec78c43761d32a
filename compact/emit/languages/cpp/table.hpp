$heading

#ifndef ${SCOPE}_HPP
#define ${SCOPE}_HPP

#include <cstdint>
%% if not literal
#include <cstdio>
#include <cstdlib>
%% end
%% if wide
%% include ../c/wide_begin.h
%% end

namespace $scope {

using std::uint8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
%% include ../c/helpers.h
%% for pieces

struct ${Piece}Magic { $fields };

inline constexpr ${Piece}Magic $piece[$squares] = {
$rows
};
%% end

class Tables {
public:
%% if not literal
    bool fill() {
        if (filled) return true;
        %% include ../c/fill.h
        return filled = true;
    }

%% end
%% for lookups
%% if literal
    constexpr $bitboard $called(unsigned square$occ_parameter) const {
%% else
    $bitboard $called(unsigned square$occ_parameter) const {
%% end
        return $expression;
    }

%% end
private:
%% if not literal
    %% include ../c/walk.h

    static void check(bool right) {
        if (right) return;
        std::fputs("$filename: a write would change an entry of the buffer\n", stderr);
        std::abort();
    }

    bool filled = false;

%% end
%% for buffers
%% if literal
    static constexpr $kind $array[$length] = {
$items
    };
%% else
    $kind $array[$length] = {};
%% end
%% end
};

%% if literal
inline constexpr Tables tables{};
%% else
inline Tables tables{};

// One in each file: the first of them fills the tables.
[[maybe_unused]] static const bool tables_filled = tables.fill();
%% end
%% for lookups
%% if public

%% if literal
constexpr $bitboard $called(unsigned square$occ_parameter) {
%% else
inline $bitboard $called(unsigned square$occ_parameter) {
%% end
    return tables.$called(square$occ_argument);
}
%% end
%% end

}
%% if wide

#pragma GCC diagnostic pop
%% end

#endif
