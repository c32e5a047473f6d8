// A user's operation over many numbers, one after the other: drafts call it by pointer.
#pragma once

#include <algorithm>  // copy_n, min
#include <cstdint>    // int64_t

#include <stg/codegen/cpu/lanes.hpp>       // lanes_t, load, store
#include <stg/codegen/cpu/target.hpp>      // kernel_flags, own_vector_bytes
#include <stg/runtime/own_operations.hpp>  // draft_operands

namespace stg::drafts {

/// Op for numbers of type S; registers are those that the file is compiled for, and files that are compiled otherwise
/// keep theirs apart. Fewer numbers than a register has are computed as a whole one, so none depends on its place.
template <class Op, scalar_type S, int Flags = cpu::kernel_flags>
void own_pointwise(void* to, const draft_operands& from, double, std::int64_t n) {
  using T = element_t<S>;
  constexpr int L = cpu::own_vector_bytes / static_cast<int>(sizeof(T));
  T part[3][L] = {};
  for (std::int64_t i = 0; i < n; i += L) {
    const std::int64_t count = std::min<std::int64_t>(L, n - i);
    cpu::lanes_t<S, L> x[3], y;
    for (int k = 0; k < Op::arity; ++k) {
      const T* first = static_cast<const T*>(from.at[k]);
      if (!from.repeats[k]) first += i;
      if (count < L && !from.repeats[k]) first = (std::copy_n(first, count, part[k]), part[k]);
      cpu::load<S, L>(x[k], first);
    }
    if constexpr (Op::arity == 1) y = Op::apply(x[0]);
    else if constexpr (Op::arity == 2) y = Op::apply(x[0], x[1]);
    else y = Op::apply(x[0], x[1], x[2]);
    if (count == L) {
      cpu::store<S, L>(static_cast<T*>(to) + i, y);
    } else {
      cpu::store<S, L>(part[0], y);
      std::copy_n(part[0], count, static_cast<T*>(to) + i);
    }
  }
}

}  // namespace stg::drafts
