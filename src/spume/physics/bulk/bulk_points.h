// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/frame/bulk_source.h"
#include "spume/scene/scene.h"

namespace spume {

/// Points that frames of a cached liquid hold under a name: what happened in each frame's time.
class BulkPoints {
  public:
    /// No source: there are none.
    BulkPoints(const Scene& scene, std::shared_ptr<const BulkSource> source, std::string name);

    struct Part {
        int frame = 0;
        Interval time;     ///< of that frame, s of the scene: what its points tell is of this time
        double later = 0;  ///< s; to be added to times of the cache
        std::shared_ptr<const PointSet> points;
    };
    /// Those of frames that have a part in the time after `begin` up to `end`. Frames that are
    /// missing, or have no such points, are left out. UserError for damaged ones.
    std::vector<Part> during(const Interval& time);

  private:
    std::shared_ptr<const BulkSource> source_;
    std::string name_;
    int start_ = 1;
    std::optional<Part> last_;  ///< read last; decides nothing
};

}  // namespace spume
