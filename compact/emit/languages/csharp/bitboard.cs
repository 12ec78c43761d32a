
    /// <summary>
    /// A bit for each square, as words of 64 bits, the lowest first. Operations wrap at $bits bits.
    /// </summary>
    public struct $bitboard : IEquatable<$bitboard> {
        public readonly ulong $Fields;

        public $bitboard($parameters) {
%% for words
            $Part = $part;
%% end
        }

        public bool IsEmpty {
            get { return this == default($bitboard); }
        }

        public static bool operator ==($bitboard x, $bitboard y) {
%% for words
            if (x.$Part != y.$Part) return false;
%% end
            return true;
        }

        public static bool operator !=($bitboard x, $bitboard y) {
            return !(x == y);
        }

        public bool Equals($bitboard other) {
            return this == other;
        }

        public override bool Equals(object other) {
            return other is $bitboard && this == ($bitboard)other;
        }

        public override int GetHashCode() {
            ulong hash = 0;
%% for words
            hash = unchecked(hash * 31 + $Part);
%% end
            return hash.GetHashCode();
        }

        public static $bitboard operator &($bitboard x, $bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                x.$Part & y.$Part);
%% else
                x.$Part & y.$Part,
%% end
%% end
        }

        public static $bitboard operator |($bitboard x, $bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                x.$Part | y.$Part);
%% else
                x.$Part | y.$Part,
%% end
%% end
        }

        public static $bitboard operator ^($bitboard x, $bitboard y) {
            return new $bitboard(
%% for words
%% if highest
                x.$Part ^ y.$Part);
%% else
                x.$Part ^ y.$Part,
%% end
%% end
        }

        public static $bitboard operator ~($bitboard x) {
            return new $bitboard(
%% for words
%% if highest
                ~x.$Part);
%% else
                ~x.$Part,
%% end
%% end
        }

        public static $bitboard operator <<($bitboard x, int n) {
%% for words
            ulong $part = Up(x.$Part, n);
%% for below
            $part |= Up(x.$Other, n - $distance) | Down(x.$Other, $distance - n);
%% end
%% end
            return new $bitboard($fields);
        }

        public static $bitboard operator >>($bitboard x, int n) {
%% for words
            ulong $part = Down(x.$Part, n);
%% for above
            $part |= Down(x.$Other, n - $distance) | Up(x.$Other, $distance - n);
%% end
%% end
            return new $bitboard($fields);
        }

        // A shift of a ulong takes its amount modulo 64.
        private static ulong Up(ulong x, int n) {
            return unchecked((uint)n) < 64 ? x << n : 0;
        }

        private static ulong Down(ulong x, int n) {
            return unchecked((uint)n) < 64 ? x >> n : 0;
        }

        public static $bitboard operator *($bitboard x, $bitboard y) {
            unchecked {
                ulong carry;
%% for products
%% if lowest
                ulong $part = MultiplyAdd(x.$Left, y.$Right, 0, 0, out carry);
%% else
%% if begins
%% if highest
                $part += x.$Left * y.$Right;
%% else
                $part = MultiplyAdd(x.$Left, y.$Right, $part, 0, out carry);
%% end
%% else
%% if fresh
%% if highest
                ulong $part = x.$Left * y.$Right + carry;
%% else
                ulong $part = MultiplyAdd(x.$Left, y.$Right, carry, 0, out carry);
%% end
%% else
%% if highest
                $part += x.$Left * y.$Right + carry;
%% else
                $part = MultiplyAdd(x.$Left, y.$Right, $part, carry, out carry);
%% end
%% end
%% end
%% end
%% end
                return new $bitboard($fields);
            }
        }

        // The low half of x * y + a + b, and the high half.
        private static ulong MultiplyAdd(ulong x, ulong y, ulong a, ulong b, out ulong high) {
            unchecked {
                ulong low;
#if NET5_0_OR_GREATER
                high = Math.BigMul(x, y, out low);
#else
                ulong x0 = (uint)x, x1 = x >> 32, y0 = (uint)y, y1 = y >> 32;
                ulong first = x0 * y0, inner = x1 * y0 + (first >> 32), other = x0 * y1 + (uint)inner;
                high = x1 * y1 + (inner >> 32) + (other >> 32);
                low = other << 32 | (uint)first;
#endif
                low += a;
                if (low < a) high++;
                low += b;
                if (low < b) high++;
                return low;
            }
        }

        public static $bitboard operator +($bitboard x, $bitboard y) {
            unchecked {
                ulong carry = 0;
%% for words
                ulong $part = AddWithCarry(x.$Part, y.$Part, ref carry);
%% end
                return new $bitboard($fields);
            }
        }

        private static ulong AddWithCarry(ulong x, ulong y, ref ulong carry) {
            unchecked {
                ulong sum = x + carry;
                carry = sum < carry ? 1UL : 0;
                sum += y;
                if (sum < y) carry = 1;
                return sum;
            }
        }

        public static $bitboard operator -($bitboard x, $bitboard y) {
            // -y is ~y + 1.
            ulong carry = 1;
%% for words
            ulong $part = AddWithCarry(x.$Part, ~y.$Part, ref carry);
%% end
            return new $bitboard($fields);
        }

        public int PopCount() {
            return 0
%% for words
%% if highest
                + Ones($Part);
%% else
                + Ones($Part)
%% end
%% end
        }

        /// <summary>The lowest square, or $bits if there is none.</summary>
        public int TrailingZeroCount() {
%% for words
            if ($Part != 0) return $start + Ones(unchecked(~$Part & ($Part - 1)));
%% end
            return $bits;
        }

        private static int Ones(ulong x) {
#if NETCOREAPP3_0_OR_GREATER
            return System.Numerics.BitOperations.PopCount(x);
#else
            unchecked {
                x -= x >> 1 & 0x5555555555555555;
                x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
                x = (x + (x >> 4)) & 0xf0f0f0f0f0f0f0f;
                return (int)(x * 0x101010101010101 >> 56);
            }
#endif
        }
    }

    private static $bitboard[] Bitboards(ulong[] words) {
        var found = new $bitboard[words.Length / $word_count];
        for (int n = 0; n < found.Length; n++)
            found[n] = new $bitboard(
%% for words
%% if highest
                words[$word_count * n + $number]);
%% else
                words[$word_count * n + $number],
%% end
%% end
        return found;
    }
