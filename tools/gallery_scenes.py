# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""What the gallery shows: scenes in groups, how far and at which setting they are simulated, how they are seen."""

# By what one would search for; every bundled scene is in one group.
GROUPS = [
    ("Waves, splashes, falls", [
        "g04_fig1_column", "g04_fig27_side", "dam_break", "dam_break_obstacle", "river_falls", "rocky_beach",
        "swinging_hose"]),
    ("The sea", ["wfs22_fig13", "ocean_whitecaps", "whitewater_standing_wave", "submarine_breach"]),
    ("Foam", ["passive_bath", "passive_standing_wave", "passive_tap_glass", "wfs22_fig11", "wfs22_fig14",
              "g04_fig26_column_bubbles"]),
    ("Bodies in water", [
        "ssk05_fig1_football", "floating_bodies", "swimming_fish", "ssk05_fig6_cup", "ssk05_fig5_rotating_box",
        "two_propellers",
        "stirring_ring", "wfs22_fig5_coupling"]),
    ("Filling, pouring, emptying", [
        "tap_glass", "gb17_fig1_water_cooler", "gb17_fig4_wall_with_holes", "gb17_fig5_moving_boundary"]),
    ("Large bubbles and trapped air", [
        "wsb25_fig8_exhale", "gb17_fig2_rising_inviscid", "gb17_fig2_rising_viscous", "gb17_fig6_surface_tension",
        "wsb25_fig1_barrel", "wsb25_fig3_barrel_timelapse", "wsb25_fig15_barrel_comparison",
        "wsb25_fig7_bubble_sizes", "wsb25_fig9_surface_tension_sweep", "wsb25_fig10_ablation",
        "wsb25_fig14_particle_size", "wsb25_fig4_cube_oscillation", "g04_fig23_pocket", "g04_fig25_pocket_bubbles"]),
    ("Plumes and clouds of bubbles", [
        "bubble_column", "wsb25_fig13a_bubble_column", "wsb25_fig13b", "wsb25_fig13c_heavy_bubbles", "wsb25_fig13d",
        "wfs22_fig6_dense", "wfs22_fig9", "whitewater_dam_break", "wfs22_fig7", "wsb25_fig6"]),
    ("Sand and smoke", ["wsb25_fig2_bubble_sand", "smoke_bubble"]),
    ("In the plane", [
        "dam_break_2d", "bottle_glug", "bubble_column_2d", "oil_and_water", "g04_fig8_splash_2d", "wfs22_fig8",
        "ssk05_drops_and_bubbles_2d", "ssk05_floating_2d", "ssk05_solids_2d", "ssk05_air_2d", "ssk05_buoyancy_2d",
        "ssk05_gravity_2d", "ssk05_ink_2d", "ssk05_linear_2d"]),
]

# Scenes that read the cache of another one.
NEEDS = {
    "whitewater_dam_break": "dam_break",
    "passive_tap_glass": "tap_glass",
    "g04_fig25_pocket_bubbles": "g04_fig23_pocket",
    "g04_fig26_column_bubbles": "g04_fig1_column",
}

# Flags of `spume run` where it is not the preset `low`: here what takes less than half a minute anyway.
RUNS = {name: [] for name in (
    "bottle_glug", "bubble_column_2d", "dam_break_2d", "floating_bodies", "gb17_fig2_rising_viscous",
    "gb17_fig5_moving_boundary", "oil_and_water", "ssk05_fig1_football", "wfs22_fig14", "wfs22_fig6_dense",
    "wfs22_fig7", "wfs22_fig8", "wfs22_fig9", "wsb25_fig13a_bubble_column", "wsb25_fig13b", "wsb25_fig2_bubble_sand",
    "wsb25_fig6", "wsb25_fig7_bubble_sizes", "wsb25_fig8_exhale", "wsb25_fig9_surface_tension_sweep")}

# A bubble a hand's breadth wide fills the picture.
CLOSE = ["--camera", "0.04,0.21,0.17", "--target", "0,0.24,0", "--fov", "30", "--follow", "--shutter", "0"]

# The body on its way and the strays beside it.
STRAYS = ["--camera", "0.004,0.07,0.36", "--target", "0.004,0.07,0", "--fov", "26", "--shutter", "0"]

