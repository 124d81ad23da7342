# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
#
# Sourced by ./dev test. Counts every test of every kind; the last line is the sum.

passed=0 failed=0 skipped=0

skip() { # skip WHAT REASON
    say "skipped: $1: $2"
    ((++skipped))
}

check() { # check NAME COMMAND…: one test; status 77 means skipped, its last line the reason
    local name=$1 log=build/test_logs/$1.txt begin=$SECONDS status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    case $status in
        0) say "passed: $name ($((SECONDS - begin)) s)"; ((++passed)) ;;
        77) skip "$name" "$(tail -n 1 "$log")" ;;
        *)
            tail -n 60 "$log"
            say "FAILED: $name (status $status, log in $log)"
            ((++failed))
            ;;
    esac
}

run_ctest() { # run_ctest LOG FLAGS…: the tests of build/ that the flags choose
    local counts log=build/test_logs/$1.txt
    shift
    say "one line a test in $log"
    rm -f build/ctest.xml
    ctest --test-dir build -j "$jobs" --output-junit ctest.xml --output-on-failure --no-tests=error "$@" \
        >"$log" 2>&1 </dev/null || true
    counts=$(tools/ctest_report build/ctest.xml "$log")
    say "${counts%$'\n'*}"
    read -r -a counts <<<"${counts##*$'\n'}"
    ((passed += counts[0], failed += counts[1], skipped += counts[2])) || true
}

# The simulator proper as for the browser: one object differs, the others must not know of the libraries.
bare_build() {
    local object=CMakeFiles/spume_sim.dir/src/spume/core/parallel.cpp.o
    configure build-bare -DSPUME_TBB=OFF -DSPUME_APP=OFF -DSPUME_TESTS=OFF -DSPUME_BENCH=OFF -DSPUME_PCH=OFF &&
        ninja -C build-bare $object && ! nm -C build-bare/$object | grep 'tbb::' &&
        ! nm -A -C build/libspume_sim.a | grep -v ':parallel\.cpp\.o:' | grep 'tbb::\|openvdb::'
}

# A program that knows nothing but the installed library steps a scene as `spume run` does.
installed_library() {
    local logs=$PWD/build/test_logs scene=scenes/bubble_column_2d.toml
    rm -rf "$logs"/library "$logs"/example "$logs"/example_cache
    cmake --install build --prefix "$logs/library" --component library >/dev/null &&
        [ ! -e "$logs/library/bin" ] &&
        ! grep -rn "$PWD" "$logs/library" --include='*.cmake' --include='*.h' &&
        cmake -S examples/step_a_scene -B "$logs/example" -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_PREFIX_PATH="$logs/library" -DCMAKE_CXX_FLAGS="-Wall -Wextra" &&
        ninja -C "$logs/example" &&
        "$logs/example/step_a_scene" "$scene" low 3 | tee "$logs/example/frames.txt" &&
        build/spume run "$scene" --preset low -e 3 -o "$logs/example_cache" --progress none &&
        python3 - "$logs/example/frames.txt" "$logs/example_cache/stats.jsonl" <<'PYTHON'
import json, sys
printed = [line.split() for line in open(sys.argv[1])]
stats = [json.loads(line) for line in open(sys.argv[2])]
assert len(printed) == len(stats) == 3, (printed, stats)
for (frame, time, substeps, bubbles, air), s in zip(printed, stats):
    assert (int(frame), int(substeps), int(bubbles)) == (s["frame"], s["substeps"], s["bubbles"]), s
    assert float(air) == s["air"]["bubbles"] > 0, (air, s["air"])
PYTHON
}

