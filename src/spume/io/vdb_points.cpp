// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <map>

#include <openvdb/openvdb.h>
#include <openvdb/points/PointDataGrid.h>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/io/vdb.h"
#include "spume/io/vdb_archive.h"

namespace spume {
namespace {

namespace points = openvdb::points;
using Leaf = points::PointDataTree::LeafNodeType;
using Descriptor = points::AttributeSet::Descriptor;
template <class T>
using Stored = points::TypedAttributeArray<T>;

constexpr std::size_t kLeafVoxels = 512;
constexpr double kFarthestVoxel = 1 << 28;

/// Where a point goes. Sorted by leaf, then voxel; equal keys keep the order of the points.
struct Slot {
    openvdb::Coord leaf;
    openvdb::Index voxel;
    std::size_t point;
    openvdb::Vec3f offset;  ///< from the voxel's centre, in voxels
};

double voxel_for(const PointSet& set, double wanted) {
    double reach = 0;
    Vec<double, 3> lo = Vec<double, 3>::filled(INFINITY), hi = -lo;
    for (const auto& p : set.position) {
        for (int axis = 0; axis < 3; ++axis) SPUME_CHECK(std::isfinite(p[axis]));
        lo = min(lo, p), hi = max(hi, p);
        for (int axis = 0; axis < 3; ++axis) reach = std::max(reach, std::abs(p[axis]));
    }
    double voxel = wanted;
    if (!(voxel > 0)) {
        const double longest =
            set.size() ? std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}) : 0;
        voxel = longest > 0 ? longest / math::cbrt(static_cast<double>(set.size()) / 8 + 1) : 1;
    }
    return std::max(voxel, reach / kFarthestVoxel);
}

std::vector<Slot> slots_of(const PointSet& set, double voxel) {
    std::vector<Slot> slots(set.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        openvdb::Coord ijk;
        for (int axis = 0; axis < 3; ++axis) {
            const double x = set.position[i][axis] / voxel;
            const double cell = std::floor(x + 0.5);
            ijk[axis] = static_cast<int>(cell);
            slots[i].offset[axis] = static_cast<float>(x - cell);
        }
        slots[i].leaf = ijk & ~7;
        slots[i].voxel = Leaf::coordToOffset(ijk);
        slots[i].point = i;
    }
    std::stable_sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) {
        return a.leaf != b.leaf ? a.leaf < b.leaf : a.voxel < b.voxel;
    });
    return slots;
}

Descriptor::Ptr descriptor_of(const PointSet& set) {
    auto descriptor = Descriptor::create(Stored<openvdb::Vec3f>::attributeType());
    for (const NamedColumn& column : set.columns)
        descriptor = std::visit(
            [&](const auto& values) {
                using T = std::decay_t<decltype(values[0])>;
                if constexpr (std::is_same_v<T, Vec<float, 3>>)
                    return descriptor->duplicateAppend(column.name,
                                                       Stored<openvdb::Vec3f>::attributeType());
                else if constexpr (std::is_same_v<T, std::uint64_t>)
                    return descriptor->duplicateAppend(column.name,
                                                       Stored<std::int64_t>::attributeType());
                else
                    return descriptor->duplicateAppend(column.name, Stored<T>::attributeType());
            },
            column.values);
    return descriptor;
}

/// Writes one attribute of a leaf, value by value.
template <class To, class Value>
void write_attribute(Leaf& leaf, std::size_t position, std::span<const Slot> slots, Value&& value) {
    points::AttributeWriteHandle<To> handle(leaf.attributeArray(position));
    for (std::size_t i = 0; i < slots.size(); ++i)
        handle.set(static_cast<openvdb::Index>(i), value(slots[i]));
}

void write_column(Leaf& leaf, std::size_t position, std::span<const Slot> slots,
                  const Column& column) {
    std::visit(
        [&](const auto& values) {
            using T = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<T, Vec<float, 3>>)
                write_attribute<openvdb::Vec3f>(leaf, position, slots, [&](const Slot& s) {
                    const auto& v = values[s.point];
                    return openvdb::Vec3f(v[0], v[1], v[2]);
                });
            else if constexpr (std::is_same_v<T, std::uint64_t>)
                write_attribute<std::int64_t>(leaf, position, slots, [&](const Slot& s) {
                    return static_cast<std::int64_t>(values[s.point]);
                });
            else
                write_attribute<T>(leaf, position, slots,
                                   [&](const Slot& s) { return values[s.point]; });
        },
        column);
}

