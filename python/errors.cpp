// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "python/bindings.h"

namespace py = pybind11;

namespace spume::python {
namespace {

template <class... Details>
void raise(const char* name, const char* text, Details&&... details) {
    const py::object type = py::module_::import("spume.errors").attr(name);
    const py::object error = type(text, std::forward<Details>(details)...);
    PyErr_SetObject(type.ptr(), error.ptr());
}

template <class T>
py::tuple tuple_of(const Vec<T, 3>& v) {
    return py::make_tuple(v[0], v[1], v[2]);
}

py::list bad_values(const std::vector<BadValue>& values) {
    py::list list;
    for (const BadValue& b : values) {
        py::dict d;
        d["stage"] = b.stage;
        d["field"] = b.field;
        d["cell"] = tuple_of(b.cell);
        d["position"] = tuple_of(b.position);
        d["value"] = b.value;
        list.append(d);
    }
    return list;
}

void translate(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const UserError& error) {
        raise("UserError", error.what(), to_python(error.complaints()));
    } catch (const SimulationError& error) {
        raise("SimulationError", error.what(), bad_values(error.bad()));
    } catch (const MachineError& error) {
        raise("MachineError", error.what());
    } catch (const Defect& error) {
        raise("Defect", error.what());
    }
}

}  // namespace

py::list to_python(const std::vector<Complaint>& complaints) {
    py::list list;
    for (const Complaint& c : complaints) {
        py::dict d;
        d["file"] = c.place.file;
        d["line"] = c.place.line;
        d["column"] = c.place.column;
        d["message"] = c.message;
        d["remedy"] = c.remedy;
        list.append(d);
    }
    return list;
}

py::object from_json(const std::string& text) {
    return py::module_::import("json").attr("loads")(text);
}

void add_errors() { py::register_exception_translator(translate); }

}  // namespace spume::python
