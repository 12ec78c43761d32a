%% if by_parts
        occ = ${own}and_256(${own}subtract_256(occ, mask), mask);
    } while (!${own}equal_256(occ, none));
%% else
        occ = (occ - mask) & mask;
    } while (occ);
%% end