# Into the tank from above its water.
SPLASH = ["--camera", "0.45,1.0,1.75", "--target", "-0.02,0.47,0", "--fov", "34"]

COLUMN = ["--camera", "0.5,0.3,2.4", "--target", "0,0.62,0", "--fov", "30"]

PLANE = ["--mode", "preview", "--size", "960x720"]

# Flags of `spume render`: which frame (none: the last), which view. None: the last frame, the scene's camera,
# 960x540; 8 paths a pixel and --denoise where it is path traced.
VIEWS = {
    "bottle_glug": ["--mode", "preview", "-f", "120", "--size", "960x1440"],
    "bubble_column_2d": ["--mode", "preview", "-f", "80", "--size", "960x1280"],
    "dam_break": ["-f", "14"],
    "dam_break_2d": ["--mode", "preview", "-f", "70", "--size", "960x540"],
    "dam_break_obstacle": ["-f", "14"],
    "floating_bodies": ["-f", "30"],
    "g04_fig1_column": ["-f", "10", "--samples", "24"],
    "g04_fig8_splash_2d": [*PLANE, "-f", "40"],
    "oil_and_water": ["--mode", "preview", "-f", "30", "--size", "960x510"],
    "g04_fig23_pocket": ["-f", "4"],
    "g04_fig25_pocket_bubbles": ["-f", "4"],
    "g04_fig26_column_bubbles": ["-f", "18", "--samples", "16"],
    "submarine_breach": ["-f", "24"],
    "swimming_fish": ["-f", "20"],
    "swinging_hose": ["-f", "40"],
    "tap_glass": ["-f", "66", "--size", "960x960"],
    "passive_tap_glass": ["-f", "66", "--size", "960x960"],
    "smoke_bubble": ["-f", "11", "--camera", "0.35,0.5,1.7", "--target", "0,0.42,0", "--fov", "26"],
    "gb17_fig1_water_cooler": ["-f", "80"],
    "gb17_fig2_rising_inviscid": ["-f", "20"],
    "gb17_fig2_rising_viscous": ["-f", "24"],
    "gb17_fig4_wall_with_holes": ["-f", "24"],
    "gb17_fig5_moving_boundary": ["-f", "24"],
    "gb17_fig6_surface_tension": ["-f", "24"],
    "ssk05_fig1_football": ["-f", "4", *SPLASH],
    "ssk05_fig5_rotating_box": ["-f", "14"],
    "ssk05_fig6_cup": ["-f", "18", *SPLASH],
    "ssk05_air_2d": [*PLANE, "-f", "58"],
    "ssk05_buoyancy_2d": [*PLANE, "-f", "30"],
    "ssk05_drops_and_bubbles_2d": [*PLANE, "-f", "30"],
    "ssk05_floating_2d": [*PLANE, "-f", "20"],
    "ssk05_gravity_2d": [*PLANE, "-f", "25"],
    "ssk05_ink_2d": [*PLANE, "-f", "24"],
    "ssk05_linear_2d": [*PLANE, "-f", "30"],
    "ssk05_solids_2d": [*PLANE, "-f", "20"],
    # One bubble that moves many times its size in a frame.
    "wfs22_fig7": ["--shutter", "0"],
    "ocean_whitecaps": ["--photons", "0"],
    # The preset has the middle of the sea only.
    "wfs22_fig13": ["--photons", "0", "--camera", "20,4,34", "--target", "20,-0.6,22", "--fov", "44"],
    "wfs22_fig6_dense": ["-f", "6"],
    "wfs22_fig8": ["--mode", "preview", "-f", "14", "--size", "960x480"],
    "wfs22_fig9": ["--mode", "preview", "-f", "36", "--size", "960x720", "--no-surface"],
    "wsb25_fig6": ["--shutter", "0"],
    "wsb25_fig1_barrel": ["-f", "72"],
    "wsb25_fig2_bubble_sand": ["-f", "60"],
    "wsb25_fig7_bubble_sizes": ["-f", "18", *CLOSE],
    "wsb25_fig8_exhale": ["-f", "24", "--size", "960x720"],
    "wsb25_fig9_surface_tension_sweep": ["-f", "10", *CLOSE],
    "wsb25_fig10_ablation": ["-f", "11", *STRAYS],
    "wsb25_fig14_particle_size": ["-f", "8", *CLOSE],
    "wsb25_fig15_barrel_comparison": ["-f", "108"],
    "wsb25_fig3_barrel_timelapse": ["-f", "84"],
    "wsb25_fig13a_bubble_column": ["-f", "56", *COLUMN],
    "wsb25_fig13b": ["-f", "56", *COLUMN],
}


