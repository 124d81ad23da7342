# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
#
# Sourced by ./dev bench playground: the solver natively and as WebAssembly under node, in turns, the latter with one
# thread and with two. Steps of a dam break, pressure to 1e-4. Other work on the machine drifts, so that only ratios of
# neighbours count.

build_bench_playground() {
    need $build_packages $playground_packages
    build playground_runner
    build_playground runner runner_threads
}

run_bench_playground() {
    local scene=scenes/ssk05_gravity_2d.toml size round native web two
    best() { sed 's/.*best \([0-9.]*\).*/\1/' <<<"$1"; }
    for size in 64 128 256 512; do
        for round in 1 2 3; do
            native=$(build/playground_runner $scene 30 $size)
            web=$(node build-web/runner.js $scene 30 $size)
            two=$(node build-web/runner_threads.js $scene 30 $size 2)
            printf "%4d native %s\n%4d web    %s\n%4d two    %s\n" $size "$native" $size "$web" $size "$two"
            awk -v s=$size -v n="$(best "$native")" -v w="$(best "$web")" -v t="$(best "$two")" \
                'BEGIN { printf "ratio %d web/native %.2f, two threads/one %.2f\n", s, w / n, t / w }'
        done
    done
}
export -f run_bench_playground
