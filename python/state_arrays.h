// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <pybind11/numpy.h>

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

}  // namespace spume::python
