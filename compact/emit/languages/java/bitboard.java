
    /**
     * A bit for each square, as words of 64 bits, the lowest first. It never changes: operations
     * return another one, and wrap at $bits bits. Lookups return those of the tables.
     */
    public static final class $bitboard {
        public static final $bitboard EMPTY = new $bitboard(0$zeros);

        public final long $fields;

        public $bitboard($parameters) {
%% for words
            this.$part = $part;
%% end
        }

        public $bitboard and($bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                $part & y.$part);
%% else
                $part & y.$part,
%% end
%% end
        }

        public $bitboard or($bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                $part | y.$part);
%% else
                $part | y.$part,
%% end
%% end
        }

        public $bitboard xor($bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                $part ^ y.$part);
%% else
                $part ^ y.$part,
%% end
%% end
        }

        public $bitboard not() {
            return new $bitboard(
%% for words
%% if highest
                ~$part);
%% else
                ~$part,
%% end
%% end
        }

        public $bitboard shiftLeft(long n) {
            return new $bitboard(
%% for words
                up($part, n)
%% for below
                | up($other, n - $distance) | down($other, $distance - n)
%% end
%% if highest
                );
%% else
                ,
%% end
%% end
        }

        public $bitboard shiftRight(long n) {
            return new $bitboard(
%% for words
                down($part, n)
%% for above
                | down($other, n - $distance) | up($other, $distance - n)
%% end
%% if highest
                );
%% else
                ,
%% end
%% end
        }

        // A shift of a long takes its amount modulo 64.
        private static long up(long x, long n) {
            return (n & -64) == 0 ? x << n : 0;
        }

        private static long down(long x, long n) {
            return (n & -64) == 0 ? x >>> n : 0;
        }

        public $bitboard multiply($bitboard y) {
%% if several_products
            long carry = 0, more, term;
%% end
%% for words
%% if lowest
%% for products
            long sum$Part = $left * y.$right;
%% end
%% else
%% if highest
%% if several_products
            long sum$Part = carry
%% else
            long sum$Part = 0
%% end
%% for carried
                + multiplyHigh($left, y.$right)
%% end
%% for products
%% if last
                + $left * y.$right;
%% else
                + $left * y.$right
%% end
%% end
%% else
            long sum$Part = carry;
            more = 0;
%% for carried
            sum$Part += term = multiplyHigh($left, y.$right);
            if (Long.compareUnsigned(sum$Part, term) < 0) more++;
%% end
%% for products
            sum$Part += term = $left * y.$right;
            if (Long.compareUnsigned(sum$Part, term) < 0) more++;
%% end
            carry = more;
%% end
%% end
%% end
            return new $bitboard($sums);
        }

        // The upper half of an unsigned product.
        private static long multiplyHigh(long x, long y) {
            return Math.multiplyHigh(x, y) + (x >> 63 & y) + (y >> 63 & x);
        }
%% if uses .add(

        public $bitboard add($bitboard y) {
            long carry = 0;
%% for words
            long sum$Part = $part + y.$part + carry;
            carry = (($part & y.$part) | (($part | y.$part) & ~sum$Part)) >>> 63;
%% end
            return new $bitboard($sums);
        }
%% end
%% if uses .subtract(

        public $bitboard subtract($bitboard y) {
            long borrow = 0;
%% for words
            long sum$Part = $part - y.$part - borrow;
            borrow = ((~$part & y.$part) | ((~$part | y.$part) & sum$Part)) >>> 63;
%% end
            return new $bitboard($sums);
        }
%% end

        public int bitCount() {
            return 0
%% for words
%% if highest
                + Long.bitCount($part);
%% else
                + Long.bitCount($part)
%% end
%% end
        }

        /** The lowest square, or $bits if there is none. */
        public int numberOfTrailingZeros() {
%% for words
            if ($part != 0) return $start + Long.numberOfTrailingZeros($part);
%% end
            return $bits;
        }

        public boolean isEmpty() {
            return equals(EMPTY);
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof $bitboard)) return false;
            $bitboard y = ($bitboard) other;
%% for words
            if ($part != y.$part) return false;
%% end
            return true;
        }

        @Override
        public int hashCode() {
            long hash = 0;
%% for words
            hash = hash * 31 + $part;
%% end
            return Long.hashCode(hash);
        }
    }

    private static void put($bitboard[] to, int start, long[] words) {
        for (int n = 0; $word_count * n < words.length; n++)
            to[start + n] = new $bitboard(
%% for words
%% if highest
                words[$word_count * n + $number]);
%% else
                words[$word_count * n + $number],
%% end
%% end
    }
