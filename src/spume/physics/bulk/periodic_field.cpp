// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/periodic_field.h"

#include <unsupported/Eigen/FFT>

#include "spume/core/error.h"
#include "spume/core/math.h"

namespace spume {

struct WaveTransform::Plan {
    /// Radices above 5 alone use its work space: with the numbers we allow, it stays as it is.
    mutable Eigen::internal::kiss_cpx_fft<double> fft;
};

WaveTransform::WaveTransform(int n) : plan_(std::make_unique<Plan>()), n_(n) {
    SPUME_CHECK(n > 0 && n % 2 == 0);
    auto& fft = plan_->fft;
    fft.m_inverse = true;
    fft.m_twiddles.resize(std::size_t(n));
    for (int j = 0; j < n; ++j) {
        const double angle = 2 * math::kPi * j / n;
        fft.m_twiddles[std::size_t(j)] = {math::cos(angle), math::sin(angle)};
    }
    fft.factorize(n);
    for (const int radix : fft.m_stageRadix) SPUME_CHECK_OP(radix, <=, 5);
}
WaveTransform::~WaveTransform() = default;
WaveTransform::WaveTransform(WaveTransform&&) noexcept = default;

void WaveTransform::sum(std::span<std::complex<double>> values, int dimensions) const {
    const auto n = std::size_t(n_), rows = dimensions == 2 ? n : 1;
    SPUME_CHECK_OP(values.size(), ==, rows * n);
    std::vector<std::complex<double>> line(n), out(n);
    for (std::size_t r = 0; r < rows; ++r) {
        plan_->fft.work(0, out.data(), values.data() + r * n, 1, 1);
        std::copy(out.begin(), out.end(), values.begin() + std::ptrdiff_t(r * n));
    }
    if (dimensions == 1) return;
    for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = 0; r < n; ++r) line[r] = values[r * n + c];
        plan_->fft.work(0, out.data(), line.data(), 1, 1);
        for (std::size_t r = 0; r < n; ++r) values[r * n + c] = out[r];
    }
}

void WaveTransform::analyse(std::span<std::complex<double>> values, int dimensions) const {
    for (auto& v : values) v = std::conj(v);
    sum(values, dimensions);
    const double scale = 1 / double(values.size());
    for (auto& v : values) v = std::conj(v) * scale;
}

double spline_gain(int j, int n) { return 3 / (2 + math::cos(2 * math::kPi * j / n)); }

}  // namespace spume
