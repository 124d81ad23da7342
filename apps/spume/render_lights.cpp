// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <fmt/core.h>

#include "apps/spume/render_picture.h"
#include "spume/core/math.h"
#include "spume/io/exr.h"
#include "spume/render/directions.h"

namespace spume {

std::optional<SkyImage> sky_image(FileSystem& files, const RenderFlags& flags) {
    if (flags.environment.empty()) return std::nullopt;
    constexpr std::uint64_t kLargest = 1ull << 31u;  // bytes
    if (!files.facts(flags.environment))
        throw UserError("there is no file " + flags.environment,
                        "--environment names an EXR picture of all directions");
    DecodedExr exr;
    try {
        exr = decode_exr(read_file(files, flags.environment, kLargest));
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}", flags.environment, error.what()),
                        "--environment names an EXR picture of all directions");
    }
    FloatImage picture(exr.width, exr.height);
    picture.pixels = std::move(exr.rgb);
    auto image = std::make_shared<EnvironmentImage>(std::move(picture),
                                                    flags.environment_turn * math::kPi / 180);
    SkyImage sky;
    // As bright on the whole as the sky that is there without a picture.
    constexpr double kMean = 0.55;
    const double mean = image->mean_luminance();
    if (!(mean > 0))
        throw UserError(flags.environment + " is black all over", "name another picture");
    if (auto sun = image->take_sun()) sky.sun = *sun;
    sky.strength = flags.environment_strength > 0 ? flags.environment_strength
                                                  : kMean / image->mean_luminance();
    sky.image = std::move(image);
    return sky;
}

std::vector<AreaLight> asked_lamps(const RenderFlags& flags, const Scene& scene) {
    if (flags.lamps.size() % 5 != 0)
        throw UserError(fmt::format("--lamp has {} numbers", flags.lamps.size()),
                        "give five of each lamp: X,Y,Z,WIDTH,LIGHT");
    std::vector<AreaLight> lamps;
    const Vec<double, 3> middle = (scene.domain.lower + scene.domain.upper) * 0.5;
    for (std::size_t i = 0; i < flags.lamps.size(); i += 5) {
        const double* n = &flags.lamps[i];
        const Vec<double, 3> x{n[0], n[1], n[2]}, way = middle - x;
        const double width = n[3], light = n[4];
        if (!(width > 0 && light > 0))
            throw UserError(fmt::format("a lamp of width {} and light {} gives none", width, light),
                            "give positive numbers");
        const Vec<double, 3> toward =
            length(way) > 1e-9 ? way / length(way) : Vec<double, 3>{0, -1, 0};
        Vec<double, 3> a, b;
        frame_of(toward, a, b);
        lamps.push_back({x - (a + b) * (width / 2), a * width, b * width,
                         Colour::filled(static_cast<float>(light))});
    }
    return lamps;
}

}  // namespace spume
