// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/usd.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "spume/frame/mesh_columns.h"

namespace spume {
namespace {

/// "(1, 2, 3), (4, 5, 6)": any sequence of vectors or numbers.
template <class Range, class Put>
std::string listed(const Range& values, Put&& put) {
    std::string text;
    auto out = std::back_inserter(text);
    bool first = true;
    for (const auto& value : values) {
        if (!first) text += ", ";
        first = false;
        put(out, value);
    }
    return text;
}

const auto kPutVector = [](auto& out, const auto& v) {
    fmt::format_to(out, "({}, {}, {})", float(v[0]), float(v[1]), float(v[2]));
};
const auto kPutNumber = [](auto& out, const auto& x) { fmt::format_to(out, "{}", x); };

/// Between @ signs; USD has no escape for one, so three stand around a path that holds one.
std::string asset(const std::string& path) {
    return path.find('@') == std::string::npos ? "@" + path + "@" : "@@@" + path + "@@@";
}

std::string sample(const std::string& attribute, int frame, const std::string& values) {
    return fmt::format("        {}.timeSamples = {{ {}: [{}] }}\n", attribute, frame, values);
}

template <class T>
const Array<T>* column(const PointSet& points, const char* name) {
    const NamedColumn* found = points.find(name);
    return found ? std::get_if<Array<T>>(&found->values) : nullptr;
}

std::string points_prim(const PointSet& points, int frame) {
    std::string text = fmt::format("    def Points \"{}\"\n    {{\n", usd_name(points.name));
    text += sample("point3f[] points", frame, listed(points.position, kPutVector));
    if (const auto* radius = column<float>(points, "pscale"))
        text +=
            sample("float[] widths", frame,
                   listed(*radius, [](auto& out, float r) { fmt::format_to(out, "{}", 2 * r); }));
    if (const auto* v = column<Vec<float, 3>>(points, "v"))
        text += sample("vector3f[] velocities", frame, listed(*v, kPutVector));
    if (const auto* id = column<std::uint64_t>(points, "id"))
        text += sample("int64[] ids", frame, listed(*id, kPutNumber));
    if (const auto* age = column<float>(points, "age"))
        text += sample("float[] primvars:age", frame, listed(*age, kPutNumber));
    if (const auto* type = column<std::int32_t>(points, "type"))
        text += sample("int[] primvars:type", frame, listed(*type, kPutNumber));
    if (const auto* source = column<std::int32_t>(points, "source"))
        text += sample("int[] primvars:source", frame, listed(*source, kPutNumber));
    return text + "    }\n";
}

std::string mesh_prim(const NamedMesh& named, const std::vector<NamedColumn>& columns, int frame) {
    const PointSet vertices{named.name, {}, columns};
    const TriangleMesh& mesh = named.mesh;
    std::string text = fmt::format("    def Mesh \"{}\"\n    {{\n", usd_name(named.name));
    text += "        uniform token subdivisionScheme = \"none\"\n";
    text += sample("point3f[] points", frame, listed(mesh.vertices, kPutVector));
    text +=
        sample("int[] faceVertexCounts", frame,
               listed(mesh.triangles, [](auto& out, const auto&) { fmt::format_to(out, "3"); }));
    text += sample("int[] faceVertexIndices", frame,
                   listed(mesh.triangles, [](auto& out, const auto& t) {
                       fmt::format_to(out, "{}, {}, {}", t[0], t[1], t[2]);
                   }));
    if (const auto* v = column<Vec<float, 3>>(vertices, "v"))
        text += sample("vector3f[] velocities", frame, listed(*v, kPutVector));
    if (const auto* age = column<float>(vertices, "age"))
        text += sample("float[] primvars:age", frame, listed(*age, kPutNumber));
    if (const auto* source = column<std::int32_t>(vertices, "source"))
        text += sample("int[] primvars:source", frame, listed(*source, kPutNumber));
    return text + "    }\n";
}

/// `file` gives the value of filePath: a default or samples over time.
std::string volume_prim(const std::string& name, const std::string& file) {
    const std::string usd = usd_name(name);
    return fmt::format(
        "    def Volume \"{0}_volume\"\n    {{\n"
        "        rel field:{0} = </spume/{0}_volume/{0}>\n"
        "        def OpenVDBAsset \"{0}\"\n        {{\n"
        "            token fieldName = \"{0}\"\n            {1}\n        }}\n    }}\n",
        usd, file);
}

std::string head(const std::string& more) {
    return "#usda 1.0\n(\n    defaultPrim = \"spume\"\n    metersPerUnit = 1\n    upAxis = "
           "\"Y\"\n" +
           more + ")\n\ndef Xform \"spume\"\n{\n";
}

std::string clips(const UsdSequence& s, const std::string& prim, const std::string& manifest) {
    std::string active, times, paths;
    for (std::size_t i = 0; i < s.frames.size(); ++i) {
        const char* comma = i == 0 ? "" : ", ";
        paths += comma + asset(s.files[i]);
        active += fmt::format("{}({}, {})", comma, s.frames[i], i);
        times += fmt::format("{0}({1}, {1})", comma, s.frames[i]);
    }
    return fmt::format(
        "        clips = {{\n            dictionary default = {{\n"
        "                asset[] assetPaths = [{}]\n"
        "                string primPath = \"/spume/{}\"\n"
        "                double2[] active = [{}]\n                double2[] times = [{}]\n"
        "                asset manifestAssetPath = {}\n            }}\n        }}\n",
        paths, prim, active, times, asset(manifest));
}

}  // namespace

std::string usd_name(const std::string& name) {
    std::string r;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (r.empty() && digit) r = "_";
        r += letter || digit ? c : '_';
    }
    return r.empty() ? "_" : r;
}

