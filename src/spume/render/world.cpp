// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/world.h"

#include <algorithm>

namespace spume {

using Vec3 = Vec<double, 3>;

std::optional<Box<double, 3>> clear_bounds(const World& w) {
    const auto clear = [&](int m) { return w.materials[std::size_t(m)].finish == Finish::kClear; };
    Box<double, 3> box{Vec3::filled(1e300), Vec3::filled(-1e300)};
    for (const Balls& b : w.balls)
        if (clear(b.material))
            for (const auto* side : {&b.begin, &b.end})
                for (const Vec<float, 4>& x : *side) {
                    const Vec3 c{x[0], x[1], x[2]};
                    box = box.including(c - Vec3::filled(x[3])).including(c + Vec3::filled(x[3]));
                }
    for (const Ellipsoids& e : w.ellipsoids)
        for (std::size_t i = 0; clear(e.material) && i < e.begin.size(); ++i)
            for (const auto* side : {&e.begin, &e.end}) {
                if (side->empty()) continue;
                const Vec3 c = (*side)[i].as<double>(),
                           r = Vec3::filled(double(std::max(e.along[i], e.across[i])));
                box = box.including(c - r).including(c + r);
            }
    for (const Surface& s : w.surfaces)
        if (clear(s.material))
            for (const auto& corner : s.triangles)
                for (int k = 0; k < 3; ++k) {
                    box = box.including(s.begin[corner[k]].as<double>());
                    if (!s.end.empty()) box = box.including(s.end[corner[k]].as<double>());
                }
    for (const Copies& c : w.copies) {
        double reach = 0;
        for (const Surface& s : c.parts)
            for (const Vec<float, 3>& x : s.begin) reach = std::max(reach, length(x.as<double>()));
        for (const Copies::Place& p : c.places) {
            const Vec3 x = p.position.as<double>(), r = Vec3::filled(reach * double(p.scale));
            box = box.including(x - r).including(x + r);
        }
    }
    if (!(box.lo[0] <= box.hi[0])) return std::nullopt;
    return box;
}

}  // namespace spume
