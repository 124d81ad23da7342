// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// [G04] Figures 3 to 10 and 22 to 25 in the plane, drawn from what the program computes: one sheet,
// and the numbers behind it. Figures 11 to 20 are those of foam_figures.cpp.
//
// bench_g04_figures [FILE.png]    (g04_figures.png)

#include <cstdio>
#include <fstream>

#include "../tests/methods/particle_level_set/pls_run.h"
#include "../tests/methods/particle_level_set/transport.h"
#include "spume/io/png.h"
#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/physics/foam/bubble_cluster.h"
#include "spume/render/contact_sheet.h"
#include "spume/surface/trapped_air.h"

namespace spume {
namespace {

using Ink = Vec<std::uint8_t, 3>;
constexpr Ink kAir = {244, 246, 248}, kLiquid = {126, 178, 222}, kDark = {30, 36, 44},
              kRed = {206, 52, 44}, kWhite = {255, 255, 255}, kGreen = {40, 140, 80},
              kYellow = {246, 222, 120};
constexpr int kPixels = 300;

/// A square of the plane as a picture.
struct Canvas {
    Point<2> corner{0, 0};
    double width = 1;
    Image image{kPixels, kPixels, kAir};

    Vec<double, 2> pixel(const Point<2>& x) const {
        const Point<2> u = (x - corner) * (kPixels / width);
        return {u[0], kPixels - u[1]};
    }
    void liquid(const DenseField<float, 2>& phi, const Transform<2>& lattice) {
        each_pixel([&](int i, int j, const Point<2>& x) {
            if (sample_level<2>(phi.read(), phi.shape, lattice.to_lattice(x)) < 0)
                image.blend(i, j, kLiquid, 1);
        });
    }
    void ball(const Point<2>& x, double radius, Ink ink, bool filled, double line = 1.3) {
        each_pixel([&](int i, int j, const Point<2>& y) {
            const double out = (length(y - x) - radius) * kPixels / width;
            const double d = filled ? out : std::abs(out) - line / 2;
            if (d < 0.5) image.blend(i, j, ink, float(std::min(1.0, 0.5 - d)));
        });
    }
    void arrow(const Point<2>& from, const Vec<double, 2>& way, Ink ink) {
        const Vec<double, 2> a = pixel(from), b = pixel(from + way), d = b - a;
        if (length(d) < 1) return;
        const Vec<double, 2> n{-d[1], d[0]};
        image.line(a, b, 2.5, ink);
        for (const double side : {-1.0, 1.0})
            image.line(b, b - d * (9 / length(d)) + n * (side * 5 / length(d)), 2.5, ink);
    }
    void grid(double h) {
        for (double x = 0; x <= width + 1e-9; x += h) {
            image.line(pixel(corner + Point<2>{x, 0}), pixel(corner + Point<2>{x, width}), 1, kDark,
                       0.35f);
            image.line(pixel(corner + Point<2>{0, x}), pixel(corner + Point<2>{width, x}), 1, kDark,
                       0.35f);
        }
    }
    template <class F>
    void each_pixel(F&& f) const {
        for (int j = 0; j < kPixels; ++j)
            for (int i = 0; i < kPixels; ++i)
                f(i, j, corner + Point<2>{i + 0.5, kPixels - j - 0.5} * (width / double(kPixels)));
    }
};

class Sheet {
  public:
    void add(Canvas canvas, std::string label) {
        std::printf("%s\n", label.c_str());
        std::fflush(stdout);
        tiles_.push_back({std::move(canvas.image), std::move(label)});
    }
    bool write(const char* file) const {
        const Image sheet =
            contact_sheet(tiles_, {"G04 Figures 3 to 10, 22 to 25", 4, kPixels, kPixels});
        const std::string bytes = encode_png(sheet.width, sheet.height, sheet.rgb);
        return bool(std::ofstream(file, std::ios::binary)
                        .write(bytes.data(), std::streamsize(bytes.size())));
    }

  private:
    std::vector<SheetTile> tiles_;
};

// 3 and 4: thin columns after a turn.
void columns(Sheet& sheet, Context& context) {
    struct Way {
        const char* name;
        bool liquid, markers, air;
    };
    for (const Way& w : {Way{"3 water: level set alone", true, false, false},
                         Way{"3 water: markers inside", true, true, false},
                         Way{"4 air: markers inside", false, true, false},
                         Way{"4 air: on both sides", false, true, true}}) {
        transport::Case<2> c = transport::column(40, w.liquid);
        c.markers_of_air = w.air;
        SurfaceMotion how;
        how.markers.escape = how.markers.liquid_escape = 1e9;
        how.markers.per_cell = 16;
        how.with_markers = w.markers;
        Canvas canvas{{0.3, 0.55}, 0.4};
        canvas.liquid(transport::at_the_end(c, how, context).phi, transport::lattice_of(c));
        sheet.add(std::move(canvas), w.name);
    }
}

/// A ball of liquid of five cells, with markers around its surface.
struct MarkedBall {
    transport::Case<2> c;
    Transform<2> lattice;
    MarkerRule rule;
    ParticleLevelSet<2> surface;

