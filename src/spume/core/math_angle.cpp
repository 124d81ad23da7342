// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstdint>
#include <limits>

#include "spume/core/bits.h"
#include "spume/core/double_double.h"
#include "spume/core/math.h"

namespace spume::math {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// x = quadrant · π/2 + angle, |angle| ≤ π/4.
struct Reduced {
    unsigned quadrant;
    DoubleDouble angle;
};

// The first 1280 bits of 2/π.
constexpr std::uint64_t kTwoOverPi[20] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// 64 bits of 2/π, the first of weight 2^-first. Bits left of the point are zero.
std::uint64_t two_over_pi_bits(int first) {
    const int index = first - 1 + 64;  // from one zero word in front
    const int word = index / 64 - 1, shift = index % 64;
    auto at = [](int w) { return w < 0 || w >= 20 ? std::uint64_t{0} : kTwoOverPi[w]; };
    return shift == 0 ? at(word) : (at(word) << shift) | (at(word + 1) >> (64 - shift));
}

/// Payne and Hanek's reduction: of x · 2/π only the bits from weight 2 down to 2^-190 are formed,
/// in integers.
Reduced reduce_huge(double x) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t bits = bits_as<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52) - 1023 - 52;
    const std::uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    const int first = exponent - 1;
    std::uint64_t product[3];  // highest word first; what overflows it is a multiple of 4
    Wide carry = 0;
    for (int w = 2; w >= 0; --w) {
        carry += Wide{mantissa} * two_over_pi_bits(first + 64 * w);
        product[w] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    unsigned quadrant = static_cast<unsigned>(product[0] >> 62);
    product[0] &= 0x3fffffffffffffffu;
    const bool upper = (product[0] >> 61) != 0;
    if (upper) {  // take the nearer multiple: fraction − 1
        ++quadrant;
        product[0] |= 0xc000000000000000u;
        for (std::uint64_t& w : product) w = ~w;  // −fraction, up to one unit of 2^-190
    }
    DoubleDouble turn{0, 0};
    for (int piece = 5; piece >= 0; --piece) {
        const std::uint64_t word = product[piece / 2];
        const auto half = static_cast<std::uint32_t>(piece % 2 == 0 ? word >> 32 : word);
        turn = add({half * power_of_two(-30 - 32 * piece), 0}, turn);
    }
    if (upper) turn = {-turn.hi, -turn.lo};
    return {quadrant, multiply(turn, kHalfPi)};
}

Reduced reduce(double x) {
    const double size = std::fabs(x);
    if (size <= 0x1.921fb54442d18p-1) return {0, {x, 0}};
    Reduced r;
    if (size < 0x1p20) {
        // π/2 in pieces of 33 bits: each product with k < 2^20 is exact.
        const double k = std::floor(size * 0x1.45f306dc9c883p-1 + 0.5);
        DoubleDouble a = two_sum(size, -(k * 0x1.921fb54400000p+0));
        a = add(a, {-(k * 0x1.0b4611a600000p-34), 0});
        a = add(a, {-(k * 0x1.3198a2e000000p-69), 0});
        a = add(a, {-(k * 0x1.b839a252049c1p-104), 0});
        r = {static_cast<unsigned>(k) & 3u, a};
    } else {
        r = reduce_huge(size);
    }
    if (x < 0) r = {0u - r.quadrant, {-r.angle.hi, -r.angle.lo}};
    return r;
}

double sin_kernel(DoubleDouble a) {
    const double x = a.hi, z = x * x;
    double p = 1.0 / 355687428096000;
    p = p * z - 1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return x + (x * z * p + a.lo * (1 - 0.5 * z));
}

double cos_kernel(DoubleDouble a) {
    const double x = a.hi, z = x * x;
    double p = -1.0 / 6402373705728000;
    p = p * z + 1.0 / 20922789888000;
    p = p * z - 1.0 / 87178291200;
    p = p * z + 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    const double half = 0.5 * z;
    const double w = 1 - half;
    return w + (((1 - w) - half) + (z * z * p - x * a.lo));
}

/// atan(j / 16).
constexpr DoubleDouble kAtan[17] = {{0, 0},
                                    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/// atan(y / x) for 0 ≤ y ≤ x, x > 0, both of moderate size. With c = j/16 near the quotient,
/// atan(y/x) = atan c + atan t, t = (y − c x) / (x + c y), |t| ≤ 1/32 (1/16 for j = 0).
DoubleDouble atan_quotient(double y, double x) {
    int j = static_cast<int>(std::floor(y / x * 16 + 0.5));
    if (j == 1) j = 0;  // near zero the table would cost accuracy
    const double c = j / 16.0;
    const DoubleDouble cx = two_product(c, x), cy = two_product(c, y);
    const DoubleDouble numerator = add({y, 0}, {-cx.hi, -cx.lo});
    const DoubleDouble denominator = add({x, 0}, cy);
    const double t = numerator.hi / denominator.hi;
    const DoubleDouble back = two_product(t, denominator.hi);
    const double rest =
        (((numerator.hi - back.hi) - back.lo) + numerator.lo - t * denominator.lo) / denominator.hi;
    const double z = t * t;
    double p = 1.0 / 17;
    for (int n = 15; n >= 3; n -= 2) p = 1.0 / n - p * z;
    return add(kAtan[j], fast_two_sum(t, rest - t * z * p));
}

}  // namespace

double sin(double x) {
    if (!std::isfinite(x)) return kNaN;
    if (std::fabs(x) < 0x1p-27) return x;
    const Reduced r = reduce(x);
    const double value = (r.quadrant & 1u) != 0 ? cos_kernel(r.angle) : sin_kernel(r.angle);
    return (r.quadrant & 2u) != 0 ? -value : value;
}

double cos(double x) {
    if (!std::isfinite(x)) return kNaN;
    const Reduced r = reduce(x);
    const double value = (r.quadrant & 1u) != 0 ? sin_kernel(r.angle) : cos_kernel(r.angle);
    return ((r.quadrant + 1) & 2u) != 0 ? -value : value;
}

double atan2(double y, double x) {
    if (x != x || y != y) return kNaN;
    double ax = std::fabs(x), ay = std::fabs(y);
    if (std::isinf(ax) || std::isinf(ay)) {
        ax = std::isinf(ax) ? 1 : 0;
        ay = std::isinf(ay) ? 1 : 0;
    }
    const bool steep = ay > ax;
    const double larger = steep ? ay : ax, smaller = steep ? ax : ay;
    DoubleDouble angle{0, 0};
    if (larger > 0) {
        // Bring the larger near 1; what the smaller loses to underflow is below the last bit,
        // except where the answer is itself tiny: then it is the plain quotient.
        const int exponent = std::ilogb(larger);
        const double quotient = smaller / larger;
        if (quotient < 0x1p-60)
            angle = {quotient, 0};
        else
            angle = atan_quotient(scale(smaller, -exponent), scale(larger, -exponent));
    }
    if (steep) angle = add(kHalfPi, {-angle.hi, -angle.lo});
    if (std::signbit(x)) angle = add({2 * kHalfPi.hi, 2 * kHalfPi.lo}, {-angle.hi, -angle.lo});
    return std::copysign(angle.hi + angle.lo, y);
}

double acos(double x) {
    if (!(std::fabs(x) <= 1)) return kNaN;
    return atan2(std::sqrt((1 - x) * (1 + x)), x);
}

}  // namespace spume::math
