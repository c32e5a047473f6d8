// Steps that read whole arrays: dense and sparse products, products and values reduced over all vertices.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/context.hpp>     // launch, root_of
#include <stg/codegen/operands.hpp>        // dense_rows, stored_at
#include <stg/runtime/dense.hpp>           // product, reduced_product
#include <stg/runtime/reduce.hpp>          // reduce_vertices
#include <stg/runtime/sparse_product.hpp>  // sparse_product

namespace stg::cpu::detail {

template <class P, int I> void run_whole(const launch& l) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0];
  if constexpr (s.code == ir::opcode::matmul) {
    product(stored_at<P, X>(l), stored_at<P, s.operands[1]>(l), stored_at<P, I>(l),
            reinterpret_cast<element<P, I>*>(l.workspace), dense_rows<P, X>(l), last_extent<P, X>(l),
            last_extent<P, I>(l), s.attribute == 1);
  } else if constexpr (s.code == ir::opcode::reduced_matmul) {
    reduced_product(stored_at<P, X>(l), stored_at<P, s.operands[1]>(l), stored_at<P, I>(l),
                    reinterpret_cast<element<P, I>*>(l.workspace), dense_rows<P, X>(l), last_extent<P, X>(l),
                    last_extent<P, s.operands[1]>(l));
  } else if constexpr (s.code == ir::opcode::sparse_matmul) {
    sparse_product(sparse_at<P, X>(l), stored_at<P, s.operands[1]>(l), stored_at<P, I>(l), last_extent<P, I>(l),
                   dropout_of<P, s.operands[2]>(l));
  } else if constexpr (s.code == ir::opcode::sparse_reduced_matmul) {
    sparse_reduced_product(sparse_at<P, X>(l), stored_at<P, s.operands[1]>(l), stored_at<P, I>(l), last_extent<P, I>(l),
                           dropout_of<P, s.operands[2]>(l));
  } else {
    reduce_vertices(s.code == ir::opcode::sum_vertices ? vertex_reduction::sum : vertex_reduction::max,
                    stored_at<P, X>(l), stored_at<P, I>(l), reinterpret_cast<element<P, I>*>(l.workspace), l.vertices,
                    width<P, X>(l));
  }
}

/// Bytes that a statement which reads whole arrays needs for its partial sums, or for a parameter laid out anew.
template <class P, int I> std::int64_t workspace_of(const launch& l) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0];
  if constexpr (s.code == ir::opcode::matmul)
    return product_scratch<element<P, I>>(last_extent<P, X>(l), last_extent<P, I>(l)) * bytes_of(s.type);
  else if constexpr (s.code == ir::opcode::reduced_matmul)
    return reduced_product_scratch(dense_rows<P, X>(l), last_extent<P, X>(l), last_extent<P, s.operands[1]>(l)) *
           bytes_of(s.type);
  else if constexpr (s.code == ir::opcode::sum_vertices || s.code == ir::opcode::max_vertices)
    return reduce_vertices_scratch(l.vertices, width<P, X>(l)) * bytes_of(s.type);
  else return 0;
}

template <class P, int Unit, int... Step> void run_whole_steps(const launch& l, std::integer_sequence<int, Step...>) {
  (run_whole<P, P::plan.steps[P::plan.units[Unit].first_step + Step].index>(l), ...);
}
template <class P, int Unit, int... Step>
std::int64_t whole_steps_workspace(const launch& l, std::integer_sequence<int, Step...>) {
  std::int64_t most = 0, n = 0;
  ((n = workspace_of<P, P::plan.steps[P::plan.units[Unit].first_step + Step].index>(l), most = most < n ? n : most),
   ...);
  return most;
}

}  // namespace stg::cpu::detail
