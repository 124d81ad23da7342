// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/io/byte_writer.h"
#include "spume/io/ply.h"

namespace spume {
namespace {

/// One PLY property: its name, its type, and how point i writes it.
struct Property {
    std::string name;
    const char* type;
    const Column* column;  ///< null: zero
    int part;              ///< of a vector, or the low (0) and high (1) half of an id
};

void put_value(std::string& out, const Property& property, std::size_t i) {
    if (property.column == nullptr) {
        put(out,
            std::uint32_t{0});  // also the bits of 0.0f: every standard property has four bytes
        return;
    }
    std::visit(
        [&](const auto& values) {
            using T = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<T, Vec<float, 3>>)
                put(out, values[i][property.part]);
            else if constexpr (std::is_same_v<T, std::uint64_t>)
                put(out, static_cast<std::uint32_t>(values[i] >> (32 * property.part)));
            else
                put(out, values[i]);
        },
        *property.column);
}

void add_column(std::vector<Property>& properties, const NamedColumn& column) {
    std::visit(
        [&](const auto& values) {
            using T = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<T, Vec<float, 3>>)
                for (int axis = 0; axis < 3; ++axis)
                    properties.push_back(
                        {column.name + "xyz"[axis], "float", &column.values, axis});
            else if constexpr (std::is_same_v<T, std::uint64_t>) {
                properties.push_back({column.name + "_lo", "uint", &column.values, 0});
                properties.push_back({column.name + "_hi", "uint", &column.values, 1});
            } else {
                const char* type = std::is_same_v<T, float> ? "float" : "int";
                properties.push_back({column.name, type, &column.values, 0});
            }
        },
        column.values);
}

std::vector<Property> properties_of(const PointSet& points) {
    std::vector<Property> properties;
    auto standard = [&](const char* name, std::vector<Property> absent) {
        if (const NamedColumn* column = points.find(name))
            add_column(properties, *column);
        else
            properties.insert(properties.end(), absent.begin(), absent.end());
    };
    auto zero = [](const char* name, const char* type) { return Property{name, type, nullptr, 0}; };
    standard("v", {zero("vx", "float"), zero("vy", "float"), zero("vz", "float")});
    for (const char* name : {"pscale", "age", "life"}) standard(name, {zero(name, "float")});
    standard("type", {zero("type", "int")});
    standard("id", {zero("id_lo", "uint"), zero("id_hi", "uint")});
    standard("density", {zero("density", "float")});
    for (const NamedColumn& column : points.columns) {
        bool known = false;
        for (const char* name : {"v", "pscale", "age", "life", "type", "id", "density"})
            known = known || column.name == name;
        if (!known) add_column(properties, column);
    }
    return properties;
}

}  // namespace

std::string encode_ply(const PointSet& points) {
    const std::size_t n = points.size();
    for (const NamedColumn& column : points.columns)
        std::visit([&](const auto& values) { SPUME_CHECK_OP(values.size(), ==, n); },
                   column.values);
    const std::vector<Property> properties = properties_of(points);
    std::string out = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", n);
    for (const char* axis : {"x", "y", "z"}) out += fmt::format("property float {}\n", axis);
    for (const Property& p : properties) out += fmt::format("property {} {}\n", p.type, p.name);
    out += "end_header\n";
    out.reserve(out.size() + n * 4 * (3 + properties.size()));
    for (std::size_t i = 0; i < n; ++i) {
        for (int axis = 0; axis < 3; ++axis) put(out, static_cast<float>(points.position[i][axis]));
        for (const Property& p : properties) put_value(out, p, i);
    }
    return out;
}

std::string encode_ply(const TriangleMesh& mesh, const std::vector<NamedColumn>& columns) {
    const std::size_t n = mesh.vertices.size();
    std::vector<Property> properties;
    for (const NamedColumn& column : columns) {
        std::visit([&](const auto& values) { SPUME_CHECK_OP(values.size(), ==, n); },
                   column.values);
        add_column(properties, column);
    }
    std::string out = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", n);
    for (const char* axis : {"x", "y", "z"}) out += fmt::format("property float {}\n", axis);
    for (const Property& p : properties) out += fmt::format("property {} {}\n", p.type, p.name);
    out += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                       mesh.triangles.size());
    out.reserve(out.size() + (12 + 4 * properties.size()) * n + 13 * mesh.triangles.size());
    for (std::size_t i = 0; i < n; ++i) {
        put(out, mesh.vertices[i].as<float>());
        for (const Property& p : properties) put_value(out, p, i);
    }
    for (const auto& triangle : mesh.triangles) put(out, std::uint8_t{3}), put(out, triangle);
    return out;
}

}  // namespace spume
