// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/guides.h"

#include <algorithm>
#include <cmath>

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

class Drawer {
  public:
    explicit Drawer(const Projection& projection) : projection_(projection) {}

    void add(Vec3 a, Vec3 b, float opacity) {
        // Ends behind the eye are moved to just before it.
        constexpr double kNear = 1e-3;
        const double za = projection_.project(a).depth, zb = projection_.project(b).depth;
        if (za <= kNear && zb <= kNear) return;
        if (za <= kNear) a = b + (a - b) * ((zb - kNear) / (zb - za));
        if (zb <= kNear) b = a + (b - a) * ((za - kNear) / (za - zb));
        const auto p = projection_.project(a), q = projection_.project(b);
        lines.push_back({{p.x, p.y}, {q.x, q.y}, 1 / p.depth, 1 / q.depth, opacity});
    }
    std::vector<GuideLine> lines;

  private:
    const Projection& projection_;
};

/// True when the face of the box at its lower or upper end along `axis` turns its back on the eye.
bool turned_away(const Box<double, 3>& box, int axis, bool upper, const Vec3& eye) {
    return upper ? eye[axis] < box.hi[axis] : eye[axis] > box.lo[axis];
}

}  // namespace

double guide_spacing(const Box<double, 3>& domain) {
    const Vec3 size = domain.size();
    const double longest = std::max({size[0], size[1], size[2]});
    double unit = 1;
    while (unit > longest / 10) unit /= 10;
    while (unit * 10 <= longest / 10) unit *= 10;
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (unit * factor * 10 >= longest) return unit * factor;
    return unit * 10;
}

std::vector<GuideLine> guide_lines(const Box<double, 3>& domain, int dimensions,
                                   const Projection& projection, const Vec3& eye) {
    Drawer draw(projection);
    const double spacing = guide_spacing(domain);
    const Vec3 &lo = domain.lo, &hi = domain.hi;
    if (dimensions == 2) {
        draw.add({lo[0], lo[1], 0}, {hi[0], lo[1], 0}, 0.35f);
        draw.add({lo[0], hi[1], 0}, {hi[0], hi[1], 0}, 0.35f);
        draw.add({lo[0], lo[1], 0}, {lo[0], hi[1], 0}, 0.35f);
        draw.add({hi[0], lo[1], 0}, {hi[0], hi[1], 0}, 0.35f);
        for (double x = std::ceil(lo[0] / spacing) * spacing; x <= hi[0]; x += spacing)
            draw.add({x, lo[1], 0}, {x, lo[1] + 0.02 * (hi[1] - lo[1]), 0}, 0.5f);
        return draw.lines;
    }
    for (int axis = 0; axis < 3; ++axis)
        for (int corner = 0; corner < 4; ++corner) {
            const int i = (axis + 1) % 3, j = (axis + 2) % 3;
            const bool upper_i = (corner & 1) != 0, upper_j = (corner & 2) != 0;
            if (!turned_away(domain, i, upper_i, eye) && !turned_away(domain, j, upper_j, eye))
                continue;
            if (!turned_away(domain, i, upper_i, eye) || !turned_away(domain, j, upper_j, eye)) {
                // On the outline: keep the floor's, drop what would frame the view.
                const bool on_floor = (i == 1 && !upper_i) || (j == 1 && !upper_j);
                if (!on_floor) continue;
            }
            Vec3 a = lo, b = lo;
            a[i] = b[i] = upper_i ? hi[i] : lo[i];
            a[j] = b[j] = upper_j ? hi[j] : lo[j];
            b[axis] = hi[axis];
            draw.add(a, b, 0.22f);
        }
    if (turned_away(domain, 1, false, eye)) {
        for (double x = std::ceil(lo[0] / spacing) * spacing; x <= hi[0]; x += spacing)
            draw.add({x, lo[1], lo[2]}, {x, lo[1], hi[2]}, 0.13f);
        for (double z = std::ceil(lo[2] / spacing) * spacing; z <= hi[2]; z += spacing)
            draw.add({lo[0], lo[1], z}, {hi[0], lo[1], z}, 0.13f);
    }
    return draw.lines;
}

}  // namespace spume
