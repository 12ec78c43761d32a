$heading

#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdint.h>
%% for lists

static const $kind ${own}$name[$length] = {
$items
};
%% end
%% include helpers.h

$body

#endif
