// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// [G04] Figures 11 to 20 as small scenes, each by three rules for where bubbles overlap: the
// thesis's approximation, the exact films, and the ambient term (Fig. 15). One sheet of all.
//
// bench_foam_figures [FILE.png [SAMPLES]]    (foam_figures.png, 32)

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "spume/io/png.h"
#include "spume/render/beauty.h"
#include "spume/render/body_mesh.h"
#include "spume/render/contact_sheet.h"
#include "spume/render/optics.h"

namespace {

using namespace spume;
using Vec3 = Vec<double, 3>;
using Ball = Vec<float, 4>;

constexpr int kWater = 0, kFilm = 1, kGlass = 2, kGround = 3;

Surface block(const Vec3& size, const Vec3& middle, int material) {
    BodyParameters p;
    p.size = size;
    const BodyMesh mesh = body_mesh(p);
    Surface s;
    for (const Vec3& x : mesh.vertices) s.begin.push_back((x + middle).as<float>());
    s.triangles = mesh.triangles;
    s.material = material;
    return s;
}

World stage(std::vector<Ball> bubbles) {
    World w;
    w.media = {Medium{}, Medium{.index = kWaterIndex, .absorption = {}, .glow = {}},
               Medium{.index = kGlassIndex, .absorption = {0.05f, 0.02f, 0.03f}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.priority = Priority::kBubble, .medium = 0, .film = true},
                   Material{.priority = Priority::kSolid, .medium = 2},
                   Material{.finish = Finish::kChecker,
                            .colour = {0.25f, 0.27f, 0.32f},
                            .other = {0.07f, 0.08f, 0.10f},
                            .scale = 1.2}};
    if (!bubbles.empty())
        w.balls = {Balls{.begin = std::move(bubbles), .end = {}, .film = {}, .material = kFilm}};
    w.floor = Floor{-2.2, kGround};
    w.environment.kind = Environment::Kind::kSky;
    w.environment.sun = {{-0.5, 0.76, 0.42}, 0.999, {560, 520, 450}};
    w.films = FilmLaw::kThesis;
    w.size = 12;
    return w;
}

struct Figure {
    std::string name;
    World world;
};

std::vector<Figure> figures() {
    std::vector<Figure> all;
    // 11: a contiguous foam out of spheres.
    std::vector<Ball> pile;
    for (int i = 0; i < 19; ++i) {
        const double turn = 2.4 * i, out = 0.42 * std::sqrt(double(i));
        pile.push_back({float(out * std::cos(turn)), float(0.35 * std::cos(1.7 * i)),
                        float(out * std::sin(turn)), float(0.62 + 0.12 * std::sin(5.0 * i))});
    }
    all.push_back({"11 foam", stage(pile)});
    all.push_back({"12 one bubble", stage({{0, 0, 0, 1.5f}})});
    all.push_back({"14 two", stage({{-0.75f, 0, 0, 1.25f}, {0.95f, 0.1f, 0, 0.9f}})});
    all.push_back({"15, 18 three",
                   stage({{-0.8f, -0.4f, 0, 1.1f}, {0.8f, -0.4f, 0, 1.1f}, {0, 0.75f, 0, 1}})});
    World inside = stage({{-0.7f, 0, 0, 1.1f}, {0.7f, 0, 0, 1.1f}});
    inside.surfaces = {block({0.9, 3, 3}, {0.1, 0, 0}, kGlass)};
    all.push_back({"16 film in glass", std::move(inside)});
    World water = stage({{0, 0, 0, 1.2f}});
    water.surfaces = {block({6, 2.1, 6}, {0, -1.05, 0}, kWater)};
    all.push_back({"19 half submerged", std::move(water)});
    World under = stage({{0, -1.0f, 0, 0.8f}});
    under.surfaces = {block({6, 2.1, 6}, {0, -1.05, 0}, kWater)};
    all.push_back({"19 submerged", std::move(under)});
    World order = stage({{0, 0.9f, 0, 1}});
    order.balls.push_back(
        Balls{.begin = {{-0.8f, -0.4f, 0, 1.1f}}, .end = {}, .film = {}, .material = kWater});
    order.balls.push_back(
        Balls{.begin = {{0.8f, -0.4f, 0, 1.1f}}, .end = {}, .film = {}, .material = kGlass});
    all.push_back({"20 water, glass, bubble", std::move(order)});
    return all;
}

}  // namespace

int main(int count, char** words) {
    const std::string file = count > 1 ? words[1] : "foam_figures.png";
    TraceOptions options;
    options.width = options.height = 240;
    options.samples = count > 2 ? std::max(1, std::atoi(words[2])) : 32;
    const PreviewCamera camera{
        .position = {0.5, 1.6, 6.5}, .target = {0, -0.1, 0}, .field_of_view = 32};
    Context context(0);
    std::vector<SheetTile> tiles;
    struct Rule {
        const char* name;
        FoamRule rule;
    };
    const std::vector<Figure> all = figures();
    for (const Rule& rule : {Rule{"thesis", FoamRule::kThesis}, Rule{"exact", FoamRule::kExact},
                             Rule{"ambient", FoamRule::kAmbient}})
        for (const Figure& figure : all) {
            World w = figure.world;
            w.foam = rule.rule;
            const RayScene scene(std::move(w));
            const Traced t = trace_picture(scene, camera, options, context);
            tiles.push_back({developed(t.image, 1), figure.name + ", " + rule.name});
            double mean = 0;
            for (const Colour& c : t.image.pixels) mean += c[1] / double(t.image.pixels.size());
            std::printf("%-24s %-8s mean %.4f noise %.4f\n", figure.name.c_str(), rule.name, mean,
                        t.noise);
        }
    const Image sheet = contact_sheet(tiles, {"G04 Figures 11 to 20", static_cast<int>(all.size()),
                                              options.width, options.height});
    const std::string bytes = encode_png(sheet.width, sheet.height, sheet.rgb);
    std::ofstream(file, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return 0;
}
