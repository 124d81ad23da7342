// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/vec.h"
#include "spume/scene/ocean.h"

namespace spume {

class ParamVisitor;

enum class BulkKind { kStill, kAnalytic, kOcean, kCache, kVdb, kMesh };
enum class BulkFlow { kStream, kRotation, kStandingWave, kGerstnerWave, kFreeFall };
/// Whether a side of the box that a cached liquid was simulated in is shut.
enum class BulkSide { kAsMade, kOpen, kWall };
/// Which axis of a foreign cache points up, and where it has its velocities.
enum class UpAxis { kAutomatic, kY, kZ };
enum class VelocityPlaces { kAutomatic, kFaces, kCentres };
/// What to do about a frame of the cache that is not there.
enum class MissingFrame { kError, kWait, kHold, kInterpolate };

/// How to read volumes that another program wrote. Empty names are recognised.
struct ForeignVolumes {
    std::string surface, velocity;  ///< names of grids
    UpAxis up = UpAxis::kAutomatic;
    VelocityPlaces places = VelocityPlaces::kAutomatic;
    double unit = 1;                 ///< m a unit of length of the file
    double velocity_scale = 1;       ///< further factor on velocities
    Vec<double, 3> offset{0, 0, 0};  ///< m, after all else
    double fps = 0;                  ///< frames a second; 0: as the cache says, or the scene
    double time_scale = 1;           ///< how much faster than it was simulated it is seen
};

/// A liquid that is known before the simulation begins, which bubbles are added to and which stays
/// as it is: `[bulk]`.
struct BulkLiquid {
    bool present = false;  ///< the scene has the section
    BulkKind kind = BulkKind::kStill;
    bool foreign_files() const { return kind == BulkKind::kVdb || kind == BulkKind::kMesh; }
    bool cached() const { return kind == BulkKind::kCache || foreign_files(); }
    /// Is nothing known of the liquid below its surface?
    bool only_surface() const { return kind == BulkKind::kMesh; }
    // Of a cache.
    std::string path;  ///< its directory
    int start = -1;    ///< frame of the cache that begins when the scene does; < 0: time.start
    MissingFrame missing = MissingFrame::kError;
    double wait = 60;  ///< s
    BulkSide sides = BulkSide::kAsMade, bottom = BulkSide::kAsMade, top = BulkSide::kAsMade;
    ForeignVolumes foreign;
    // In closed form.
    BulkFlow flow = BulkFlow::kStream;
    double voxel = 0;                      ///< m; 0: that of the domain
    double level = 0;                      ///< height of the surface at rest, m
    Vec<double, 3> velocity{0, 0, 0};      ///< still, stream, free fall: at the start, m/s
    Vec<double, 3> acceleration{0, 0, 0};  ///< stream
    Vec<double, 3> center{0, 0, 0};        ///< rotation, free fall: of a ball of liquid
    double radius = 1;
    Vec<double, 3> pivot{0, 0, 0};  ///< rotation: on the axis, which is parallel to z
    double spin = 0;                ///< rotation: rad/s about z
    double amplitude = 0;           ///< waves: from rest to crest, m
    double wavelength = 1;
    double depth = 0;  ///< standing wave, ocean: of the water; 0: deep
    Ocean ocean;
};

void describe(BulkLiquid& bulk, ParamVisitor& visitor);

}  // namespace spume
