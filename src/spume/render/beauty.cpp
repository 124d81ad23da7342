// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/beauty.h"

#include <atomic>
#include <cmath>
#include <mutex>

#include "spume/core/error.h"
#include "spume/render/photons.h"

namespace spume {

namespace {

constexpr int kSquare = 16;  // pixels a side of the piece a thread works on

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

/// From uniform to a triangle over (−1, 1): pixels overlap a little, edges look smooth.
double tent(double u) { return u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

struct SquareSum {
    double squared_error = 0;
    long rays = 0;
};

class Tracing {
  public:
    Tracing(const RayScene& scene, const PreviewCamera& camera, const TraceOptions& options,
            const StopToken& stop)
        : options_(options),
          stop_(stop),
          projection_(camera, options.width, options.height),
          tracer_(scene, options.limits, options.photons),
          moving_(moves(scene.world())),
          around_(scene.around(camera.position, 0.5)) {}

    int across() const { return (options_.width + kSquare - 1) / kSquare; }
    int down() const { return (options_.height + kSquare - 1) / kSquare; }

    SquareSum square(std::size_t number, Traced& traced) const {
        const int x0 = static_cast<int>(number) % across() * kSquare,
                  y0 = static_cast<int>(number) / across() * kSquare;
        SquareSum sum;
        for (int y = y0; y < std::min(y0 + kSquare, options_.height); ++y)
            for (int x = x0; x < std::min(x0 + kSquare, options_.width); ++x)
                pixel(x, y, traced, sum);
        return sum;
    }

  private:
    static bool moves(const World& w) {
        for (const Balls& b : w.balls)
            if (!b.end.empty()) return true;
        for (const Ellipsoids& e : w.ellipsoids)
            if (!e.end.empty()) return true;
        for (const Surface& s : w.surfaces)
            if (!s.end.empty()) return true;
        return false;
    }

    void pixel(int x, int y, Traced& traced, SquareSum& sum) const {
        PixelSampler sampler(options_.seed,
                             static_cast<std::uint64_t>(y) << 32 | static_cast<std::uint64_t>(x));
        Vec<double, 3> total{}, normal{}, albedo{};
        double squared = 0, mean = 0, depth = 0;
        for (int s = 0; s < options_.samples; ++s) {
            // A picture that is given up may be left half done, and soon.
            if (s % 256 == 255 && stop_.requested()) break;
            sampler.begin(static_cast<std::uint32_t>(s));
            const double u = sampler.next(), v = sampler.next(), time = sampler.next();
            const Projection::Ray sight = projection_.ray(x + 0.5 + tent(u), y + 0.5 + tent(v));
            Ray ray;
            ray.origin = sight.origin;
            ray.direction = sight.direction / length(sight.direction);
            ray.time = moving_ ? time : 0;
            const PathTracer::Counted c = tracer_.counted(ray, around_, sampler);
            total += c.colour.as<double>();
            normal += c.normal, albedo += c.albedo.as<double>(), depth += c.depth;
            sum.rays += c.rays;
            const double bright = luminance(c.colour), off = bright - mean;
            mean += off / (s + 1);
            squared += off * (bright - mean);
        }
        const double n = options_.samples;
        const double variance = n > 1 ? squared / (n - 1) / n : 0;
        sum.squared_error += variance;
        traced.image.at(x, y) = (total / n).as<float>();
        if (!options_.features) return;
        PictureFeatures& f = traced.features;
        const std::size_t at = std::size_t(y) * std::size_t(options_.width) + std::size_t(x);
        f.normal.pixels[at] = (normal / n).as<float>();
        f.albedo.pixels[at] = (albedo / n).as<float>();
        f.depth[at] = static_cast<float>(depth / n);
        f.variance[at] = static_cast<float>(variance);
    }

    const TraceOptions& options_;
    const StopToken& stop_;
    Projection projection_;
    PathTracer tracer_;
    bool moving_;
    Nest around_;
};

void check(int width, int height, int samples) {
    if (width < 1 || height < 1 || width > 16384 || height > 16384)
        throw UserError(fmt::format("the picture's size is {} x {}", width, height),
                        "give a size from 1x1 to 16384x16384");
    if (samples < 1 || samples > 1000000)
        throw UserError(fmt::format("{} samples a pixel", samples), "give 1 to 1000000");
}

}  // namespace

Traced trace_picture(const RayScene& scene, const PreviewCamera& camera,
                     const TraceOptions& options, Context& context) {
    check(options.width, options.height, options.samples);
    const Tracing tracing(scene, camera, options, context.stop);
    Traced traced;
    traced.image = FloatImage(options.width, options.height);
    if (options.features) {
        traced.features.normal = traced.features.albedo = traced.image;
        traced.features.depth.assign(traced.image.pixels.size(), 0);
        traced.features.variance = traced.features.depth;
    }
    const auto squares = static_cast<std::size_t>(tracing.across() * tracing.down());
    std::vector<SquareSum> sums(squares);
    std::atomic<std::size_t> done{0};
    std::mutex telling;
    auto work = [&](std::size_t i) {
        if (context.stop.requested()) return;
        sums[i] = tracing.square(i, traced);
        if (context.stop.requested()) return;
        const std::size_t finished = ++done;
        if (!options.progress) return;
        const std::lock_guard lock(telling);
        options.progress(static_cast<double>(finished) / static_cast<double>(squares));
    };
    context.arena.run(squares, work);
    double squared = 0;
    for (const SquareSum& s : sums) squared += s.squared_error, traced.rays += s.rays;
    traced.noise = std::sqrt(squared / (double(options.width) * options.height));
    traced.stopped = done < squares;
    return traced;
}

namespace {

/// None where light needs no bending: deep in water the surface is not there.
std::optional<Photons> photons_for(const RayScene& scene, const BeautyOptions& options,
                                   const Vec<double, 3>& center, Context& context) {
    if (scene.world().environment.kind == Environment::Kind::kWater) return std::nullopt;
    PhotonOptions p;
    const double paths = double(options.width) * options.height * options.samples;
    p.count = options.photons.value_or(std::size_t(std::clamp(paths / 4, 1e4, 1e6)));
    if (p.count == 0) return std::nullopt;
    p.seed = options.seed;
    p.limits = options.limits;
    // A sea has no end: light is sent on the domain and a border around it.
    if (options.sea) {
        const Vec<double, 3> size = options.domain.size();
        const double border = 0.5 * std::max(size[0], size[2]);
        p.box = Box<double, 3>{options.domain.lo - center - Vec<double, 3>::filled(border),
                               options.domain.hi - center + Vec<double, 3>::filled(border)};
    }
    return send_photons(scene, p, context);
}

}  // namespace

Traced render_beauty(const Frame& frame, const BeautyOptions& options, Context& context) {
    Stage stage(context, "beauty");
    check(options.width, options.height, options.samples);
    PreviewCamera camera = beauty_camera(frame, options);
    const Vec<double, 3> center = (options.domain.lo + options.domain.hi) * 0.5;
    const RayScene scene(beauty_world(frame, options, camera, center));
    camera.position -= center, camera.target -= center;
    TraceOptions trace;
    trace.width = options.width, trace.height = options.height;
    trace.samples = options.samples;
    trace.seed = options.seed;
    trace.limits = options.limits;
    trace.progress = options.progress;
    const std::optional<Photons> photons = photons_for(scene, options, center, context);
    if (photons) trace.photons = &photons->map, trace.limits.light = LightPaths::kPhotons;
    trace.features = options.denoise;
    Traced traced = trace_picture(scene, camera, trace, context);
    if (options.denoise && !traced.stopped)
        traced.image = denoised(traced.image, traced.features, context);
    for (Colour& c : traced.image.pixels) c *= static_cast<float>(options.exposure);
    traced.noise *= options.exposure;
    return traced;
}

}  // namespace spume
