// Steps that read whole arrays: dense and sparse products, products and values reduced over all vertices.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/launch.hpp>     // launch, scan_context

namespace stg::cpu {

/// Computes statement i; the workspace is its own.
void run_whole(const codegen::plan_data& plan, int i, const codegen::launch& l);

/// Whether statement i is a dense product of rows of two bytes a number, which are widened on the way.
bool widens_rows(const codegen::plan_data& plan, int i);
/// Bytes of a dense product's partial sums, or of its parameter laid out anew; and bytes of a thread's room to widen
/// rows in.
std::int64_t product_workspace(const codegen::plan_data& plan, int i, const codegen::launch& l);
std::int64_t widening_room(const codegen::plan_data& plan, int i, const codegen::launch& l);

/// Of a dense product by a parameter: lays that out anew, in as many bytes as `product_workspace` says; and computes
/// the product with what was laid out. room: `widening_room` bytes for each thread.
void pack_parameter(const codegen::plan_data& plan, int i, const codegen::launch& l, std::byte* packed);
void run_packed(const codegen::plan_data& plan, int i, const codegen::launch& l, const std::byte* packed,
                std::byte* room);

/// Whether statement i is such a product, and its parameter the same at all steps of the scan at hand.
bool has_same_parameter(const codegen::plan_data& plan, int i, const codegen::scan_context& scans);

/// Bytes that it needs for its partial sums, or for a parameter laid out anew, and to widen rows in.
std::int64_t whole_workspace(const codegen::plan_data& plan, int i, const codegen::launch& l);

/// Calls body(i) for the statements of a unit whose steps read whole arrays.
template <class Body> void for_each_whole(const codegen::plan_data& plan, int unit, const Body& body) {
  for (int k = plan.units[unit].first_step; k < plan.units[unit].last_step; ++k) body(plan.steps[k].index);
}
/// Bytes that the largest of them needs.
std::int64_t whole_unit_workspace(const codegen::plan_data& plan, int unit, const codegen::launch& l);

}  // namespace stg::cpu
