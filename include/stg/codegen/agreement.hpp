// What a user's file hands to the library as data, and the library reads by the headers that it was compiled with: a
// number for each kind of such data. A program compares its own with the library's when it starts
// (call/agreement_check.hpp): two lists of operations that differ by a word would compute something else in silence.
#pragma once

#include <cstddef>  // offsetof, size_t
#include <cstdint>  // uint64_t

#include <stg/analysis/choices.hpp>           // choices
#include <stg/analysis/edge_plan.hpp>         // planned_value, planned_result, edge_mode
#include <stg/analysis/unit.hpp>              // unit_kind, sweep_side
#include <stg/base/hash.hpp>                  // hash_state
#include <stg/codegen/cpu/compiled_plan.hpp>  // compiled_plan, unit_names
#include <stg/codegen/cpu/library_keys.hpp>   // library_keys
#include <stg/codegen/frame.hpp>              // call_sizes
#include <stg/codegen/plan_data.hpp>          // plan_data
#include <stg/codegen/launch.hpp>             // launch
#include <stg/codegen/scan.hpp>               // step_program
#include <stg/ir/frozen.hpp>                  // program_sizes
#include <stg/ir/opcode.hpp>                  // STG_OPERATIONS
#include <stg/ir/program.hpp>                 // program, statement
#include <stg/pass/plan.hpp>                  // planned_unit, planned_loop
#include <stg/pass/save.hpp>                  // connection
#include <stg/runtime/binding.hpp>            // program_view, bound_input
#include <stg/runtime/sparse_tensor.hpp>      // sparse_tensor
#include <stg/runtime/tensor.hpp>             // tensor

