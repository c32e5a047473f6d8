// Loops over the elements of many arrays, in blocks that threads take.
#pragma once

#include "isa_index.hpp"        // isa_index
#include "optimizer_table.hpp"  // optimizer_table

#include <algorithm>  // min
#include <cstdint>    // int64_t
#include <span>       // span

#include <stg/runtime/optimizer_base.hpp>  // parameter_update
#include <stg/runtime/parallel.hpp>        // parallel_if_worth

namespace stg::detail {

/// The loops of the instruction set that is in use.
inline const optimizer_table& optimizer_loops() {
  constexpr const optimizer_table* tables[] = {STG_FOR_EACH_ISA(&optimizer_table)};
  return *tables[isa_index()];
}

inline constexpr std::int64_t updated_block = 16384;  // elements of a part
inline std::int64_t blocks_of(const parameter_update& u) { return (u.size + updated_block - 1) / updated_block; }

/// update(parameter, first element, elements) for all blocks of all parameters, which are numbered one after the other
/// so that threads wake once.
template <class Update>
void for_blocks(std::span<const parameter_update> all, std::int64_t elements_per_ns, Update update) {
  std::int64_t parts = 0, elements = 0;
  for (const parameter_update& u : all) {
    parts += blocks_of(u);
    elements += u.size;
  }
  parallel_if_worth(elements / elements_per_ns, parts, [&](std::int64_t part) {
    const parameter_update* u = all.data();
    for (; part >= blocks_of(*u); ++u) part -= blocks_of(*u);
    update(*u, part * updated_block, std::min(updated_block, u->size - part * updated_block));
  });
}

template <class T> T* at(void* array, std::int64_t i) { return static_cast<T*>(array) + i; }
template <class T> const T* at(const void* array, std::int64_t i) { return static_cast<const T*>(array) + i; }

}  // namespace stg::detail
