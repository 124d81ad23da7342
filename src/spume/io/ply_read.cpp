// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "spume/io/bounded_reader.h"
#include "spume/io/ply.h"

namespace spume {
namespace {

enum class Type { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };
struct TypeName {
    const char *name, *other;
    Type type;
    unsigned bytes;
};
constexpr TypeName kTypes[] = {
    {"char", "int8", Type::kInt8, 1},      {"uchar", "uint8", Type::kUint8, 1},
    {"short", "int16", Type::kInt16, 2},   {"ushort", "uint16", Type::kUint16, 2},
    {"int", "int32", Type::kInt32, 4},     {"uint", "uint32", Type::kUint32, 4},
    {"float", "float32", Type::kFloat, 4}, {"double", "float64", Type::kDouble, 8}};

struct Property {
    std::string name;
    TypeName type, count_type;
    bool list = false;
};
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};
enum class Format { kAscii, kLittle, kBig };
struct Header {
    Format format = Format::kAscii;
    std::vector<Element> elements;
};

constexpr std::size_t kMaxElements = 64, kMaxProperties = 256;

TypeName type_named(BoundedReader& in, std::string_view name) {
    for (const TypeName& type : kTypes)
        if (name == type.name || name == type.other) return type;
    in.fail_in_line(fmt::format("unknown type '{}'", name.substr(0, 40)));
}

void read_property(BoundedReader& in, std::string_view line, Header& header) {
    if (header.elements.empty()) in.fail_in_line("a property before the first element");
    auto& properties = header.elements.back().properties;
    if (properties.size() == kMaxProperties) in.fail_in_line("too many properties");
    Property property;
    std::string_view word = next_word(line);
    if (word == "list") {
        property.list = true;
        property.count_type = type_named(in, next_word(line));
        if (property.count_type.type >= Type::kFloat) in.fail_in_line("a count must be an integer");
        word = next_word(line);
    }
    property.type = type_named(in, word);
    property.name = next_word(line);
    if (property.name.empty()) in.fail_in_line("a property without a name");
    properties.push_back(std::move(property));
}

void read_element(BoundedReader& in, std::string_view line, Header& header) {
    if (header.elements.size() == kMaxElements) in.fail_in_line("too many elements");
    Element element;
    element.name = next_word(line);
    for (const Element& other : header.elements)
        if (other.name == element.name)
            in.fail_in_line(fmt::format("element '{}' stands twice", element.name.substr(0, 40)));
    const std::string_view count = next_word(line);
    const auto [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || end != count.data() + count.size())
        in.fail_in_line(fmt::format("'{}' is not a count", count.substr(0, 40)));
    header.elements.push_back(std::move(element));
}

Header read_header(BoundedReader& in) {
    if (in.line() != "ply") in.fail_in_line("not a PLY file: the first line must be 'ply'");
    Header header;
    bool formatted = false;
    for (;;) {
        if (in.at_end()) in.fail_in_line("no 'end_header'");
        std::string_view line = in.line();
        const std::string_view word = next_word(line);
        if (word == "end_header") break;
        if (word == "format") {
            const std::string_view name = next_word(line);
            formatted = true;
            if (name == "ascii")
                header.format = Format::kAscii;
            else if (name == "binary_little_endian")
                header.format = Format::kLittle;
            else if (name == "binary_big_endian")
                header.format = Format::kBig;
            else
                in.fail_in_line(fmt::format("unknown format '{}'", name.substr(0, 40)));
        } else if (word == "element") {
            read_element(in, line, header);
        } else if (word == "property") {
            read_property(in, line, header);
        } else if (word != "comment" && word != "obj_info" && !word.empty()) {
            in.fail_in_line(fmt::format("unknown word '{}'", word.substr(0, 40)));
        }
    }
    if (!formatted) in.fail_in_line("no 'format' line");
    return header;
}

template <class T>
double read_binary(BoundedReader& in, bool swap) {
    auto bytes = in.read<std::array<char, sizeof(T)>>();
    if (swap) std::reverse(bytes.begin(), bytes.end());
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value);
}

/// The values of the body, one after the other, whatever the format.
class Values {
  public:
    Values(BoundedReader& in, Format format) : in_(in), format_(format) {}

