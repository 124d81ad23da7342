// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <chrono>
#include <random>

#include "cli/program.h"
#include "spume/core/error.h"
#include "spume/io/probe_vdb.h"
#include "spume/io/vdb.h"

namespace spume::test {
namespace {

using VdbProbe = ProgramTest;

std::string some_vdb() {
    PointSet points;
    points.name = "bubbles";
    points.position = Array<Vec<double, 3>>(200);
    Array<float> pscale(200, 0.01f);
    for (std::size_t i = 0; i < 200; ++i)
        points.position.write()[i] = {0.01 * static_cast<double>(i), 0.5, 0.25};
    points.columns = {{"pscale", "m", pscale}};
    return encode_vdb(points, {});
}

TEST_F(VdbProbe, DamagedFilesNeverTakeTheReaderDown) {
    const std::string whole = some_vdb();
    const Words program = {SPUME_PROGRAM, "describe-vdb"};
    ASSERT_NE(probe_vdb(program, write("whole.vdb", whole)).find("bubbles: "), std::string::npos);
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; i < repeated(60); ++i) {
        std::string bad = whole;
        if (i % 3 == 0) bad.resize(random() % bad.size());
        for (int n = 0; n < 4 && !bad.empty(); ++n)
            bad[random() % bad.size()] = i % 2 == 0 ? '\xff' : static_cast<char>(random());
        const std::string path = write("bad.vdb", bad);
        const auto begin = std::chrono::steady_clock::now();
        try {
            probe_vdb(program, path, {.seconds = 5});
        } catch (const UserError& error) {
            ++refused;
            EXPECT_EQ(error.complaints()[0].place.file, path);
        }
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        EXPECT_LT(passed.count(), 8);
    }
    EXPECT_GE(refused, 20) << "cut files at the least";
}

TEST_F(VdbProbe, AChildThatHangsOrFloodsIsCutShort) {
    const std::string path = write("x.vdb", "");
    EXPECT_THROW(probe_vdb({"/bin/sh", "-c", "sleep 60"}, path, {.seconds = 0.3}), UserError);
    EXPECT_THROW(probe_vdb({"/bin/sh", "-c", "yes"}, path, {.seconds = 5}), UserError);
    EXPECT_THROW(probe_vdb({"/bin/sh", "-c", "kill -SEGV $$"}, path), UserError);
    EXPECT_THROW(probe_vdb({"/nonexistent"}, path), MachineError);
}

}  // namespace
}  // namespace spume::test
