// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <CLI/CLI.hpp>

#include "apps/spume/command_line.h"
#include "apps/spume/commands.h"

namespace spume {

namespace {

void add_render_lights(CLI::App& render, RenderFlags& flags) {
    auto* image = render.add_option("--environment", flags.environment,
                                    "an EXR picture of all directions as the sky");
    render.add_option("--environment-turn", flags.environment_turn, "degrees it is turned by")
        ->needs(image)
        ->check(between(-360.0, 360.0));
    render
        .add_option("--environment-strength", flags.environment_strength,
                    "factor on its light (default: so that its mean suits the exposure)")
        ->needs(image)
        ->check(between(1e-9, 1e9));
    render
        .add_option(
            "--sun", flags.sun,
            "AZIMUTH,ELEVATION,STRENGTH: degrees from +z towards +x, degrees up, 1 as usual")
        ->expected(3)
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(between(-360.0, 1e6));
    render
        .add_option(
            "--lamp", flags.lamps,
            "X,Y,Z,WIDTH,LIGHT: a square lamp that faces the scene; as often as there are lamps")
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(between(-1e6, 1e6));
    render
        .add_option("--foam-detail", flags.foam_detail,
                    "pixels of a radius below which foam on water is drawn as a veil (default 0.7)")
        ->check(between(0.0, 1e6));
    render
        .add_option("--raft", flags.raft, "mm of small bubbles under whitewater's foam (default 4)")
        ->check(between(0.0, 1e4));
    render.add_option("--raft-bubbles", flags.raft_bubbles, "mm these are wide (default 0.5)")
        ->check(between(1e-3, 1e3));
    render.add_flag("--spheres", flags.spheres,
                    "bubbles at the surface stay balls instead of the shape they float in");
}

}  // namespace

void add_render_look(CLI::App& render, RenderFlags& flags) {
    auto three = [&](const char* name, std::vector<double>& to, const char* help) {
        return render.add_option(name, to, help)
            ->expected(3)
            ->delimiter(',')
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->check(between(-1e6, 1e6));
    };
    auto* camera = three("--camera", flags.camera, "x,y,z in metres (default: as the scene says)");
    three("--target", flags.target, "x,y,z the camera looks at")->needs(camera);
    camera->needs("--target");
    render.add_option("--fov", flags.field_of_view, "vertical opening angle in degrees")
        ->check(between(1.0, 170.0));
    render.add_flag("--follow", flags.follow,
                    "the camera keeps its distance and looks at the middle of the bubbles");
    render.add_option("--floor", flags.floor, "auto, none, sand or checker")
        ->transform(one_of<FloorLook>({{"auto", FloorLook::kAutomatic},
                                       {"none", FloorLook::kNone},
                                       {"sand", FloorLook::kSand},
                                       {"checker", FloorLook::kChecker}}));
    render.add_flag("--no-tank", flags.no_tank, "leave out the glass walls around liquid");
    render.add_flag("--no-surface", flags.no_surface,
                    "leave out the liquid and show its bubbles as blue balls");
    render.add_option("--visibility", flags.visibility, "metres one can see in the water")
        ->check(between(1e-6, 1e9));
    render.add_option("--exposure", flags.exposure, "factor on all light (default 1)")
        ->check(between(1e-6, 1e6));
    render.add_option("--smoke", flags.smoke, "1/m by which full smoke weakens light")
        ->check(between(1e-6, 1e6));
    render.add_option("--shutter", flags.shutter, "motion blur in frames (default 0.5)")
        ->check(between(0.0, 1.0));
    render
        .add_option("--films", flags.films,
                    "what films of water reflect: interference (default), mean or thesis")
        ->transform(one_of<FilmLaw>({{"interference", FilmLaw::kInterference},
                                     {"mean", FilmLaw::kMean},
                                     {"thesis", FilmLaw::kThesis}}));
    render
        .add_option("--foam", flags.foam,
                    "where bubbles overlap: exact (default), thesis, thesis_new_hit or ambient")
        ->transform(one_of<FoamLook>({{"exact", FoamLook::kExact},
                                      {"thesis", FoamLook::kThesis},
                                      {"thesis_new_hit", FoamLook::kThesisNewHit},
                                      {"ambient", FoamLook::kAmbient}}));
    render
        .add_option("--film-thickness", flags.film_thickness, "nm of a film at birth (default 900)")
        ->check(between(0.0, 1e5));
    render
        .add_option("--film-time", flags.film_time, "s in which it drains to a third (default 8)")
        ->check(between(1e-3, 1e9));
    render
        .add_option("--photons", flags.photons,
                    "sent through water and glass for caustics; 0: none (default: by the paths)")
        ->check(between(0, 1e8));
    add_render_lights(render, flags);
    render.add_flag("--denoise", flags.denoise, "smooth the noise where light looks alike");
    render.add_option("--color", flags.colours, "preview: water, speed, type, age or radius")
        ->transform(one_of<PreviewColours>({{"water", PreviewColours::kWater},
                                            {"speed", PreviewColours::kSpeed},
                                            {"type", PreviewColours::kType},
                                            {"age", PreviewColours::kAge},
                                            {"radius", PreviewColours::kRadius}}));
    render.add_option("--range", flags.range, "preview, slice: LOW,HIGH ends of the colour scale")
        ->expected(2)
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(between(-1e300, 1e300));
    render.add_option("--grid", flags.grid, "slice, tiles: which volume (default: the first)");
    render.add_option("--axis", flags.axis, "slice: x, y or z, square to the plane (default z)")
        ->transform(one_of<int>({{"x", 0}, {"y", 1}, {"z", 2}}));
    render.add_option("--at", flags.at, "slice: metres along that axis (default: the middle)")
        ->check(between(-1e6, 1e6));
}

}  // namespace spume