    MarkedBall(int per_cell, Context& context) {
        c.cells = 16;
        c.shape = [](const Point<2>& x) { return length(x - Point<2>{0.5, 0.5}) - 5.0 / 16; };
        lattice = transport::lattice_of(c);
        rule.per_cell = per_cell;
        surface.phi = transport::level_of(c, lattice, context);
        seed_markers(surface.markers, surface.phi, lattice, rule, 1, 0, context);
    }
};

// 5: radii by the distance from the surface. 6: which markers of air correct once it has moved.
void markers(Sheet& sheet, Context& context) {
    MarkedBall few(3, context), b(12, context);
    Canvas radii{{0.55, 0.55}, 0.32}, moved = radii;
    radii.liquid(few.surface.phi, few.lattice);
    radii.grid(few.lattice.voxel);
    for (std::size_t i = 0; i < few.surface.markers.size(); ++i) {
        const double radius = few.surface.markers.radius[i];
        radii.ball(few.surface.markers.position[i], std::abs(radius), radius > 0 ? kRed : kDark,
                   false);
    }
    sheet.add(std::move(radii), "5 radii: air red, water black");

    for (float& phi : b.surface.phi.values.write()) phi -= 0.6f;  // liquid grows over markers
    moved.liquid(b.surface.phi, b.lattice);
    const auto& m = b.surface.markers;
    int kinds[3] = {};
    for (int shown = 0; shown < 3; ++shown)  // the few that correct on top
        for (std::size_t i = 0; i < m.size(); ++i) {
            if (m.radius[i] < 0) continue;
            const double radius = double(m.radius[i]) / b.lattice.voxel;
            const double depth = -double(sample_level<2>(b.surface.phi.read(), b.surface.phi.shape,
                                                         b.lattice.to_lattice(m.position[i])));
            const bool left = b.rule.leaves(float(depth), float(radius));
            const int kind = depth < radius ? 0 : left ? 1 : 2;
            if (kind != shown) continue;
            ++kinds[kind];
            if (kind > 0) moved.ball(m.position[i], m.radius[i], kind == 1 ? kRed : kWhite, true);
            moved.ball(m.position[i], m.radius[i], kDark, false);
        }
    std::printf("of markers of air %d do not correct, %d do, %d have escaped\n", kinds[0], kinds[2],
                kinds[1]);
    sheet.add(std::move(moved), "6 correcting white, escaped red");
}

// 7: diagonal cells belong to the atmosphere where φ between them is positive.
void diagonals(Sheet& sheet, Context& context) {
    const bool open[2][2] = {{false, false}, {false, true}};
    for (const bool through : {true, false}) {
        DenseField<float, 2> phi(DensePlace<2>::centres({4, 4}).shape);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                phi.write()[phi.shape.at({i, j})] =
                    j == 3 || (i == 2 && j == 2) || (i == 1 && j == 1) ? 0.4f
                    : through && i + j == 3                            ? -0.1f
                                                                       : -1.0f;
        const bool even[2] = {};
        mirror_ghosts<float, 2>(phi.write(), DensePlace<2>::centres(phi.shape.size), even);
        const auto trapped = find_trapped_air<2>(phi, {}, {}, open, context);
        Canvas canvas{{0, 0}, 4};
        canvas.each_pixel([&](int i, int j, const Point<2>& x) {
            const Index<2> cell = floor_index<2>(x);
            const bool air = phi.at(cell) > 0;
            const bool pocket = trapped.pocket_of.count(phi.shape.at(cell)) > 0;
            canvas.image.blend(i, j, !air ? kLiquid : pocket ? kAir : kYellow, 1);
        });
        canvas.grid(1);
        sheet.add(std::move(canvas), through ? "7 joined by the corner" : "7 parted: a pocket");
    }
}

/// A block of water over a pool.
Scene splash(int cells) {
    Scene s = pls_box(2, 1.0 / cells, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), pls_water({0.38, 0.4, 0}, {0.62, 0.8, 1})};
    return s;
}

particle_level_set::Params with_bubbles(const particle_level_set::Params& usual = {}) {
    particle_level_set::Params p = usual;
    p.live_bubbles = true;
    p.bubbles.life = p.bubbles.wall_life = 1e8;
    p.bubbles.rise_radius = p.bubbles.clip_radius = 0.006;
    auto& m = p.bubbles.markers;
    m.small_mean = 0.006, m.small_deviation = 0.002, m.large_mean = 0.014, m.large_deviation = 4e-3;
    m.radius_min = 0.004, m.radius_max = 0.025;
    m.thinning = Thinning::kArea;
    m.density = p.markers * 900.0;  // all at 30 cells
    return p;
}

void draw(Canvas& canvas, const PlsRun<2>& run) {
    canvas.liquid(run.state.surface.phi, run.world.lattice);
    const auto& set = run.state.live.set;
    for (std::size_t i = 0; i < set.size(); ++i)
        canvas.ball(set.position[i], set.radius[i], kDark, false);
}

// 8: bubbles of a splash at two resolutions.
void resolutions(Sheet& sheet) {
    for (const int cells : {30, 60}) {
        PlsRun<2> run(splash(cells), with_bubbles());
        run.until(0.45);
        Canvas canvas;
        draw(canvas, run);
        const std::string size = std::to_string(cells);
        sheet.add(std::move(canvas), "8 " + size + "x" + size + ": " +
                                         std::to_string(run.state.live.set.size()) + " bubbles");
    }
}

// 9: pairs too far apart attract, too near repel. 10: where bubbles are against the surface.
void forces_and_regions(Sheet& sheet) {
    const RegionCoefficients k{1, 0.15, 0.15, 1, 0, 0};
    const double r = 0.13;
    const double rest = 2 * k.repulsion / (k.repulsion / (2 * r) + k.attraction / r);
    Canvas pairs;
    const double part[] = {1.35, 1, 0.6};
    for (int row = 0; row < 3; ++row) {
        const double d = part[row] * rest, y = 0.83 - 0.33 * row;
        const double force = pair_force(d, r, r, 1, k).force;
        std::printf("9: pair at %.2f of its rest: force %+.4f\n", part[row], force);
        for (const double side : {-1.0, 1.0}) {
            const Point<2> x{0.5 + side * d / 2, y};
            pairs.ball(x, r, kDark, false);
            pairs.arrow(x, {side * 3 * force, 0}, force < 0 ? kGreen : kRed);
        }
    }
    sheet.add(std::move(pairs), "9 attraction, rest, repulsion");

    Canvas regions;
    regions.image.fill(0, kPixels / 2, kPixels, kPixels, kLiquid);
    const double height[] = {0.16, 0.05, -0.006, -0.16};
    const Ink ink[] = {kDark, kGreen, kRed, kYellow};
    for (int i = 0; i < 4; ++i) {
        const auto region = surface_region(height[i], 0.09, 0.1);
        regions.ball({0.14 + 0.24 * i, 0.5 + height[i]}, 0.09, ink[int(region)], true);
        regions.ball({0.14 + 0.24 * i, 0.5 + height[i]}, 0.09, kDark, false);
        std::printf("10: a bubble of 0.09 at %+.3f is in region %d\n", height[i], int(region));
    }
    sheet.add(std::move(regions), "10 above, two that touch, below");
}

// 22 to 24: a pocket before, and once it was turned into liquid: nothing of it is left.
void pockets(Sheet& sheet) {
    Scene s = pls_box(2, 1.0 / 40, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.75, 1}),
                 pls_ball({0.5, 0.38, 0}, 0.2, LiquidMode::kHollow)};
    const double air = 3.14159265358979 * 0.04;
    using particle_level_set::Pockets;
    for (const Pockets mode : {Pockets::kVoid, Pockets::kRemoved, Pockets::kBubbles}) {
        particle_level_set::Params p = with_bubbles();
        p.live_bubbles = mode == Pockets::kBubbles;
        p.trapped_air = mode;
        PlsRun<2> run(s, p);
        run.until(1.0 / 60);
        Canvas canvas;
        draw(canvas, run);
        std::printf("22: of the pocket %.2e is left as air\n", (0.75 - run.state.volume) / air);
        sheet.add(std::move(canvas), mode == Pockets::kVoid      ? "23 before"
                                     : mode == Pockets::kRemoved ? "22, 24 removed: no sliver"
                                                                 : "25 bubbles of its volume");
    }
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    using namespace spume;
    Context context(0);
    Sheet sheet;
    columns(sheet, context);
    markers(sheet, context);
    diagonals(sheet, context);
    resolutions(sheet);
    forces_and_regions(sheet);
    pockets(sheet);
    return sheet.write(argc > 1 ? argv[1] : "g04_figures.png") ? 0 : 4;
}
