$heading

#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdint.h>
%% for choices
%% if intrinsics
#if $condition
#include <immintrin.h>
#endif
%% end
%% end

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
#endif
