// A piece is an object with virtual functions, made at start.
#include <cstdint>

struct Slider {
    virtual std::uint64_t attacks(int square, std::uint64_t occupied) const = 0;

protected:
    static std::uint64_t along(int square, std::uint64_t occupied, int right, int up) {
        std::uint64_t found = 0;
        int file = square % 8 + right, rank = square / 8 + up;
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += right, rank += up) {
            found |= UINT64_C(1) << (8 * rank + file);
            if (occupied >> (8 * rank + file) & 1) break;
        }
        return found;
    }
};

struct Rook : Slider {
    std::uint64_t attacks(int square, std::uint64_t occupied) const override {
        return along(square, occupied, 1, 0) | along(square, occupied, -1, 0) |
               along(square, occupied, 0, 1) | along(square, occupied, 0, -1);
    }
};

struct Bishop : Slider {
    std::uint64_t attacks(int square, std::uint64_t occupied) const override {
        return along(square, occupied, 1, 1) | along(square, occupied, -1, -1) |
               along(square, occupied, 1, -1) | along(square, occupied, -1, 1);
    }
};

Slider* sliders[2];

extern "C" void init() {
    sliders[0] = new Rook;
    sliders[1] = new Bishop;
}

extern "C" std::uint64_t queen(int square, std::uint64_t occupied) {
    std::uint64_t found = 0;
    for (const Slider* slider : sliders) found |= slider->attacks(square, occupied);
    return found;
}