/// A leaf with the points of `slots`, which all belong to it.
std::unique_ptr<Leaf> leaf_of(const PointSet& set, std::span<const Slot> slots,
                              const Descriptor::Ptr& descriptor) {
    auto leaf = std::make_unique<Leaf>(slots[0].leaf, Leaf::ValueType(0), false);
    leaf->replaceAttributeSet(
        new points::AttributeSet(descriptor, static_cast<openvdb::Index>(slots.size())),
        /*allowMismatchingDescriptors=*/true);
    std::vector<Leaf::ValueType> ends(kLeafVoxels);
    std::size_t end = 0;
    for (std::size_t voxel = 0; voxel < kLeafVoxels; ++voxel) {
        while (end < slots.size() && slots[end].voxel == voxel) ++end;
        ends[voxel] = static_cast<openvdb::Index32>(end);
    }
    leaf->setOffsets(ends);
    write_attribute<openvdb::Vec3f>(*leaf, descriptor->find("P"), slots,
                                    [](const Slot& s) { return s.offset; });
    for (const NamedColumn& column : set.columns)
        write_column(*leaf, descriptor->find(column.name), slots, column.values);
    return leaf;
}

/// Reads one attribute of every leaf into a column, points in the order of the file.
template <class From, class To, class Convert>
Column read_column(const points::PointDataGrid& grid, std::size_t count, const std::string& name,
                   Convert&& convert) {
    Array<To> values(count);
    auto out = values.write();
    std::size_t at = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        const points::AttributeHandle<From> handle(leaf->constAttributeArray(name));
        for (openvdb::Index i = 0; i < handle.size(); ++i) out[at++] = convert(handle.get(i));
    }
    return values;
}

void read_columns(const points::PointDataGrid& grid, PointSet& set) {
    const auto first = grid.tree().cbeginLeaf();
    if (!first) return;
    const Descriptor& descriptor = first->attributeSet().descriptor();
    std::map<std::size_t, std::string> names;  // in the order in which they were written
    for (const auto& [name, position] : descriptor.map()) names[position] = name;
    auto same = [](auto value) { return value; };
    for (const auto& [position, name] : names) {
        const auto type = descriptor.type(position);
        NamedColumn column{name, "", {}};
        if (name == "P") continue;
        if (type == Stored<openvdb::Vec3f>::attributeType())
            column.values = read_column<openvdb::Vec3f, Vec<float, 3>>(
                grid, set.size(), name, [](const openvdb::Vec3f& v) {
                    return Vec<float, 3>{v[0], v[1], v[2]};
                });
        else if (type == Stored<float>::attributeType())
            column.values = read_column<float, float>(grid, set.size(), name, same);
        else if (type == Stored<std::int32_t>::attributeType())
            column.values = read_column<std::int32_t, std::int32_t>(grid, set.size(), name, same);
        else if (type == Stored<std::int64_t>::attributeType())
            column.values = read_column<std::int64_t, std::uint64_t>(
                grid, set.size(), name, [](auto v) { return static_cast<std::uint64_t>(v); });
        else
            continue;
        set.columns.push_back(std::move(column));
    }
}

}  // namespace

openvdb::GridBase::Ptr point_grid_of(const PointSet& set, const VdbOptions& options) {
    openvdb::initialize();
    for (const NamedColumn& column : set.columns)
        std::visit([&](const auto& v) { SPUME_CHECK_OP(v.size(), ==, set.size()); }, column.values);
    const double voxel = voxel_for(set, options.point_voxel);
    const std::vector<Slot> slots = slots_of(set, voxel);
    const auto descriptor = descriptor_of(set);
    auto grid = points::PointDataGrid::create();
    for (std::size_t begin = 0; begin < slots.size();) {
        std::size_t end = begin;
        while (end < slots.size() && slots[end].leaf == slots[begin].leaf) ++end;
        grid->tree().addLeaf(
            leaf_of(set, std::span(slots).subspan(begin, end - begin), descriptor).release());
        begin = end;
    }
    grid->setName(set.name);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel));
    return grid;
}

std::string encode_vdb(const PointSet& set, const VdbOptions& options) {
    return archive_of(openvdb::GridBase::ConstPtr(point_grid_of(set, options)));
}

PointSet decode_vdb_points(std::string_view bytes, const std::string& file) {
    for (const auto& base : grids_of(bytes, file)) {
        const auto grid = openvdb::gridPtrCast<points::PointDataGrid>(base);
        if (!grid) continue;
        PointSet set;
        set.name = grid->getName();
        std::vector<Vec<double, 3>> positions;
        for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
            const points::AttributeHandle<openvdb::Vec3f> handle(leaf->constAttributeArray("P"));
            for (auto i = leaf->beginIndexOn(); i; ++i) {
                const auto p =
                    grid->indexToWorld(i.getCoord().asVec3d() + openvdb::Vec3d(handle.get(*i)));
                positions.push_back({p[0], p[1], p[2]});
            }
        }
        set.position = Array<Vec<double, 3>>(std::span<const Vec<double, 3>>(positions));
        read_columns(*grid, set);
        return set;
    }
    throw error_in_file(file, "no points in it", "name a point file of a Spume cache");
}

}  // namespace spume