    double next(const TypeName& type) {
        if (format_ == Format::kAscii) return next_ascii();
        const bool swap = format_ == Format::kBig;
        switch (type.type) {
            case Type::kInt8:
                return read_binary<std::int8_t>(in_, swap);
            case Type::kUint8:
                return read_binary<std::uint8_t>(in_, swap);
            case Type::kInt16:
                return read_binary<std::int16_t>(in_, swap);
            case Type::kUint16:
                return read_binary<std::uint16_t>(in_, swap);
            case Type::kInt32:
                return read_binary<std::int32_t>(in_, swap);
            case Type::kUint32:
                return read_binary<std::uint32_t>(in_, swap);
            case Type::kFloat:
                return read_binary<float>(in_, swap);
            case Type::kDouble:
                return read_binary<double>(in_, swap);
        }
        return 0;
    }
    /// Bytes a value takes at the least; in text a digit and what separates it from the next.
    std::uint64_t least(const TypeName& type) const {
        return format_ == Format::kAscii ? 1 : type.bytes;
    }
    std::uint64_t next_count(const Property& property) {
        const double count = next(property.count_type);
        if (!(count >= 0) || count > 4294967295.0 || count != std::floor(count))
            in_.fail("a list of impossible length");
        const auto n = static_cast<std::uint64_t>(count);
        // Text is read line by line: there the list grows only as far as there are words.
        if (format_ != Format::kAscii) in_.require(n, property.type.bytes, "list entries");
        return n;
    }

  private:
    double next_ascii() {
        std::string_view word = next_word(line_);
        while (word.empty()) {
            if (in_.at_end()) in_.fail("fewer values than announced");
            line_ = in_.line(std::size_t(1) << 20);
            word = next_word(line_);
        }
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size())
            in_.fail_in_line(fmt::format("'{}' is not a number", word.substr(0, 40)));
        return value;
    }
    BoundedReader& in_;
    Format format_;
    std::string_view line_;
};

void check_sizes(const BoundedReader& in, const Header& header, const Values& values) {
    for (const Element& element : header.elements) {
        std::uint64_t row = 0;
        for (const Property& p : element.properties)
            row += values.least(p.list ? p.count_type : p.type);
        in.require(element.count, row, element.name.c_str());
    }
}

using ScalarSink = std::function<void(std::uint64_t row, double value)>;
using ListSink = std::function<void(std::uint64_t row, const std::vector<double>& list)>;
struct Sink {
    ScalarSink scalar;
    ListSink list;
};

/// Reads an element, giving each property's values to its sink, if it has one.
void read_rows(const Element& element, Values& values, const std::vector<Sink>& sinks) {
    std::vector<double> list;
    for (std::uint64_t row = 0; row < element.count; ++row)
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const Property& property = element.properties[p];
            if (!property.list) {
                const double value = values.next(property.type);
                if (sinks[p].scalar) sinks[p].scalar(row, value);
                continue;
            }
            const std::uint64_t n = values.next_count(property);
            list.clear();
            for (std::uint64_t i = 0; i < n; ++i) list.push_back(values.next(property.type));
            if (sinks[p].list) sinks[p].list(row, list);
        }
}

ScalarSink coordinate_sink(const BoundedReader& in, std::span<Vec<double, 3>> to, int axis) {
    return [&in, to, axis](std::uint64_t row, double value) {
        if (!std::isfinite(value)) in.fail(fmt::format("vertex {} is not at a finite place", row));
        to[row][axis] = value;
    };
}

int axis_named(const std::string& name) {
    return name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : -1;
}

template <class T>
std::span<T> add_column(PointSet& points, const char* name, std::size_t n) {
    // A column may be met twice (vx, vy, vz); it is made once.
    for (NamedColumn& column : points.columns)
        if (column.name == name) return std::get<Array<T>>(column.values).write();
    points.columns.push_back({name, "", Array<T>(n)});
    return std::get<Array<T>>(points.columns.back().values).write();
}

