// The list of operations. Adding one: a word here, and its struct in a file of op/.
//
// The meaning of a value, in one page:
//   sources      input constant extent_value vertex_count degree vertex_index edge_index iota keep_mask
//   pointwise    one result per feature, operands broadcast over feature axes, graph values are read from anywhere
//                elementwise_1, _2, _3: a user's operation on so many values (op/elementwise.hpp)
//   features     work along the feature axes of one value, never across vertices or edges
//   gathers      vertex → edge: the value of the edge's source or destination
//   aggregates   edge → vertex: over the edges that a vertex owns (attribute: direction)
//   reductions   vertex → graph; scatter_sum: rows of vertices or edges summed by an index, a table's gradient
//   dense        matmul: rows × parameter; reduced_matmul: rowsᵀ × rows, summed over vertices, a parameter's gradient;
//                sparse_matmul, sparse_reduced_matmul: the same for a sparse input x, its mask an operand
//   calls        scan: a program of its own, step by step, the values that it carries going from one step to the next;
//                arguments, bind: the list of its operands; result: one of the values that it gives back (scan.hpp);
//                own_gradient: values whose gradient is a program of its own (own_gradient.hpp)
//   messages     between ranks: send, receive, sum_at_rank, value_of_rank (message.hpp)
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <string_view>  // string_view

namespace stg::ir {

// clang-format off
#define STG_OPERATIONS(word) \
  word(input) \
  word(constant) \
  word(extent_value) \
  word(vertex_count) \
  word(degree) \
  word(vertex_index) \
  word(edge_index) \
  word(iota) \
  word(keep_mask) \
  word(arguments) \
  word(cast) \
  word(negate) \
  word(exp) \
  word(exp2) \
  word(expm1) \
  word(log) \
  word(log2) \
  word(log1p) \
  word(sqrt) \
  word(rsqrt) \
  word(cbrt) \
  word(erf) \
  word(sin) \
  word(cos) \
  word(asin) \
  word(acos) \
  word(atan) \
  word(sinh) \
  word(cosh) \
  word(tanh) \
  word(sigmoid) \
  word(relu) \
  word(leaky_relu) \
  word(elu) \
  word(abs) \
  word(sign) \
  word(floor) \
  word(ceil) \
  word(round) \
  word(detach) \
  word(training) \
  word(add) \
  word(sub) \
  word(mul) \
  word(div) \
  word(min) \
  word(max) \
  word(pow) \
  word(hypot) \
  word(fmod) \
  word(less) \
  word(less_equal) \
  word(equal) \
  word(not_equal) \
  word(select) \
  word(softmax_edges) \
  word(softmax_axes) \
  word(broadcast_to) \
  word(reduce_sum) \
  word(reduce_max) \
  word(reduce_top_share) \
  word(reshape) \
  word(concat) \
  word(slice) \
  word(pad) \
  word(pick) \
  word(put) \
  word(transpose) \
  word(gather_src) \
  word(gather_dst) \
  word(sum_edges) \
  word(max_edges) \
  word(prod_edges) \
  word(var_edges) \
  word(first_max_edge) \
  word(top_share_edges) \
  word(sum_vertices) \
  word(max_vertices) \
  word(scatter_sum) \
  word(matmul) \
  word(reduced_matmul) \
  word(sparse_matmul) \
  word(sparse_reduced_matmul) \
  word(bind) \
  word(scan) \
  word(scan_gradient) \
  word(result) \
  word(own_gradient) \
  word(send) \
  word(receive) \
  word(sum_at_rank) \
  word(value_of_rank) \
  word(elementwise_1) \
  word(elementwise_2) \
  word(elementwise_3)
// clang-format on

#define STG_ENUMERATOR(word) word,
enum class opcode : int { STG_OPERATIONS(STG_ENUMERATOR) };
#undef STG_ENUMERATOR

namespace detail {
#define STG_SPELLING(word) {#word, sizeof(#word) - 1},  // g++ would count the letters one by one
inline constexpr std::string_view spellings[] = {STG_OPERATIONS(STG_SPELLING)};
#undef STG_SPELLING
}  // namespace detail
constexpr std::string_view name_of(opcode code) { return detail::spellings[static_cast<int>(code)]; }

#define STG_COUNT(word) +1
inline constexpr int opcode_count = 0 STG_OPERATIONS(STG_COUNT);
#undef STG_COUNT

}  // namespace stg::ir