run_scripts() {
    check layers tools/check_layers
    check layers_self_test tools/check_layers --self-test
    check methods tools/check_methods
    check methods_self_test tools/check_methods --self-test
    check playground_quotes_the_method apps/playground/build_page.py --check
    check citations tools/check_citations
    check citations_self_test tools/check_citations --self-test
    check links tools/check_links
    check links_self_test tools/check_links --self-test
    check wrap tools/check_wrap
    check wrap_self_test tools/check_wrap --self-test
    check meshes_follow_their_script tools/make_meshes --check
    check banners tools/check_banners
    check banners_self_test tools/check_banners --self-test
    check sizes tools/check_sizes
    check sizes_self_test tools/check_sizes --self-test
    check simulator_without_tbb_and_openvdb bare_build
    if [ -x build/spume ]; then check pages_follow_the_declarations tools/make_docs --check
    else skip pages_follow_the_declarations "there is no build/spume"; fi
    if [ -x build/spume ]; then check library_outside_the_tree installed_library
    else skip library_outside_the_tree "there is no build/spume"; fi
    if command -v clang-format >/dev/null; then check format tools/check_format
    else skip format "no clang-format"; fi
}

# One clang build serves both: the unit tests under ASan + UBSan, and the fuzz targets. Methods are left out: most of
# the time would go into code that no input from outside reaches.
sanitizer_build() {
    configure build-sanitize -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Sanitize \
        -DCMAKE_CXX_FLAGS_SANITIZE=-O1 -DSPUME_FUZZ=ON -DSPUME_BENCH=OFF -DSPUME_STEPS=OFF &&
        ninja -C build-sanitize -j "$jobs" test_unit $(fuzz_targets)
}

# With everything, for the tests that read whole scenes, step methods in small, and run jobs in memory.
deep_sanitizer_build() {
    configure build-sanitize-deep -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Sanitize \
        -DCMAKE_CXX_FLAGS_SANITIZE=-O1 -DSPUME_SANITIZE=address,undefined -DSPUME_BENCH=OFF &&
        ninja -C build-sanitize-deep -j "$jobs" test_unit test_order test_surface test_faults
}

