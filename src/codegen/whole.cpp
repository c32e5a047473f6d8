// Steps that read whole arrays.
#include <stg/codegen/cpu/whole.hpp>

#include <algorithm>  // max

#include <stg/codegen/exchanges.hpp>       // exchanging, reduces_rows
#include <stg/codegen/operands.hpp>        // dense_rows, stored_at
#include <stg/runtime/dense.hpp>           // packed_product, reduced_product
#include <stg/runtime/reduce.hpp>          // reduce_vertices
#include <stg/runtime/scatter_sum.hpp>     // scatter_sum
#include <stg/runtime/sparse_product.hpp>  // sparse_product

#include "with_type.hpp"  // with_type, with_real_type

namespace stg::cpu {

namespace {

using codegen::dense_rows;
using codegen::dropout_of;
using codegen::last_extent;
using codegen::launch;
using codegen::plan_data;
using codegen::sparse_at;
using codegen::stored_at;
using codegen::width_of;

/// Of a part of a cut graph the rows that this rank computes, by rows alone; else all.
template <class T> sparse_view<T> own_rows(sparse_view<T> x, const launch& l) {
  if (l.graph.ranks != nullptr) x.by_row.count = l.graph.vertices;
  return x;
}

template <class T> void run_product(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  const int x = s.operands[0];
  const T* const right = stored_at<T>(plan, s.operands[1], l);
  T *const to = stored_at<T>(plan, i, l), *const scratch = reinterpret_cast<T*>(l.resources.workspace);
  switch (s.code) {
    case ir::opcode::reduced_matmul:
      return reduced_product(stored_at<T>(plan, x, l), right, to, scratch, dense_rows(plan, x, l),
                             last_extent(plan, x, l), last_extent(plan, s.operands[1], l));
    case ir::opcode::sparse_matmul:
      return sparse_product(own_rows(sparse_at<T>(x, l), l), right, to, last_extent(plan, i, l),
                            dropout_of(plan, s.operands[2], l));
    default:  // sparse_reduced_matmul
      return sparse_reduced_product(sparse_at<T>(x, l), right, to, last_extent(plan, i, l),
                                    dropout_of(plan, s.operands[2], l));
  }
}

template <class T> void run_scatter_sum(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  const int x = s.operands[0];
  scatter_sum(stored_at<T>(plan, x, l), stored_at<std::int32_t>(plan, s.operands[1], l), stored_at<T>(plan, i, l),
              l.resources.workspace, l.graph.rows_of(plan.statements[x].where), codegen::first_extent(plan, i, l),
              width_of(plan, x, l));
}

bool reduces_vertices(ir::opcode code) { return code == ir::opcode::sum_vertices || code == ir::opcode::max_vertices; }

}  // namespace

void pack_parameter(const plan_data& plan, int i, const launch& l, std::byte* packed) {
  const ir::statement& s = plan.statements[i];
  codegen::with_real_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    pack_product(stored_at<T>(plan, s.operands[1], l), reinterpret_cast<T*>(packed),
                 last_extent(plan, s.operands[0], l), last_extent(plan, i, l), s.is_transposed());
  });
}

void run_packed(const plan_data& plan, int i, const launch& l, const std::byte* packed) {
  const int x = plan.statements[i].operands[0];
  codegen::with_real_type(plan.statements[i].type, [&](auto zero) {
    using T = decltype(zero);
    packed_product(stored_at<T>(plan, x, l), reinterpret_cast<const T*>(packed), stored_at<T>(plan, i, l),
                   dense_rows(plan, x, l), last_extent(plan, x, l), last_extent(plan, i, l));
  });
}

bool has_same_parameter(const plan_data& plan, int i, const codegen::scan_context& scans) {
  const ir::statement& s = plan.statements[i];
  if (scans.same_inputs == nullptr || s.code != ir::opcode::matmul) return false;
  const ir::statement& w = plan.statements[plan.root(s.operands[1])];
  return w.code == ir::opcode::input && scans.same_inputs[w.entry()] != 0;
}

void run_whole(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  if (l.others.exchanges != nullptr && codegen::reduces_rows(plan, i)) return l.others.exchanges->reduce(i, l);
  if (s.code == ir::opcode::matmul) {
    pack_parameter(plan, i, l, l.resources.workspace);
    return run_packed(plan, i, l, l.resources.workspace);
  }
  if (s.code == ir::opcode::scatter_sum)
    return codegen::with_real_type(s.type, [&](auto zero) { run_scatter_sum<decltype(zero)>(plan, i, l); });
  if (!reduces_vertices(s.code))
    return codegen::with_real_type(s.type, [&](auto zero) { run_product<decltype(zero)>(plan, i, l); });
  codegen::with_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    reduce_vertices(s.code == ir::opcode::sum_vertices ? vertex_reduction::sum : vertex_reduction::max,
                    stored_at<T>(plan, s.operands[0], l), stored_at<T>(plan, i, l),
                    reinterpret_cast<T*>(l.resources.workspace), l.graph.rows_of(plan.statements[s.operands[0]].where),
                    width_of(plan, s.operands[0], l));
  });
}

std::int64_t whole_workspace(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  const int x = s.operands[0];
  std::int64_t elements = 0;
  if (s.code == ir::opcode::scatter_sum) {
    return scatter_sum_scratch(l.graph.rows_of(plan.statements[x].where), codegen::first_extent(plan, i, l),
                               width_of(plan, x, l), bytes_of(s.type));
  } else if (s.code == ir::opcode::matmul) {
    const std::int64_t inner = last_extent(plan, x, l), cols = last_extent(plan, i, l);
    elements = s.type == f32 ? product_scratch<float>(inner, cols) : product_scratch<double>(inner, cols);
  } else if (s.code == ir::opcode::reduced_matmul) {
    elements =
        reduced_product_scratch(dense_rows(plan, x, l), last_extent(plan, x, l), last_extent(plan, s.operands[1], l));
  } else if (reduces_vertices(s.code)) {
    elements = reduce_vertices_scratch(l.graph.rows_of(plan.statements[x].where), width_of(plan, x, l));
  }
  return elements * bytes_of(s.type);
}

std::int64_t whole_unit_workspace(const plan_data& plan, int unit, const launch& l) {
  std::int64_t most = 0;
  for_each_whole(plan, unit, [&](int i) { most = std::max(most, whole_workspace(plan, i, l)); });
  return most;
}

}  // namespace stg::cpu
