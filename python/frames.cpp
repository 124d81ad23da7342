// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/bindings.h"

namespace py = pybind11;

namespace spume::python {
namespace {

/// A read-only numpy array over memory that its owner keeps alive: no copy.
template <class T>
py::array array_over(std::shared_ptr<const void> owner, const T* data,
                     std::vector<py::ssize_t> shape) {
    using Owner = std::shared_ptr<const void>;
    auto kept = std::make_unique<Owner>(std::move(owner));
    const py::capsule base(kept.get(), [](void* p) { delete static_cast<Owner*>(p); });
    kept.release();
    py::array array(py::dtype::of<T>(), std::move(shape), data, base);
    array.attr("flags").attr("writeable") = false;
    return array;
}

/// Arrays share their memory with their copies, so one column need not keep the whole frame.
template <class T>
py::array array_of(const Array<T>& values, std::vector<py::ssize_t> shape) {
    auto owner = std::make_shared<const Array<T>>(values);
    const T* data = owner->data();
    return array_over(std::move(owner), data, std::move(shape));
}
template <class T>
py::array array_of(const Array<T>& values) {
    return array_of(values, {static_cast<py::ssize_t>(values.size())});
}
template <class T>
py::array array_of(const Array<Vec<T, 3>>& values) {
    auto owner = std::make_shared<const Array<Vec<T, 3>>>(values);
    const T* data = reinterpret_cast<const T*>(owner->data());
    return array_over(std::move(owner), data, {static_cast<py::ssize_t>(values.size()), 3});
}

/// One thing of a frame, which the frame keeps alive.
template <class T>
struct Part {
    std::shared_ptr<const Frame> frame;
    const T* value;
};

template <class T>
py::dict parts_of(const FrameHandle& handle, const std::vector<T>& things) {
    py::dict named;
    for (const T& thing : things)
        named[py::str(thing.name)] = py::cast(Part<T>{handle.frame, &thing});
    return named;
}

std::vector<std::string> point_columns(const PointSet& points) {
    std::vector<std::string> names{"P"};
    for (const NamedColumn& column : points.columns) names.push_back(column.name);
    return names;
}

py::array point_column(const PointSet& points, const std::string& name) {
    if (name == "P") return array_of(points.position);
    if (const NamedColumn* column = points.find(name))
        return std::visit([](const auto& values) { return array_of(values); }, column->values);
    std::string known;
    for (const std::string& other : point_columns(points))
        known += (known.empty() ? "" : ", ") + other;
    throw py::key_error(name + ": the columns of \"" + points.name + "\" are " + known);
}

void add_points(py::module_& module) {
    using Handle = Part<PointSet>;
    py::class_<Handle>(module, "Points",
                       "Columns of points by name, as numpy arrays without copies: P (position, "
                       "m), v (m/s), pscale (radius, m), id, age (s), …")
        .def_property_readonly("name", [](const Handle& h) { return h.value->name; })
        .def("__len__", [](const Handle& h) { return h.value->size(); })
        .def("__contains__",
             [](const Handle& h, const std::string& name) {
                 return name == "P" || h.value->find(name) != nullptr;
             })
        .def("__iter__",
             [](const Handle& h) { return py::iter(py::cast(point_columns(*h.value))); })
        .def("keys", [](const Handle& h) { return point_columns(*h.value); })
        .def("__getitem__",
             [](const Handle& h, const std::string& name) { return point_column(*h.value, name); });
}

void add_meshes(py::module_& module) {
    using Handle = Part<NamedMesh>;
    py::class_<Handle>(module, "Mesh", "Triangles with shared vertices, outwards.")
        .def_property_readonly("name", [](const Handle& h) { return h.value->name; })
        .def_property_readonly("vertices",
                               [](const Handle& h) {
                                   const auto& v = h.value->mesh.vertices;
                                   return array_over(h.frame,
                                                     reinterpret_cast<const double*>(v.data()),
                                                     {static_cast<py::ssize_t>(v.size()), 3});
                               })
        .def_property_readonly("triangles", [](const Handle& h) {
            const auto& t = h.value->mesh.triangles;
            return array_over(h.frame, reinterpret_cast<const std::int32_t*>(t.data()),
                              {static_cast<py::ssize_t>(t.size()), 3});
        });
}

const char* kind_of(const Volume& volume) {
    switch (volume.kind) {
        case VolumeKind::kFog:
            return "fog";
        case VolumeKind::kLevelSet:
            return "level_set";
        case VolumeKind::kStaggered:
            return "staggered";
        case VolumeKind::kScalar:
            break;
    }
    return "scalar";
}

py::object volume_values(const Volume& v) {
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(v.tiles.size()), v.side[0],
                                         v.side[1], v.side[2]};
    if (v.components == 1) return array_of(v.values[0], shape);
    py::tuple components(v.values.size());
    for (std::size_t c = 0; c < v.values.size(); ++c) components[c] = array_of(v.values[c], shape);
    return components;
}

void add_volumes(py::module_& module) {
    using Handle = Part<Volume>;
    py::class_<Handle>(module, "Volume",
                       "A sparse grid: blocks of `side` cells. Cell (i, j, k) has its centre at "
                       "origin + (i + ½, j + ½, k + ½) · voxel.")
        .def_property_readonly("name", [](const Handle& h) { return h.value->name; })
        .def_property_readonly("unit", [](const Handle& h) { return h.value->unit; })
        .def_property_readonly("kind", [](const Handle& h) { return kind_of(*h.value); })
        .def_property_readonly("voxel", [](const Handle& h) { return h.value->voxel; })
        .def_property_readonly("background", [](const Handle& h) { return h.value->background; })
        .def_property_readonly("origin",
                               [](const Handle& h) {
                                   const auto& o = h.value->origin;
                                   return py::make_tuple(o[0], o[1], o[2]);
                               })
        .def_property_readonly("side",
                               [](const Handle& h) {
                                   const auto& s = h.value->side;
                                   return py::make_tuple(s[0], s[1], s[2]);
                               })
        .def_property_readonly(
            "tiles", [](const Handle& h) { return array_of(h.value->tiles); },
            "The lower cell of each block.")
        .def_property_readonly(
            "values", [](const Handle& h) { return volume_values(*h.value); },
            "All blocks as one array [tile, i, j, k]; three of them for a staggered volume, the "
            "values of the cells' lower x, y and z faces.");
}

py::tuple tuple_of(const Vec<double, 3>& v) { return py::make_tuple(v[0], v[1], v[2]); }

py::dict bodies_of(const Frame& frame) {
    py::dict bodies;
    for (const BodyPose& body : frame.bodies) {
        const auto& row = body.pose.rotation.row;
        py::dict d;
        d["position"] = tuple_of(body.pose.position);
        d["rotation"] = py::make_tuple(tuple_of(row[0]), tuple_of(row[1]), tuple_of(row[2]));
        d["velocity"] = tuple_of(body.twist.linear);
        d["angular_velocity"] = tuple_of(body.twist.angular);
        bodies[py::int_(body.solid)] = d;
    }
    return bodies;
}

}  // namespace

void add_frames(py::module_& module) {
    add_points(module);
    add_meshes(module);
    add_volumes(module);
    py::class_<FrameHandle>(module, "Frame", "What one frame holds, by name.")
        .def_property_readonly("number", [](const FrameHandle& h) { return h.frame->number; })
        .def_property_readonly("time", [](const FrameHandle& h) { return h.frame->time; })
        .def_property_readonly("points",
                               [](const FrameHandle& h) { return parts_of(h, h.frame->points); })
        .def_property_readonly("volumes",
                               [](const FrameHandle& h) { return parts_of(h, h.frame->volumes); })
        .def_property_readonly("meshes",
                               [](const FrameHandle& h) { return parts_of(h, h.frame->meshes); })
        .def_property_readonly(
            "bodies", [](const FrameHandle& h) { return bodies_of(*h.frame); },
            "Poses of the solids that the simulation moves, by their number in the scene.")
        .def_property_readonly(
            "problems", [](const FrameHandle& h) { return to_python(h.problems); },
            "What could not be read, as in UserError.complaints.");
}

}  // namespace spume::python
