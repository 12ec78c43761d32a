$heading

#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
%% include helpers.h

static const uint64_t ${scope}keys[$length] = {
$keys
};

static const uint64_t ${scope}values[$length] = {
$values
};

/* Whether `key` is one of the keys; if it is, *value is what is found for it. */
static inline bool ${scope}find(uint64_t key, uint64_t *value) {
    uint64_t slot = $expression;
%% if bounded
    if (slot >= $length || ${scope}keys[slot] != key) return false;
%% else
    if (${scope}keys[slot] != key) return false;
%% end
    *value = ${scope}values[slot];
    return true;
}
%% if is_text

/* The same for a string of so many bytes. */
static inline bool ${scope}find_text(const char *text, size_t length, uint64_t *value) {
    uint64_t key = 0;
    if (length > 8 || (length > 0 && text[length - 1] == 0)) return false;
    for (size_t n = 0; n < length; n++) key |= (uint64_t)(unsigned char)text[n] << (8 * n);
    return ${scope}find(key, value);
}
%% end

#endif
