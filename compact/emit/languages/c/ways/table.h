%% for lookups
%% if public
${SCOPE}_API uint64_t $called(unsigned square, uint64_t occ) {
%% else
$inline uint64_t $called(unsigned square, uint64_t occ) {
%% end
    return $expression;
}

%% end
