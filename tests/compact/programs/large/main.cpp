#include <stdint.h>
#include <stdio.h>
%% for tables
#include "${table}.hpp"
%% end

int main() {
    uint64_t q[5];
%% for pieces
    for (long n = 0; n < $count; n++) {
        if (fread(q, 8, 5, stdin) != 5) return 1;
        auto found = ${table}::$function((unsigned)q[0], {{q[1], q[2], q[3], q[4]}});
        if (fwrite(found.word, 8, 4, stdout) != 4) return 1;
    }
%% end
    return 0;
}