fuzz_targets() {
    local source
    for source in tests/fuzz/*.cpp; do [ -e "$source" ] && echo "fuzz_$(basename "${source%_fuzz.cpp}" .cpp)"; done
}

fuzz() { # fuzz TARGET: replays the kept corpus, then searches for a while
    local name=${1#fuzz_} work=build-sanitize/corpus/$1 extra=()
    mkdir -p "$work"
    [ -d "tests/fuzz/corpus/$name" ] && extra+=("tests/fuzz/corpus/$name")
    [ -f "tests/fuzz/$name.dict" ] && extra+=("-dict=tests/fuzz/$name.dict")
    build-sanitize/"$1" -runs="${SPUME_FUZZ_RUNS:-200000}" -max_total_time="${SPUME_FUZZ_SECONDS:-20}" -timeout=10 -seed=1 \
        -rss_limit_mb=1024 -malloc_limit_mb=512 -print_final_stats=1 \
        -artifact_prefix="$work/finding_" "$work" ${extra[@]+"${extra[@]}"}
}

sanitized() { # sanitized PROGRAM FLAGS…: in as many processes as there are jobs, each with its share of the tests
    local shard status=0 children=()
    for ((shard = 0; shard < jobs; ++shard)); do
        GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard "$@" --gtest_brief=1 &
        children+=($!)
    done
    for shard in "${children[@]}"; do wait "$shard" || status=1; done
    return $status
}

fuzz_all() { # fuzz_all TARGET…: as many at once as there are jobs; a log for each
    local target status=0 children=() failed_targets=()
    while [ $# -gt 0 ]; do
        children=()
        for target in "${@:1:$jobs}"; do
            fuzz "$target" >"build/test_logs/$target.txt" 2>&1 </dev/null &
            children+=("$!:$target")
        done
        for target in "${children[@]}"; do
            wait "${target%%:*}" || failed_targets+=("${target#*:}")
        done
        shift $((jobs < $# ? jobs : $#))
    done
    for target in ${failed_targets[@]+"${failed_targets[@]}"}; do
        tail -n 40 "build/test_logs/$target.txt"
        status=1
    done
    return $status
}

run_sanitizers() {
    local target targets=()
    if ! command -v clang++ >/dev/null; then
        skip sanitizers "no clang++"
        return
    fi
    check sanitizer_build sanitizer_build
    [ -x build-sanitize/test_unit ] && check unit_tests_under_asan_ubsan sanitized build-sanitize/test_unit
    for target in $(fuzz_targets); do [ -x "build-sanitize/$target" ] && targets+=("$target"); done
    [ ${#targets[@]} = 0 ] || check "fuzz_targets_${#targets[@]}" fuzz_all "${targets[@]}"
}

# Hours rather than minutes: long tests, all code under the sanitizers, and fuzzing for ten minutes a target.
run_deep() {
    local name
    timed "long tests" run_ctest ctest_deep --label-regex '_deep$'
    if ! command -v clang++ >/dev/null; then
        skip deep_sanitizers "no clang++"
        return
    fi
    check deep_sanitizer_build deep_sanitizer_build
    if [ -x build-sanitize-deep/test_faults ]; then
        for name in unit order surface; do
            check "${name}_tests_with_all_code_under_asan_ubsan" sanitized "build-sanitize-deep/test_$name"
        done
        # The others of that folder start the program itself, in less memory than the sanitizers take.
        check jobs_under_asan_ubsan sanitized build-sanitize-deep/test_faults '--gtest_filter=Job*'
    fi
    if [ -x build-sanitize/test_unit ]; then
        SPUME_FUZZ_SECONDS=600 SPUME_FUZZ_RUNS=-1 check deep_fuzzing fuzz_all $(fuzz_targets)
    fi
}

small_cache() { # small_cache NAME SCENE FLAGS…: a cache to look at
    local name=$1
    shift
    build/spume run "$@" -o "build/test_logs/$name" --overwrite --progress none
}

run_clients() {
    local logs=$PWD/build/test_logs
    need $client_packages
    export SPUME_SOURCE=$PWD SPUME_PROGRAM=$PWD/build/spume SPUME_CACHE=$logs/column SPUME_MODULE=
    check column_cache small_cache column scenes/bubble_column.toml --preset low -e 8 --set output.vtk=true
    if [ -d /usr/share/cmake/pybind11 ] || [ -d /usr/lib/cmake/pybind11 ]; then
        check python_module build_python
        PYTHONPATH=build/python check python_tests timeout 600 /usr/bin/python3 tests/clients/python_test.py
        SPUME_MODULE=$PWD/build/python
    else
        skip python "pybind11 is not installed"
    fi
    if command -v blender >/dev/null; then
        check blender_addon timeout 600 blender -b --factory-startup --python-exit-code 1 --python tests/clients/blender_test.py
        check mantaflow_bake timeout 600 /usr/bin/python3 tests/clients/mantaflow_test.py
    else
        skip blender_addon "blender is not installed"
    fi
    if command -v pvbatch xvfb-run xauth >/dev/null; then
        # -noreset: between two of ParaView's connections the server would begin anew and refuse the second.
        check paraview_script timeout 300 xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" pvbatch tests/clients/paraview_test.py
    else
        skip paraview_script "pvbatch and xvfb-run are not both installed"
    fi
}

# The installed program finds its page and its scenes, and needs nothing of the build folder.
installed_program() {
    local place=$PWD/build/test_logs/install
    rm -rf "$place"
    cmake --install build --prefix "$place" &&
        [ "$("$place/bin/spume" list scenes | wc -l)" = "$(ls scenes/*.toml | wc -l)" ] &&
        (cd / && "$place/bin/spume" check bubble_column) &&
        cmp "$place/share/spume/web/index.html" build/web/index.html &&
        [ -f "$place/share/spume/integrations/blender/spume_cache.py" ]
}

usd_export() { build/spume export build/test_logs/tank --to usd -o build/test_logs/tank_usd; }

run_web() {
    local logs=$PWD/build/test_logs
    need_command npm npm
    need_command chromium chromium
    if ! command -v npm >/dev/null; then
        skip viewer_in_chromium "npm is not installed"
        return
    fi
    export SPUME_PROGRAM=$PWD/build/spume SPUME_CACHE=$logs/tank SPUME_USD=$logs/tank_usd
    check web_page build_web
    check installed_program installed_program
    check tank_cache small_cache tank tests/clients/tank.toml
    check usd_export usd_export
    check usd_in_another_parser npm --prefix web run test:usd
    check liquid_cache small_cache liquid scenes/dam_break_2d.toml --preset low -e 4
    check million_cache small_cache million tests/clients/million.toml
    if command -v chromium >/dev/null; then
        export SPUME_MILLION=$logs/million
        SPUME_OTHER_CACHES=$logs/liquid SPUME_SCENE=$PWD/tests/clients/tank.toml check viewer_in_chromium timeout 600 npm --prefix web test
    else
        skip viewer_in_chromium "chromium is not installed"
    fi
    run_playground
}

# Equal bits from the processor's code and from the browser's, with one thread and three, on scenes of the method.
same_bits() {
    local scene native web threads status=0
    for scene in ssk05_gravity_2d ssk05_drops_and_bubbles_2d ssk05_ink_2d ssk05_solids_2d ssk05_air_2d; do
        native=$(build/playground_runner "scenes/$scene.toml" 24 48) || return 1
        web=$(node build-web/runner.js "scenes/$scene.toml" 24 48) || return 1
        threads=$(node build-web/runner_threads.js "scenes/$scene.toml" 24 48 3) || return 1
        echo "$scene native  $native"
        echo "$scene web     $web"
        echo "$scene threads $threads"
        [ "${native%% ms*}" = "${web%% ms*}" ] && [ "${native%% ms*}" = "${threads%% ms*}" ] || status=1
    done
    return $status
}

run_playground() {
    local name
    need $playground_packages
    if ! command -v em++ >/dev/null; then
        skip playground "em++ is not installed"
        return
    fi
    check playground_page playground_page
    check playground_runners build playground_runner
    check runner_for_node build_playground runner runner_threads
    check same_bits_native_and_web same_bits
    check unit_tests_for_node build_playground node_tests
    for name in core grid solve surface cip; do check "unit_tests_${name}_under_node" node "build-web/test_$name.js" --gtest_filter=-Deep*; done
    if command -v chromium npm >/dev/null; then
        SPUME_PLAYGROUND=$PWD/build/playground check playground_in_chromium timeout 900 npm --prefix web run test:playground
    else
        skip playground_in_chromium "chromium and npm are not both installed"
    fi
}

run_tiers() { # run_tiers [deep|clients|web|all]…
    local tier begin=$SECONDS
    for tier in "$@"; do
        case $tier in deep | clients | web | all) ;; *)
            say "unknown tier '$tier'; there are deep, clients, web, all"
            exit 2
            ;;
        esac
    done
    timed "set-up" need $build_packages $test_packages
    mkdir -p build/test_logs
    if timed "build" build; then
        ((++passed))
        timed "tests" run_ctest ctest --label-exclude '_deep$'
    else
        say "FAILED: build"
        ((++failed))
    fi
    timed "script tests" run_scripts
    timed "sanitizers and fuzzing" run_sanitizers
    for tier in "$@"; do
        case $tier in clients | all) timed "clients" run_clients ;; esac
        case $tier in web | all) timed "web" run_web ;; esac
        case $tier in deep) timed "deep" run_deep ;; esac
    done
    say "== all: $((SECONDS - begin)) s"
    if [ "$skipped" = 0 ]; then say "$passed passed, $failed failed"
    else say "$passed passed, $failed failed, $skipped skipped"; fi
    [ "$failed" = 0 ]
}
