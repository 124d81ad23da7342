// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/geometry/mesh_library.h"
#include "spume/geometry/moving_body.h"
#include "spume/render/camera.h"
#include "spume/render/denoise.h"
#include "spume/render/environment_image.h"
#include "spume/render/float_image.h"
#include "spume/render/path_tracer.h"
#include "spume/scene/scene.h"

namespace spume {

enum class FloorLook { kAutomatic, kNone, kSand, kChecker };

/// A picture as the sky, and the sun that was in it.
struct SkyImage {
    std::shared_ptr<const EnvironmentImage> image;
    Sun sun;
    double strength = 1;
};

struct BeautyOptions {
    int width = 1280, height = 720;
    int samples = 64;  ///< paths a pixel
    std::uint64_t seed = 1;
    std::optional<PreviewCamera> camera;  ///< automatic: frames what is there
    double field_of_view = 40;            ///< degrees, of the automatic camera
    Box<double, 3> domain{{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    FloorLook floor = FloorLook::kAutomatic;
    bool walled_bottom = false;  ///< the domain ends at a floor
    bool tank = false;           ///< water with a surface stands in a glass tank, the domain
    bool lid = false;            ///< the tank is closed at the top
    bool sea = false;            ///< the water goes on beyond the domain, to the horizon
    std::optional<Box<double, 3>> sea_box;  ///< what the frame's surface spans; automatic: domain
    bool bare = false;                      ///< no water at all: bubbles are blue balls in air
    double voxel = 0;                       ///< of the liquid's surface, m
    double tank_overlap = 0;       ///< m the glass reaches into the water, so that no gap shows
    double visibility = 0;         ///< m after which a third of the light is left; 0: automatic
    double exposure = 1;           ///< factor on all light
    double smoke = 0;              ///< 1/m by which full smoke weakens light; 0: automatic
    double blur = 0;               ///< s the shutter is open
    double default_radius = 1e-3;  ///< of points without the column pscale, m
    FilmLaw films = FilmLaw::kInterference;
    FoamRule foam = FoamRule::kExact;
    bool first_hit_stays = true;  ///< FoamRule::kThesis
    FilmDraining draining;        ///< by the column age
    bool domes = true;            ///< bubbles at the surface have the shape they float in
    double capillary = 2.7e-3;    ///< √(σ/ρg) of the water, m, which decides that shape
    double foam_detail = 0.7;     ///< pixels of a radius below which foam is a veil; 0: none
    /// Light sent through water, glass and bubbles on to matte things; 0: none, shadow rays go
    /// straight through; automatic: a quarter of the paths, at most a million.
    std::optional<std::size_t> photons;
    /// Where points say that they lie on the surface (column N, foam of whitewater) they stand for
    /// the large bubbles of a raft: how thick it is and how wide its small ones are, m; 0: none.
    double raft = 4e-3, raft_bubbles = 0.5e-3;
    struct SunAt {
        double azimuth = 0, elevation = 45;  ///< degrees; from +z towards +x, and up
        double strength = 1;                 ///< times that of the automatic sun
    };
    std::optional<SunAt> sun;      ///< automatic: set for the viewer
    std::vector<AreaLight> lamps;  ///< besides the sun
    std::optional<SkyImage> sky;   ///< instead of the sky, where there is a water surface
    bool denoise = false;
    PathLimits limits;
    struct Body {
        PlacedBody<3> begin;
        Pose end;  ///< when the shutter closes
        SolidLook look = SolidLook::kAutomatic;
        Vec<double, 3> colour{0.85, 0.46, 0.24};
    };
    std::vector<Body> solids;
    /// Told the finished share of the picture now and then, from any thread, one at a time.
    std::function<void(double)> progress;
};

/// Domain, camera and solids as the scene says for the time of the frame, dynamic solids where the
/// frame has them; the shutter is open for that part of a frame, half of it before the time.
BeautyOptions beauty_options(const Scene& scene, const MeshLibrary& meshes, const Frame& frame,
                             double shutter = 0.5, int width = 1280, int height = 720);

/// The camera a picture will be taken with.
PreviewCamera beauty_camera(const Frame& frame, const BeautyOptions& options);

/// True where the frame has no water surface: the camera is in the water.
bool beauty_under_water(const Frame& frame, const BeautyOptions& options);

/// What a picture of the frame will show otherwise than one might think: columns that are missing,
/// a camera that stands in something. One sentence each.
std::vector<std::string> beauty_advice(const Frame& frame, const BeautyOptions& options);

/// The frame as things to be seen. Without a water surface among its meshes all space is water.
/// Everything stands relative to `center`.
World beauty_world(const Frame& frame, const BeautyOptions& options, const PreviewCamera& camera,
                   const Vec<double, 3>& center);

struct Traced {
    FloatImage image;
    double noise = 0;  ///< standard error of a pixel's luminance, root mean square over the picture
    long rays = 0;
    PictureFeatures features;  ///< TraceOptions::features
    bool stopped = false;      ///< the stop token was set before it was complete
};

struct TraceOptions {
    int width = 64, height = 64, samples = 16;
    std::uint64_t seed = 1;
    PathLimits limits;
    const PhotonMap* photons = nullptr;  ///< for LightPaths::kPhotons
    bool features = false;               ///< for denoised()
    std::function<void(double)> progress;
};

/// The same bits for any number of threads.
Traced trace_picture(const RayScene& scene, const PreviewCamera& camera,
                     const TraceOptions& options, Context& context);

Traced render_beauty(const Frame& frame, const BeautyOptions& options, Context& context);

}  // namespace spume
