// Steps that read whole arrays.
#include <stg/codegen/cpu/whole.hpp>

#include <algorithm>    // max
#include <type_traits>  // is_same_v

#include <stg/codegen/exchanges.hpp>       // exchanging, reduces_rows
#include <stg/codegen/operands.hpp>        // dense_rows, stored_at
#include <stg/runtime/dense.hpp>           // packed_product, reduced_product
#include <stg/runtime/memory.hpp>          // in_lines
#include <stg/runtime/reduce.hpp>          // reduce_vertices
#include <stg/runtime/scatter_sum.hpp>     // scatter_sum
#include <stg/runtime/sparse_product.hpp>  // sparse_product

#include "with_type.hpp"  // with_type, with_real_type

namespace stg::cpu {

using codegen::dense_rows;
using codegen::last_extent;
using codegen::launch;
using codegen::plan_data;

bool widens_rows(const plan_data& plan, int i) {
  const ir::statement& s = plan.statements[i];
  const auto is_narrow = [&](int k) { return is_storage(plan.statements[s.operands[k]].type); };
  return (s.code == ir::opcode::matmul || s.code == ir::opcode::reduced_matmul) && (is_narrow(0) || is_narrow(1));
}

std::int64_t product_workspace(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  const int x = s.operands[0];
  if (s.code == ir::opcode::reduced_matmul)
    return bytes_of(s.type) * reduced_product_scratch(dense_rows(plan, x, l), last_extent(plan, x, l),
                                                      last_extent(plan, s.operands[1], l));
  const std::int64_t inner = last_extent(plan, x, l), cols = last_extent(plan, i, l);
  return bytes_of(s.type) *
         (s.type == f32 ? product_scratch<float>(inner, cols) : product_scratch<double>(inner, cols));
}

std::int64_t widening_room(const plan_data& plan, int i, const launch& l) {
  if (!widens_rows(plan, i)) return 0;
  const ir::statement& s = plan.statements[i];
  const std::int64_t k = last_extent(plan, s.operands[0], l);
  return in_lines(bytes_of(f32) * (s.code == ir::opcode::matmul
                                       ? widened_product_room(k)
                                       : widened_reduced_room(k, last_extent(plan, s.operands[1], l))));
}

namespace {

using codegen::dropout_of;
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

scalar_type type_of(const plan_data& plan, int i) { return plan.statements[i].type; }

void run_narrow_reduced_product(const plan_data& plan, int i, const launch& l) {
  const int x = plan.statements[i].operands[0], g = plan.statements[i].operands[1];
  float* const to = stored_at<float>(plan, i, l);
  std::byte* const scratch = l.resources.workspace;
  auto* const room = reinterpret_cast<float*>(scratch + in_lines(product_workspace(plan, i, l)));
  codegen::with_row_type(type_of(plan, x), [&](auto of_x) {
    codegen::with_row_type(type_of(plan, g), [&](auto of_g) {
      using X = decltype(of_x);
      using G = decltype(of_g);
      if constexpr (!std::is_same_v<X, float> || !std::is_same_v<G, float>)
        reduced_product(stored_at<X>(plan, x, l), stored_at<G>(plan, g, l), to, reinterpret_cast<float*>(scratch), room,
                        l.resources.threads, dense_rows(plan, x, l), last_extent(plan, x, l), last_extent(plan, g, l));
    });
  });
}
/// room: to widen rows in, of each thread.
void run_narrow_packed(const plan_data& plan, int i, const launch& l, const std::byte* packed, float* room) {
  const int x = plan.statements[i].operands[0];
  codegen::with_row_type(type_of(plan, x), [&](auto of_x) {
    using X = decltype(of_x);
    if constexpr (!std::is_same_v<X, float>)
      packed_product(stored_at<X>(plan, x, l), reinterpret_cast<const float*>(packed), stored_at<float>(plan, i, l),
                     room, l.resources.threads, dense_rows(plan, x, l), last_extent(plan, x, l),
                     last_extent(plan, i, l));
  });
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

void run_packed(const plan_data& plan, int i, const launch& l, const std::byte* packed, std::byte* room) {
  const int x = plan.statements[i].operands[0];
  if (widens_rows(plan, i)) return run_narrow_packed(plan, i, l, packed, reinterpret_cast<float*>(room));
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
    std::byte* const behind = l.resources.workspace + in_lines(product_workspace(plan, i, l));
    return run_packed(plan, i, l, l.resources.workspace, behind);
  }
  if (s.code == ir::opcode::scatter_sum)
    return codegen::with_real_type(s.type, [&](auto zero) { run_scatter_sum<decltype(zero)>(plan, i, l); });
  if (s.code == ir::opcode::reduced_matmul && widens_rows(plan, i)) return run_narrow_reduced_product(plan, i, l);
  if (!reduces_vertices(s.code))
    return codegen::with_real_type(s.type, [&](auto zero) { run_product<decltype(zero)>(plan, i, l); });
  const int x = s.operands[0];
  const auto reduce = [&](auto of_x, auto of_sum) {
    using T = decltype(of_sum);
    reduce_vertices(s.code == ir::opcode::sum_vertices ? vertex_reduction::sum : vertex_reduction::max,
                    stored_at<decltype(of_x)>(plan, x, l), stored_at<T>(plan, i, l),
                    reinterpret_cast<T*>(l.resources.workspace), l.graph.rows_of(plan.statements[x].where),
                    width_of(plan, x, l));
  };
  if (is_storage(type_of(plan, x))) codegen::with_row_type(type_of(plan, x), [&](auto of_x) { reduce(of_x, float{}); });
  else codegen::with_type(s.type, [&](auto zero) { reduce(zero, zero); });
}

std::int64_t whole_workspace(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  const int x = s.operands[0];
  std::int64_t elements = 0;
  if (s.code == ir::opcode::scatter_sum) {
    return scatter_sum_scratch(l.graph.rows_of(plan.statements[x].where), codegen::first_extent(plan, i, l),
                               width_of(plan, x, l), bytes_of(s.type));
  } else if (s.code == ir::opcode::matmul || s.code == ir::opcode::reduced_matmul) {
    const std::int64_t bytes = product_workspace(plan, i, l), room = widening_room(plan, i, l);
    return room == 0 ? bytes : in_lines(bytes) + l.resources.threads * room;
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