def pair(frame, size, columns="2"):
    return (["--preset", "low", "-e", str(frame)],
            ["--sheet", str(frame), "--size", size, "--samples", "64", "--columns", columns])


# Studies of several runs that are shown side by side: flags of `spume sweep`, then of `spume render`.
STUDIES = {
    "wfs22_fig9": (["-e", "36"], ["--mode", "preview", "--no-surface", "--sheet", "24,36", "--size", "360x270", "--columns", "2"]),
    "wsb25_fig7_bubble_sizes": (["--preset", "low", "-e", "18"],
                                ["--sheet", "18", "--size", "300x300", *CLOSE, "--columns", "3"]),
    "wsb25_fig9_surface_tension_sweep": (["--preset", "low", "-e", "12"],
                                         ["--sheet", "12", "--size", "300x300", *CLOSE, "--columns", "3"]),
    "wsb25_fig10_ablation": (["--preset", "low", "-e", "20"],
                             ["--sheet", "12", "--size", "270x360", *STRAYS, "--columns", "3"]),
    "wsb25_fig14_particle_size": (["-e", "8"], ["--sheet", "8", "--size", "300x300", *CLOSE, "--columns", "3"]),
    "wsb25_fig15_barrel_comparison": (["--preset", "low", "-e", "108"],
                                      ["--sheet", "72,108", "--size", "320x320", "--samples", "64", "--columns", "2"]),
    # Trapped air that keeps its volume, and the same with a free surface only.
    "gb17_fig1_water_cooler": (["--preset", "low", "-e", "120"],
                               ["--sheet", "24,120", "--size", "240x420", "--samples", "64", "--columns", "4"]),
    "gb17_fig2_rising_inviscid": pair(14, "240x400", "4"),
    "gb17_fig2_rising_viscous": (["-e", "24"],
                                 ["--sheet", "12,24", "--size", "240x400", "--samples", "64", "--columns", "4"]),
    "gb17_fig4_wall_with_holes": pair(120, "360x320"),
    "gb17_fig5_moving_boundary": pair(40, "360x320"),
    "gb17_fig6_surface_tension": pair(24, "300x300"),
    "ssk05_linear_2d": (["-e", "45"], ["--mode", "preview", "--sheet", "15,45", "--size", "480x360", "--columns", "2"]),
    "g04_fig23_pocket": (["--preset", "low"], ["--sheet", "1,4,10", "--size", "320x320", "--samples", "16", "--denoise",
                                                "--columns", "3"]),
    "wfs22_fig11": (["--preset", "low"], ["--sheet", "12,24", "--size", "320x240", "--samples", "16", "--columns", "4"]),
}

# One of each paper at least: flags of `spume render`, frames a second of the film.
FILMS = {
    "wsb25_fig8_exhale": (["-s", "2", "-e", "24", "--size", "480x360", "--samples", "12", "--denoise"], 12),
    "gb17_fig5_moving_boundary": (["-s", "2", "-e", "24", "--size", "480x270", "--samples", "12", "--denoise"], 12),
    "ssk05_fig1_football": (["-s", "1", "-e", "16", *SPLASH, "--size", "400x300", "--samples", "4", "--denoise"], 10),
    "ssk05_drops_and_bubbles_2d": (["-s", "1", "-e", "45", "--mode", "preview", "--size", "480x360"], 24),
    "g04_fig8_splash_2d": (["-s", "1", "-e", "40", "--mode", "preview", "--size", "480x360"], 24),
    "wfs22_fig9": (["-s", "1", "-e", "36", "--mode", "preview", "--size", "480x360", "--no-surface"], 24),
    "wfs22_fig13": (["-s", "1", "-e", "18", "--size", "480x270", "--samples", "4", "--denoise",
                     *VIEWS["wfs22_fig13"]], 12),
    "g04_fig26_column_bubbles": (["-s", "1", "-e", "30", "--size", "480x270", "--samples", "12", "--denoise"], 12),
}
