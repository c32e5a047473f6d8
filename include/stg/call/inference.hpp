// Running a program plainly: from inputs to the caller's memory.
#pragma once

#include <cstddef>  // byte

#include <stg/call/memory.hpp>         // inference_memory
#include <stg/codegen/part_calls.hpp>  // meet
#include <stg/runtime/binding.hpp>     // check_edge_ids
#include <stg/runtime/kinds.hpp>       // kinds_of_call, most_edges

namespace stg::detail {

/// Runs program Ref in a block of m.bytes(). `input(entry)` is the place of an input, `to[k]` the place of output k.
template <class Ref, class Backend, class Input>
void run_plainly(const Backend& backend, inference_memory<Ref, Backend>& m, const call_graph& on, const call_sizes& n,
                 const Input& input, std::byte* const* to, std::byte* block) {
  using P = typename inference_memory<Ref, Backend>::P;
  check_edge_ids(view_of_plan<P>(), most_edges(on.outside()));
  frame<P>& f = m.values;
  f.for_each_input([&](int i, int entry) { f.memory(i) = input(entry); });
  f.point(block);
  for (int k = 0; k < m.outputs; ++k)
    if (m.in_place[k]) f.memory(f.output_root(k)) = to[k];
  go_over(on, m.launch);
  m.launch.memory = f.memory();
  m.launch.resources.workspace = block + m.buffers;
  codegen::meet(f.plan(), m.launch);
  backend.template run<P>(m.launch);
  for (int k = 0; k < m.outputs; ++k) {
    const ir::statement& s = f.plan().statements[f.output_root(k)];
    if (!m.in_place[k] && f.output(k) != to[k]) backend.copy(to[k], f.output(k), bytes_of_value(s, n));
  }
}

}  // namespace stg::detail