namespace stg::codegen {

/// Where the members of T lie; of a class that keeps them to itself its size alone.
template <class T> inline constexpr std::size_t layout[] = {sizeof(T)};
/// The numbers of an enumeration's words.
template <class E> inline constexpr std::size_t words[] = {0};

// word(of, x) for each x, of which there are 25 at most.
#define STG_PARENTHESES ()
#define STG_EACH_AGAIN() STG_EACH
#define STG_EACH(word, of, x, ...) word(of, x) __VA_OPT__(STG_EACH_AGAIN STG_PARENTHESES(word, of, __VA_ARGS__))
#define STG_SCAN(...) STG_SCAN5(STG_SCAN5(STG_SCAN5(STG_SCAN5(STG_SCAN5(__VA_ARGS__)))))
#define STG_SCAN5(...) STG_SCAN1(STG_SCAN1(STG_SCAN1(STG_SCAN1(STG_SCAN1(__VA_ARGS__)))))
#define STG_SCAN1(...) __VA_ARGS__

#define STG_PLACE(type, member) offsetof(type, member),
#define STG_NUMBER(type, word) static_cast<std::size_t>(type::word),
#define STG_LAYOUT(type, ...) \
  template <>                 \
  inline constexpr std::size_t layout<type>[] = {STG_SCAN(STG_EACH(STG_PLACE, type, __VA_ARGS__)) sizeof(type)};
#define STG_WORDS(type, ...) \
  template <> inline constexpr std::size_t words<type>[] = {STG_SCAN(STG_EACH(STG_NUMBER, type, __VA_ARGS__))};

STG_WORDS(ir::space, vertex, edge, graph)
STG_WORDS(ir::direction, in, out)
STG_WORDS(ir::start::rule, by_shape, constant, uniform, normal, glorot_uniform, glorot_normal, kaiming_uniform)
STG_WORDS(scalar_type, f32, f64, i32, boolean, bf16, f16, real)
STG_WORDS(ir::decided_of, whole, scope, value, pair)
#define STG_CHOICE(type, name, measured) static_cast<std::size_t>(ir::decided::name),
template <>
inline constexpr std::size_t words<ir::decided>[] = {static_cast<std::size_t>(ir::decided::keep),
                                                     static_cast<std::size_t>(ir::decided::stored),
                                                     static_cast<std::size_t>(ir::decided::inlined),
                                                     static_cast<std::size_t>(ir::decided::together),
                                                     static_cast<std::size_t>(ir::decided::apart),
                                                     static_cast<std::size_t>(ir::decided::width),
                                                     static_cast<std::size_t>(ir::decided::splits),
                                                     static_cast<std::size_t>(ir::decided::overlaps),
                                                     STG_CHOICES(STG_CHOICE)};
#undef STG_CHOICE
STG_WORDS(keeping, chosen, everything, all_but_edges, results, inputs)
STG_WORDS(pass::unit_kind, sweep, product, reduced_product, reduction, graph, scan, message)
STG_WORDS(pass::sweep_side, in, out, none)
STG_WORDS(pass::edge_mode, absent, leaf, joined, rows, across)
STG_WORDS(pass::connection_kind, cotangent, input, saved)

STG_LAYOUT(ir::domain, kind, set)
STG_LAYOUT(ir::shape, rank, axes)
STG_LAYOUT(ir::statement, code, where, type, dims, over, operands, number_, attribute_, axis_, scopes)
STG_LAYOUT(ir::term, coefficient, factors, degree)
STG_LAYOUT(ir::polynomial, terms, count)
STG_LAYOUT(ir::start, how, first, second)
STG_LAYOUT(ir::input, name, trainable, sparse, begins)
STG_LAYOUT(ir::output, at, name)
STG_LAYOUT(ir::label, name, at)
STG_LAYOUT(ir::decision, what, whom, at, other, number)
STG_LAYOUT(ir::tag, name, at, axis)
STG_LAYOUT(ir::label_range, labels, mask, classes)
STG_LAYOUT(ir::kind, name, source, destination)
STG_LAYOUT(ir::program_sizes, statements, inputs, extents, outputs, scopes, scope_sets, names, checks, tags, decisions,
           callees, kinds)

STG_LAYOUT(pass::step, is_loop, index)
STG_LAYOUT(pass::planned_unit, kind, side, set, relation, first_step, last_step, chained)
STG_LAYOUT(pass::planned_loop, side, relation, first_statement, last_statement, first_result, last_result, first_mode,
           last_mode)
STG_LAYOUT(pass::planned_value, at, level, kept, in_one_chunk, softmax)
STG_LAYOUT(pass::planned_result, at, level, summed_in, over)
STG_LAYOUT(pass::value_mode, at, mode)
STG_LAYOUT(pass::lifetime, first, last)
STG_LAYOUT(pass::connection, kind, index)
STG_LAYOUT(plan_data, size, unit_count, loop_count, statements, units, steps, loops, loop_statements, loop_results,
           modes, stored, in_block, joined, lifetimes, overwrites, outputs, output_count, by, decisions, decision_count,
           scopes, scope_count, scope_sets)

STG_LAYOUT(graph_view, in, out, vertices, edges, neighbours, kinds, ranks, own_edges, all_vertices)
STG_LAYOUT(random_draws, seed, number, first_site, sites, launches)
STG_LAYOUT(call_resources, workspace, threads, machine)
STG_LAYOUT(scan_context, graphs, room_edges, kept, again, same_inputs)
STG_LAYOUT(other_ranks, there, results, exchanges, messages, columns)
STG_LAYOUT(launch, memory, extents, graph, draws, resources, scans, others)
STG_LAYOUT(cpu::unit_names, form, values, value_count, extents, extent_count, sites)
STG_LAYOUT(long_rows, row, first_part, count, parts, part_edges)
STG_LAYOUT(kind_rows, rows, in, out, ranks, own_rows, all_rows, sources, destinations)
STG_LAYOUT(stg::detail::call_sizes, vertices, edges, extents, in_long, out_long, graphs, kinds, keep, ranks, messages)
STG_LAYOUT(buffer, bytes, first, last, offset, over, is_over, is_under)

#undef STG_WORDS
#undef STG_LAYOUT
#undef STG_NUMBER
#undef STG_PLACE
#undef STG_SCAN
#undef STG_SCAN5
#undef STG_SCAN1
#undef STG_EACH
#undef STG_EACH_AGAIN
#undef STG_PARENTHESES

/// One number of all their layouts and words.
template <class... T> constexpr std::uint64_t hash_of_layouts() {
  stg::detail::hash_state h;
  const auto add = [&](const auto& numbers) {
    for (const std::size_t n : numbers) h.add(n);
  };
  (add(layout<T>), ...);
  (add(words<T>), ...);
  return h.state;
}
/// One number of the operations, by their words and in their order.
constexpr std::uint64_t hash_of_operations() {
  stg::detail::hash_state h;
  for (int k = 0; k < ir::opcode_count; ++k) h.add(ir::name_of(static_cast<ir::opcode>(k)));
  return h.state;
}
/// The same of the keys of its kernels.
constexpr std::uint64_t hash_of_keys() {
  stg::detail::hash_state h;
  for (const std::uint64_t key : cpu::library_keys) h.add(key);
  return h.state;
}

/// What the words of a unit's form count; operations go by their own words. src/kernels/forms.hpp holds such words.
inline constexpr std::uint64_t hash_of_form_words =
    hash_of_layouts<ir::space, ir::direction, scalar_type, pass::unit_kind, pass::sweep_side, pass::edge_mode>();

/// A number of each kind of data.
struct agreement {
  std::uint64_t operations, programs, plans, calls, kernels;
};
inline constexpr agreement agreement_of_headers = {
    .operations = hash_of_operations(),
    .programs = hash_of_layouts<ir::space, ir::direction, scalar_type, keeping, ir::domain, ir::shape, ir::statement,
                                ir::term, ir::polynomial, ir::start::rule, ir::start, ir::input, ir::output, ir::label,
                                ir::tag, ir::decided, ir::decided_of, ir::decision, ir::label_range, ir::kind,
                                ir::program_sizes, ir::program>(),
    .plans = hash_of_layouts<pass::unit_kind, pass::sweep_side, pass::edge_mode, pass::step, pass::planned_unit,
                             pass::planned_loop, pass::planned_value, pass::planned_result, pass::value_mode,
                             pass::lifetime, pass::connection_kind, pass::connection, pass::choices, plan_data>(),
    .calls = hash_of_layouts<graph_view, random_draws, call_resources, scan_context, other_ranks, launch,
                             cpu::unit_names, cpu::compiled_plan, step_program, adjacency, long_rows, kind_rows,
                             stg::detail::call_sizes, step_graphs, call_graph, buffer, checkpoints, bound_input,
                             program_view, graph, tensor<float>, sparse_tensor<float>>(),
    .kernels = hash_of_keys(),
};

}  // namespace stg::codegen
