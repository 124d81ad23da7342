// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/vec.h"

namespace spume {

/// What the bytes of a value are, for checkpoints (which verify it), Python and tests.
struct ElementType {
    char kind = 'f';  ///< f float, i signed, u unsigned, b plain bytes
    int bytes = 4;    ///< of one scalar
    int width = 1;    ///< scalars an element
    friend bool operator==(const ElementType&, const ElementType&) = default;
};

template <class T>
struct ElementTypeOf {
    static constexpr ElementType value{std::is_floating_point_v<T> ? 'f'
                                       : std::is_signed_v<T>       ? 'i'
                                       : std::is_arithmetic_v<T>   ? 'u'
                                                                   : 'b',
                                       static_cast<int>(sizeof(T)), 1};
};
template <class T, int D>
struct ElementTypeOf<Vec<T, D>> {
    static constexpr ElementType value{ElementTypeOf<T>::value.kind, static_cast<int>(sizeof(T)),
                                       D};
};

/// Walks every member of a method's State. A State has one function `describe(State&,
/// StateVisitor&)` that names all its members; what it leaves out is lost on resume.
class StateVisitor {
  public:
    virtual ~StateVisitor() = default;

    template <class T>
    void operator()(std::string_view name, T& value) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        fixed(name, ElementTypeOf<T>::value, {reinterpret_cast<std::byte*>(&value), sizeof(T)});
    }
    template <class T>
    void operator()(std::string_view name, Array<T>& values) {
        auto resize = [&values](std::size_t n) {
            values.resize_discard(n);
            return reinterpret_cast<std::byte*>(values.write().data());
        };
        array(name, ElementTypeOf<T>::value, reinterpret_cast<const std::byte*>(values.data()),
              values.size(), FunctionOfSize(resize));
    }
    template <class T>
    void operator()(std::string_view name, std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
        auto resize = [&values](std::size_t n) {
            values.resize(n);
            return reinterpret_cast<std::byte*>(values.data());
        };
        array(name, ElementTypeOf<T>::value, reinterpret_cast<const std::byte*>(values.data()),
              values.size(), FunctionOfSize(resize));
    }

    /// True while values are being filled in (reading a checkpoint): derived members such as a
    /// tile set must then be rebuilt from what was read.
    virtual bool loading() const = 0;

  protected:
    class FunctionOfSize {
      public:
        template <class F>
        explicit FunctionOfSize(F& f)
            : object_(&f), call_([](void* o, std::size_t n) { return (*static_cast<F*>(o))(n); }) {}
        std::byte* operator()(std::size_t n) const { return call_(object_, n); }

      private:
        void* object_;
        std::byte* (*call_)(void*, std::size_t);
    };
    virtual void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) = 0;
    /// `resize(n)` makes room for n elements and returns where to write them.
    virtual void array(std::string_view name, ElementType type, const std::byte* data,
                       std::size_t count, FunctionOfSize resize) = 0;
};

}  // namespace spume
