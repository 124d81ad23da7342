# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
#
# Sourced by ./dev bench playground: the solver natively and as WebAssembly under node, in turns. One thread; steps of a
# dam break, pressure to 1e-4. Other work on the machine drifts, so that only ratios of neighbours count.

build_bench_playground() {
    need $build_packages $playground_packages
    build playground_runner
    build_playground runner
}

run_bench_playground() {
    local scene=scenes/ssk05_gravity_2d.toml size round native web
    for size in 64 128 256 512; do
        for round in 1 2 3; do
            native=$(build/playground_runner $scene 30 $size)
            web=$(node build-web/runner.js $scene 30 $size)
            printf '%4d native %s\n%4d web    %s\n' $size "$native" $size "$web"
            awk -v s=$size -v n="$(sed 's/.*best \([0-9.]*\).*/\1/' <<<"$native")" -v w="$(sed 's/.*best \([0-9.]*\).*/\1/' <<<"$web")" \
                'BEGIN { printf "ratio %d web/native %.2f\n", s, w / n }'
        done
    done
}
export -f run_bench_playground
