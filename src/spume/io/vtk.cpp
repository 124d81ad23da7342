// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/vtk.h"

#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/io/byte_writer.h"

namespace spume {
namespace {

constexpr std::int64_t kMostCells = std::int64_t(1) << 31;

/// The appended blocks, and the XML attributes that refer to them.
class Appended {
  public:
    template <class T>
    std::string array(const char* type, const std::string& name, int components,
                      const std::vector<T>& values) {
        std::string xml = fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"/>\n",
            type, name, components, data_.size());
        put(data_, static_cast<std::uint64_t>(values.size() * sizeof(T)));
        data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return xml;
    }
    std::string file(const char* kind, const std::string& body) const {
        std::string out = fmt::format(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"{0}\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n{1}<AppendedData "
            "encoding=\"raw\">\n_",
            kind, body);
        out += data_;
        return out + "\n</AppendedData>\n</VTKFile>\n";
    }

  private:
    std::string data_;
};

template <class T>
std::vector<T> copy_of(const Array<T>& values) {
    return {values.begin(), values.end()};
}

std::string point_array(Appended& data, const NamedColumn& column) {
    return std::visit(
        [&](const auto& values) {
            using T = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<T, Vec<float, 3>>)
                return data.array("Float32", column.name, 3, copy_of(values));
            else if constexpr (std::is_same_v<T, std::uint64_t>)
                return data.array("UInt64", column.name, 1, copy_of(values));
            else if constexpr (std::is_same_v<T, float>)
                return data.array("Float32", column.name, 1, copy_of(values));
            else
                return data.array("Int32", column.name, 1, copy_of(values));
        },
        column.values);
}

struct CellBox {
    Vec<int, 3> lo{}, size{};
    std::size_t at(int i, int j, int k) const {
        return static_cast<std::size_t>(i) +
               static_cast<std::size_t>(size[0]) *
                   (static_cast<std::size_t>(j) +
                    static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(k));
    }
};

CellBox box_of(const Volume& volume) {
    if (volume.tiles.empty()) return {};
    CellBox box{volume.tiles[0], {}};
    Vec<int, 3> hi = volume.tiles[0];
    for (const auto& tile : volume.tiles) box.lo = min(box.lo, tile), hi = max(hi, tile);
    box.size = hi + volume.side - box.lo;
    const auto cells = product(box.size.as<double>());
    if (cells > static_cast<double>(kMostCells))
        throw UserError(
            fmt::format("'{}' would need {:.3g} cells as a dense VTK image", volume.name, cells),
            "switch off [output] vtk for such a wide sparse domain; the VDB is sparse");
    return box;
}

std::vector<float> dense(const Volume& volume, const CellBox& box, std::size_t component) {
    std::vector<float> values(static_cast<std::size_t>(product(box.size.as<std::int64_t>())),
                              volume.background);
    const float* from = volume.values[component].data();
    for (const auto& tile : volume.tiles) {
        const Vec<int, 3> at = tile - box.lo;
        for (int i = 0; i < volume.side[0]; ++i)
            for (int j = 0; j < volume.side[1]; ++j)
                for (int k = 0; k < volume.side[2]; ++k)
                    values[box.at(at[0] + i, at[1] + j, at[2] + k)] = *from++;
    }
    return values;
}

/// Adds the value of the cell's upper face, which its neighbour owns, and halves.
void average_to_centres(std::vector<float>& values, const CellBox& box, int axis, float outside) {
    const Vec<int, 3> step = Vec<int, 3>::unit(axis);
    for (int k = 0; k < box.size[2]; ++k)
        for (int j = 0; j < box.size[1]; ++j)
            for (int i = 0; i < box.size[0]; ++i) {
                const Vec<int, 3> next = Vec<int, 3>{i, j, k} + step;
                const float upper = next[axis] < box.size[axis]
                                        ? values[box.at(next[0], next[1], next[2])]
                                        : outside;
                float& value = values[box.at(i, j, k)];
                value = 0.5f * (value + upper);
            }
}

}  // namespace

std::string encode_vtp(const PointSet& points) {
    Appended data;
    std::string body = fmt::format(
        "<PolyData>\n<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n",
        points.size());
    for (const NamedColumn& column : points.columns) body += point_array(data, column);
    std::vector<std::int64_t> index(points.size()), end(points.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
        index[i] = static_cast<std::int64_t>(i);
        end[i] = index[i] + 1;
    }
    body += "</PointData>\n<Points>\n";
    body += data.array("Float64", "P", 3, copy_of(points.position));
    body += "</Points>\n<Verts>\n" + data.array("Int64", "connectivity", 1, index);
    body += data.array("Int64", "offsets", 1, end) + "</Verts>\n</Piece>\n</PolyData>\n";
    return data.file("PolyData", body);
}

std::string encode_vtp(const TriangleMesh& mesh, const std::vector<NamedColumn>& columns) {
    const auto& triangles = mesh.triangles;
    Appended data;
    std::string body = fmt::format(
        "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n<PointData>\n",
        mesh.vertices.size(), triangles.size());
    for (const NamedColumn& column : columns) body += point_array(data, column);
    std::vector<std::int64_t> end(triangles.size());
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = static_cast<std::int64_t>(3 * (i + 1));
    std::vector<std::int32_t> corners;
    corners.reserve(3 * triangles.size());
    for (const auto& t : triangles) corners.insert(corners.end(), {t[0], t[1], t[2]});
    body += "</PointData>\n<Points>\n";
    body += data.array("Float64", "P", 3, mesh.vertices);
    body += "</Points>\n<Polys>\n" + data.array("Int32", "connectivity", 1, corners);
    body += data.array("Int64", "offsets", 1, end) + "</Polys>\n</Piece>\n</PolyData>\n";
    return data.file("PolyData", body);
}

std::string encode_vti(const Volume& volume) {
    const CellBox box = box_of(volume);
    Appended data;
    std::string arrays;
    if (volume.components == 1) {
        arrays = data.array("Float32", volume.name, 1, dense(volume, box, 0));
    } else {
        std::vector<Vec<float, 3>> vectors;
        for (int axis = 0; axis < 3; ++axis) {
            auto values = dense(volume, box, static_cast<std::size_t>(axis));
            if (volume.side[axis] > 1) average_to_centres(values, box, axis, volume.background);
            vectors.resize(values.size());
            for (std::size_t i = 0; i < values.size(); ++i) vectors[i][axis] = values[i];
        }
        arrays = data.array("Float32", volume.name, 3, vectors);
    }
    const Vec<int, 3> hi = box.lo + box.size;
    const std::string extent =
        fmt::format("{} {} {} {} {} {}", box.lo[0], hi[0], box.lo[1], hi[1], box.lo[2], hi[2]);
    return data.file(
        "ImageData",
        fmt::format(
            "<ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {4} {4}\">\n"
            "<Piece Extent=\"{0}\">\n<CellData>\n{5}</CellData>\n</Piece>\n</ImageData>\n",
            extent, volume.origin[0], volume.origin[1], volume.origin[2], volume.voxel, arrays));
}

std::string sequence_name(const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return name.substr(0, name.find('.')) + (path.starts_with("mesh/") ? "_mesh" : "");
}

std::string encode_pvd(const std::vector<std::pair<double, std::string>>& files) {
    std::string out =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const auto& [time, file] : files)
        out += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", time, file);
    return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace spume