ScalarSink point_sink(const BoundedReader& in, PointSet& points, std::string name, std::size_t n) {
    if (const int axis = axis_named(name); axis >= 0)
        return coordinate_sink(in, points.position.write(), axis);
    if (name == "radius") name = "pscale";
    for (const std::string known : {"v", "N", "scale", "axis"}) {
        if (name.size() != known.size() + 1 || !name.starts_with(known)) continue;
        const int axis = axis_named(name.substr(known.size()));
        if (axis < 0) continue;
        auto to = add_column<Vec<float, 3>>(points, known.c_str(), n);
        return [to, axis](std::uint64_t row, double value) {
            to[row][axis] = static_cast<float>(value);
        };
    }
    if (name == "id_lo" || name == "id_hi" || name == "id") {
        auto to = add_column<std::uint64_t>(points, "id", n);
        return [to, shift = name == "id_hi" ? 32 : 0, &in](std::uint64_t row, double value) {
            if (!(value >= 0 && value <= 9007199254740992.0)) in.fail("an impossible id");
            to[row] |= static_cast<std::uint64_t>(value) << shift;
        };
    }
    for (const char* known : {"type", "pocket", "source"})
        if (name == known) {
            auto to = add_column<std::int32_t>(points, known, n);
            return [to, known, &in](std::uint64_t row, double value) {
                if (!(std::abs(value) <= 2147483647.0))
                    in.fail(fmt::format("an impossible {}", known));
                to[row] = static_cast<std::int32_t>(value);
            };
        }
    for (const char* known : {"pscale", "age", "life", "density", "time", "volume"})
        if (name == known) {
            auto to = add_column<float>(points, known, n);
            return [to](std::uint64_t row, double value) { to[row] = static_cast<float>(value); };
        }
    return {};
}

void add_polygon(const BoundedReader& in, TriangleMesh& mesh, std::uint64_t row,
                 const std::vector<double>& corners) {
    const double count = static_cast<double>(mesh.vertices.size());
    for (double c : corners)
        if (!(c >= 0 && c < count) || c != std::floor(c))
            in.fail(fmt::format("face {} names vertex {} of {}", row, c, count));
    for (std::size_t i = 2; i < corners.size(); ++i)
        mesh.triangles.push_back({static_cast<std::int32_t>(corners[0]),
                                  static_cast<std::int32_t>(corners[i - 1]),
                                  static_cast<std::int32_t>(corners[i])});
}

}  // namespace

PointSet decode_ply_points(std::string_view bytes, const std::string& file) {
    BoundedReader in(bytes, file);
    const Header header = read_header(in);
    Values values(in, header.format);
    check_sizes(in, header, values);
    PointSet points;
    for (const Element& element : header.elements) {
        std::vector<Sink> sinks(element.properties.size());
        if (element.name == "vertex" && points.position.empty()) {
            points.position = Array<Vec<double, 3>>(element.count);
            for (std::size_t p = 0; p < sinks.size(); ++p)
                if (!element.properties[p].list)
                    sinks[p].scalar =
                        point_sink(in, points, element.properties[p].name, element.count);
        }
        read_rows(element, values, sinks);
    }
    return points;
}

TriangleMesh decode_ply_mesh(std::string_view bytes, const std::string& file,
                             std::vector<NamedColumn>* columns) {
    BoundedReader in(bytes, file);
    const Header header = read_header(in);
    Values values(in, header.format);
    check_sizes(in, header, values);
    TriangleMesh mesh;
    PointSet vertices;  // their columns; places are the mesh's
    for (const Element& element : header.elements) {
        std::vector<Sink> sinks(element.properties.size());
        if (element.name == "vertex" && mesh.vertices.empty()) {
            if (element.count > std::numeric_limits<std::int32_t>::max())
                in.fail("more vertices than Spume can number");
            mesh.vertices.resize(element.count);
            for (std::size_t p = 0; p < sinks.size(); ++p) {
                const std::string& name = element.properties[p].name;
                const int axis = axis_named(name);
                if (element.properties[p].list) continue;
                if (axis >= 0)
                    sinks[p].scalar = coordinate_sink(in, mesh.vertices, axis);
                else if (columns)
                    sinks[p].scalar = point_sink(in, vertices, name, element.count);
            }
        } else if (element.name == "face") {
            for (std::size_t p = 0; p < sinks.size(); ++p) {
                const std::string& name = element.properties[p].name;
                if (element.properties[p].list &&
                    (name == "vertex_indices" || name == "vertex_index"))
                    sinks[p].list = [&](std::uint64_t row, const std::vector<double>& corners) {
                        add_polygon(in, mesh, row, corners);
                    };
            }
        }
        read_rows(element, values, sinks);
    }
    if (columns) *columns = std::move(vertices.columns);
    return mesh;
}

}  // namespace spume
