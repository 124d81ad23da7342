// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include <pybind11/numpy.h>

#include "spume/core/error.h"
#include "spume/core/visit_state.h"

namespace spume::python {

/// Copies of every member of a simulation's state, by name: the simulation writes in place, so
/// arrays over its own memory would change, or dangle, with the next substep.
class StateArrays final : public StateVisitor {
  public:
    bool loading() const override { return false; }
    pybind11::dict arrays;

  protected:
    void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) override {
        keep(name, type, bytes.data(), {});
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize) override {
        keep(name, type, data, {static_cast<pybind11::ssize_t>(count)});
    }

  private:
    void keep(std::string_view name, ElementType type, const std::byte* data,
              std::vector<pybind11::ssize_t> shape) {
        const bool plain = type.kind == 'b';
        if (type.width > 1) shape.push_back(type.width);
        if (plain) shape.push_back(type.bytes);
        const std::string format =
            plain ? "u1" : std::string(1, type.kind) + std::to_string(type.bytes);
        // Without a base numpy copies; it needs some address even for nothing.
        const std::byte nothing{};
        arrays[pybind11::str(std::string(name))] =
            pybind11::array(pybind11::dtype(format), std::move(shape), data ? data : &nothing);
    }
};

/// Writes one member of a simulation's state, of the size it has.
class StateWriter final : public StateVisitor {
  public:
    StateWriter(std::string name, const pybind11::array& values)
        : name_(std::move(name)), values_(values) {}
    bool loading() const override { return false; }
    bool found() const { return found_; }
    const std::vector<std::string>& names() const { return names_; }

  protected:
    void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) override {
        if (wanted(name)) take(type, 0, false, bytes.data());
    }
    void array(std::string_view name, ElementType type, const std::byte*, std::size_t count,
               FunctionOfSize resize) override {
        if (!wanted(name)) return;
        const pybind11::array ready = converted(type, count, true);
        std::byte* out = resize(count);
        std::copy_n(static_cast<const std::byte*>(ready.data()), ready.nbytes(), out);
    }

  private:
    bool wanted(std::string_view name) {
        names_.emplace_back(name);
        if (name != name_) return false;
        found_ = true;
        return true;
    }
    pybind11::array converted(ElementType type, std::size_t count, bool many) const {
        if (type.kind == 'b')
            throw UserError("\"" + name_ + "\" is of a type of its own and cannot be written",
                            "write one of numbers");
        std::vector<pybind11::ssize_t> shape;
        if (many) shape.push_back(static_cast<pybind11::ssize_t>(count));
        if (type.width > 1) shape.push_back(type.width);
        const std::vector<pybind11::ssize_t> given(values_.shape(),
                                                   values_.shape() + values_.ndim());
        if (given != shape)
            throw UserError("\"" + name_ + "\" was given values of another shape than it has",
                            "take the array of state(), change it and give it back");
        const std::string format = std::string(1, type.kind) + std::to_string(type.bytes);
        const pybind11::module_ numpy = pybind11::module_::import("numpy");
        if (type.kind == 'f' && !numpy.attr("isfinite")(values_).attr("all")().cast<bool>())
            throw UserError("\"" + name_ + "\" was given values that are not finite",
                            "give finite numbers");
        return numpy.attr("ascontiguousarray")(values_, pybind11::dtype(format));
    }
    void take(ElementType type, std::size_t count, bool many, std::byte* out) const {
        const pybind11::array ready = converted(type, count, many);
        std::copy_n(static_cast<const std::byte*>(ready.data()), ready.nbytes(), out);
    }

    std::string name_;
    pybind11::array values_;
    std::vector<std::string> names_;
    bool found_ = false;
};

}  // namespace spume::python
