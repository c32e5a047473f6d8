// What the functions of a C library call: plain pointers in, a number out, and no exception. Read by the file that
// stg_add_c_library writes; users read the library's own header.
#pragma once

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t, uint64_t
#include <cstring>  // memcpy

#include <stg/door/c_arrays.h>  // stg_input, stg_output; before the library's header, which has the same

namespace stg::door::c {

/// The structs of every written header. One of them for each value of a program makes the struct of its inputs, so
/// that lies in memory as an array does.
using input = stg_input;
using output = stg_output;
using vertex_set = stg_vertex_set;
using relation = stg_relation;

/// Why the last call of this thread failed; empty before one has.
const char* error() noexcept;

/// Graphs; null where one cannot be made.
void* make_graph(std::int64_t vertices, std::int64_t edges, const std::int64_t* src, const std::int64_t* dst) noexcept;
void* make_graph_of_kinds(const vertex_set* sets, std::int32_t set_count, const relation* relations,
                          std::int32_t relation_count) noexcept;
void* make_graph_of_steps(std::int64_t vertices, std::int32_t steps, const std::int64_t* edges,
                          const std::int64_t* const* src, const std::int64_t* const* dst) noexcept;
void free_graph(void* graph) noexcept;

/// Calls of function k of the library, by the numbers of arrays that its header has; 0, or not where the call failed.
int call(int k, const void* graph, const input* inputs, const output* outputs) noexcept;
int record(int k, const void* graph, const input* inputs, const output* outputs, void** tape) noexcept;
int backward(void* tape, const input* cotangents, const output* gradients) noexcept;
void free_tape(void* tape) noexcept;
int step(int k, const void* graph, const input* inputs, double* value, const output* outputs,
         const output* gradients) noexcept;
int seed(int k, std::uint64_t s) noexcept;

/// Arrays of a struct of the header; null stays null.
template <class Array, std::size_t Count> struct copied {
  std::array<Array, Count> arrays{};
  bool is_null = false;
  const Array* data() const { return is_null ? nullptr : arrays.data(); }
};
template <class Array, class Struct> auto arrays_of(const Struct* s) {
  static_assert(sizeof(Struct) % sizeof(Array) == 0);
  copied<Array, sizeof(Struct) / sizeof(Array)> c;
  c.is_null = s == nullptr;
  if (s != nullptr) std::memcpy(c.arrays.data(), s, sizeof(Struct));
  return c;
}

/// Writes name.h, name_functions.cpp and name.map into a folder: the header, its functions, and what the library
/// exports. The name is CMake's. Says on the error stream what forbids it, and gives 1 then.
int write_library(const char* name, const char* folder);

}  // namespace stg::door::c
