/* How the functions are linked: another word instead, if you define it before. */
#ifndef ${SCOPE}_API
#define ${SCOPE}_API $api
#endif

// clang-format off
%% for pieces
struct ${own}${piece}_magic { $fields };
$listed struct ${own}${piece}_magic ${own}${piece}[$squares] = {
$rows
};

%% end
%% for lists
%% if across
%% if aligned
$aligned_to $listed $kind ${own}$name[$length][$across] = {
%% else
$listed $kind ${own}$name[$length][$across] = {
%% end
%% else
$listed $kind ${own}$name[$length] = {
%% end
$items
};

%% end
// clang-format on
%% include helpers.h

$body
%% if uses queen_attacks(
%% else

${SCOPE}_API uint64_t ${own}queen_attacks(unsigned square, uint64_t occ) {
    return ${own}rook_attacks(square, occ) | ${own}bishop_attacks(square, occ);
}
%% end