std::string encode_usda(const Frame& frame, const std::vector<UsdVolume>& volumes) {
    std::string text =
        head(fmt::format("    startTimeCode = {0}\n    endTimeCode = {0}\n", frame.number));
    for (const PointSet& points : frame.points) text += points_prim(points, frame.number);
    for (const NamedMesh& mesh : frame.meshes) {
        NamedMesh named = mesh;
        named.name += "_mesh";  // bubbles are points and a mesh of the same name
        text += mesh_prim(named, mesh_columns(frame, mesh), frame.number);
    }
    for (const UsdVolume& v : volumes)
        text += volume_prim(v.name, "asset filePath = " + asset(v.file));
    return text + "}\n";
}

std::string encode_usda_clip_manifest(const UsdSequence& sequence) {
    std::string text = head("");
    for (const std::string& name : sequence.points)
        text += fmt::format(
            "    def Points \"{}\"\n    {{\n        point3f[] points\n        float[] widths\n"
            "        vector3f[] velocities\n        int64[] ids\n        float[] primvars:age\n"
            "        int[] primvars:type\n        int[] primvars:source\n    }}\n",
            usd_name(name));
    for (const std::string& name : sequence.meshes)
        text += fmt::format(
            "    def Mesh \"{}_mesh\"\n    {{\n        point3f[] points\n"
            "        int[] faceVertexCounts\n        int[] faceVertexIndices\n"
            "        vector3f[] velocities\n        float[] primvars:age\n"
            "        int[] primvars:source\n    }}\n",
            usd_name(name));
    return text + "}\n";
}

std::string encode_usda_stage(const UsdSequence& s, const std::string& clip_manifest) {
    std::string text = head(
        fmt::format("    startTimeCode = {}\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n"
                    "    framesPerSecond = {}\n",
                    s.frames.empty() ? 0 : s.frames.front(), s.frames.empty() ? 0 : s.frames.back(),
                    s.fps, s.fps));
    for (const std::string& name : s.points)
        text += fmt::format("    def Points \"{}\" (\n{}    )\n    {{\n    }}\n", usd_name(name),
                            clips(s, usd_name(name), clip_manifest));
    for (const std::string& name : s.meshes)
        text += fmt::format(
            "    def Mesh \"{}_mesh\" (\n{}    )\n    {{\n"
            "        uniform token subdivisionScheme = \"none\"\n    }}\n",
            usd_name(name), clips(s, usd_name(name) + "_mesh", clip_manifest));
    for (const auto& [name, files] : s.volumes) {
        std::string samples;
        for (std::size_t i = 0; i < files.size() && i < s.frames.size(); ++i)
            if (!files[i].empty())
                samples += fmt::format("{}{}: {}", samples.empty() ? "" : ", ", s.frames[i],
                                       asset(files[i]));
        text += volume_prim(name, "asset filePath.timeSamples = { " + samples + " }");
    }
    return text + usd_solids(s) + usd_camera(s) + "}\n";
}

}  // namespace spume
