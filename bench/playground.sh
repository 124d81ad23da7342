# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
#
# Sourced by ./dev bench playground: the page's dam break natively with vectors of 32 and of 16 bytes, as WebAssembly under
# node with one thread and with two, in turns; then the page in Chromium. Pressure to 1e-3. Other work on the machine
# drifts, so that only ratios of neighbours count, of the sums of each stage's best.

build_bench_playground() {
    need $build_packages $playground_packages
    need_command npm npm
    need_command chromium chromium
    build playground_runner || return
    # Vectors as wide as WebAssembly's; their doubles are two.
    configure build-lanes -DSPUME_ARCH=x86-64-v2 -DSPUME_TBB=OFF -DSPUME_APP=OFF -DSPUME_TESTS=OFF -DSPUME_BENCH=OFF \
        -DCMAKE_CXX_FLAGS=-Wno-psabi || return
    ninja -C build-lanes -j "$jobs" playground_runner || return
    build_playground runner runner_threads || return
    playground_page || return
    [ -d web/node_modules ] || (cd web && npm ci --no-audit --no-fund) || return
    mkdir -p out/bench
    node web/test/playground_bench.js --scene dam_break 256 >out/bench/playground_256.toml
    node web/test/playground_bench.js --scene dam_break 512 >out/bench/playground_512.toml
}

run_bench_playground() {
    local size round native narrow web two
    best() { sed -n 's/.*sum \([0-9.]*\)$/\1/p' <<<"$1"; }
    for size in 256 512; do
        for round in 1 2 3; do
            native=$(build/playground_runner out/bench/playground_$size.toml 30)
            narrow=$(build-lanes/playground_runner out/bench/playground_$size.toml 30)
            web=$(node build-web/runner.js out/bench/playground_$size.toml 30)
            two=$(node build-web/runner_threads.js out/bench/playground_$size.toml 30 $size 2)
            printf "%4d native, 32 bytes %s\n%4d native, 16 bytes %s\n%4d web, one thread   %s\n%4d web, two threads  %s\n" \
                $size "$native" $size "$narrow" $size "$web" $size "$two"
            awk -v s=$size -v n="$(best "$native")" -v m="$(best "$narrow")" -v w="$(best "$web")" -v t="$(best "$two")" \
                'BEGIN { printf "ratio %d web/native: %.2f of 16 bytes, %.2f of 32; two threads/one %.2f\n", s, w / m, w / n, t / w }'
        done
    done
    SPUME_PLAYGROUND=$PWD/build/playground node web/test/playground_bench.js
}
export -f run_bench_playground
