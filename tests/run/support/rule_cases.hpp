// The table of shape rules, written down by hand: what each operation makes of its operands and what it refuses.
//
//   operations | axis and attribute | operands -> result                     the result follows from the operands
//   operations | axis and attribute | operands -> refused RULE [as result]   the operation's rule throws, and verify
//   finds operations | axis and attribute | operands -> found RULE as result       verify alone finds: the rule trusts
//   its caller
//
// A value is its space, its scalar type and its feature axes; F is an extent that is known at run time. `sparse` is a
// sparse input, `keep` a random mask, `one` and `two` are constants; `unary` and `binary` stand for all operations that
// have a formula (formulas.hpp), by how many operands they take. Nothing else here asks the rules that it is there to
// test.
#pragma once

#include <string_view>  // string_view

namespace stg::test {

inline constexpr std::string_view rule_cases = R"(
negate unary sigmoid relu leaky_relu | | vertex f64 2 3 -> vertex f64 2 3
negate unary sigmoid relu leaky_relu | | edge f32 -> edge f32
elu abs sign floor ceil round detach | | vertex f64 2 3 -> vertex f64 2 3
elu abs sign floor ceil round detach | | edge f32 -> edge f32
cast | | vertex i32 2 3 -> vertex f64 2 3
cast | | edge f64 -> edge f32

add sub mul div min max pow fmod training binary | | vertex f64 3, vertex f64 3 -> vertex f64 3
add sub mul div min max pow fmod training binary | | vertex f32 2 3, graph f32 3 -> vertex f32 2 3
add sub mul div min max pow fmod training binary | | graph f64, edge f64 F -> edge f64 F
add sub mul div min max pow fmod training binary | | edge f64 2 1, edge f64 1 3 -> edge f64 2 3
add sub mul div min max pow fmod training binary | | vertex f64 3, vertex f64 2 -> refused shapes_broadcast
add sub mul div min max pow fmod training binary | | vertex f64 3, vertex f64 F -> refused shapes_broadcast
add sub mul div min max pow fmod training binary | | vertex f64 3, edge f64 3 -> refused spaces_agree
add sub mul div min max pow fmod training binary | | edge f64, vertex f64 3 -> refused spaces_agree
add sub mul div min max pow fmod training binary | | vertex f64 3, vertex f32 3 -> refused scalar_types_agree
elementwise_1 | attribute 1 | vertex f64 2 3 -> vertex f64 2 3
elementwise_2 | attribute 1 | edge f64 2 1, graph f64 1 3 -> edge f64 2 3
elementwise_3 | attribute 1 | edge f64 2 1, graph f64 1 3, graph f64 -> edge f64 2 3
elementwise_2 | attribute 1 | vertex f64 3, vertex f64 2 -> refused shapes_broadcast
elementwise_2 | attribute 1 | vertex f64 3, edge f64 3 -> refused spaces_agree
elementwise_2 | attribute 1 | vertex f64 3, vertex f32 3 -> refused scalar_types_agree
elementwise_3 | attribute 1 | vertex f64 3, vertex f64 3, vertex f64 2 -> refused shapes_broadcast
elementwise_3 | attribute 1 | vertex f64 3, vertex f64 3, vertex f32 3 -> refused scalar_types_agree

less less_equal equal not_equal | | vertex f64 3, vertex f64 3 -> vertex boolean 3
less less_equal equal not_equal | | vertex i32 2 3, graph i32 3 -> vertex boolean 2 3
less less_equal equal not_equal | | graph f64, edge f64 F -> edge boolean F
less less_equal equal not_equal | | vertex f64 3, vertex f64 2 -> refused shapes_broadcast
less less_equal equal not_equal | | vertex f64 3, edge f64 3 -> refused spaces_agree
less less_equal equal not_equal | | vertex f64 3, vertex f32 3 -> refused scalar_types_agree
softmax_edges | | edge f64 2 3, edge f64 2 1, edge f64 2 1 -> edge f64 2 3
softmax_axes | attribute 2 | edge f64 2 3, edge f64 2 1, edge f64 2 1 -> edge f64 2 3
softmax_axes | attribute 0 | edge f64 2 3, edge f64 2 1, edge f64 2 1 -> found shape_follows_from_operands as edge f64 2 3
softmax_axes | attribute 4 | edge f64 2 3, edge f64 2 1, edge f64 2 1 -> found shape_follows_from_operands as edge f64 2 3
softmax_edges softmax_axes | | vertex f32, vertex f64, vertex f32 -> refused scalar_types_agree
softmax_edges softmax_axes | | vertex f32, edge f32, edge f32 -> refused spaces_agree
softmax_edges softmax_axes | | vertex f64 3, vertex f64 2, vertex f64 3 -> refused shapes_broadcast
select | | vertex boolean, vertex f64 3, graph f64 -> vertex f64 3
select | | graph boolean 2 1, edge f32 3, edge f32 2 3 -> edge f32 2 3
select | | graph boolean 2, graph i32, vertex i32 -> vertex i32 2
select | | vertex i32, vertex f64 3, vertex f64 3 -> refused scalar_types_agree as vertex f64 3
select | | vertex boolean, vertex f64 3, vertex f32 3 -> refused scalar_types_agree as vertex f64 3
select | | vertex boolean, edge f64 3, edge f64 3 -> refused spaces_agree as edge f64 3
select | | vertex boolean, vertex f64 3, edge f64 3 -> refused spaces_agree as vertex f64 3
select | | graph boolean, vertex f64 3, edge f64 3 -> refused spaces_agree as edge f64 3
select | | vertex boolean 2, vertex f64 3, vertex f64 3 -> refused shapes_broadcast as vertex f64 3
select | | vertex boolean 3, vertex f64 3, vertex f64 2 -> refused shapes_broadcast as vertex f64 3
broadcast_to | | graph f64 3 -> vertex f64 2 3
broadcast_to | | edge f32 2 1 -> edge f32 2 3
broadcast_to | | vertex f64 3 -> refused shapes_broadcast as vertex f64 2
broadcast_to | | vertex f64 2 3 -> refused shapes_broadcast as vertex f64 3
broadcast_to | | vertex f64 3 -> found spaces_agree as edge f64 3

reduce_sum reduce_max reduce_top_share | attribute 2 | vertex f64 2 3 -> vertex f64 2 1
reduce_sum reduce_max reduce_top_share | attribute 1 | edge f32 F 3 -> edge f32 1 3
reduce_sum reduce_max reduce_top_share | attribute 5 | graph f64 2 3 4 -> graph f64 1 3 1
reduce_sum reduce_max reduce_top_share | attribute 0 | vertex f64 2 3 -> found shape_follows_from_operands as vertex f64 2 3
reduce_sum reduce_max reduce_top_share | attribute 4 | vertex f64 2 3 -> found shape_follows_from_operands as vertex f64 2 3
reshape | | vertex f64 2 3 -> vertex f64 6
reshape | | edge f32 F 2 -> edge f32 2 F
reshape | | vertex f64 2 3 -> found shape_follows_from_operands as vertex f64 5
reshape | | vertex f64 F 2 -> found shape_follows_from_operands as vertex f64 F 3
concat | axis 0 | vertex f64 2 3, vertex f64 4 3 -> vertex f64 6 3
concat | axis 1 | edge f32 2 3, graph f32 2 3 -> edge f32 2 6
concat | axis 0 | vertex f64 2, vertex f32 2 -> refused scalar_types_agree as vertex f64 4
concat | axis 0 | vertex f64 2, edge f64 2 -> refused spaces_agree as vertex f64 4
concat | axis 0 | vertex f64 2, vertex f64 3 -> found shape_follows_from_operands as vertex f64 6
concat | axis 0 | vertex f64 2 3, vertex f64 2 4 -> found shape_follows_from_operands as vertex f64 4 3
concat | axis 0 | vertex f64 2 4, vertex f64 2 3 -> found shape_follows_from_operands as vertex f64 4 3
concat | axis 1 | vertex f64 2, vertex f64 2 -> found shape_follows_from_operands as vertex f64 4
concat | axis 0 | vertex f64 F, vertex f64 2 -> found shape_follows_from_operands as vertex f64 F
slice | axis 0 attribute 1 | vertex f64 4 3 -> vertex f64 2 3
slice | axis 1 attribute 3 | edge f32 2 5 -> edge f32 2 2
slice | axis 0 attribute 3 | vertex f64 4 3 -> found part_lies_within_axis as vertex f64 2 3
slice | axis 0 attribute 1 | vertex f64 4 3 -> found shape_follows_from_operands as vertex f64 2 2
slice | axis 2 attribute 0 | vertex f64 4 3 -> found shape_follows_from_operands as vertex f64 4 3
pad | axis 0 attribute 1 | vertex f64 2 3 -> vertex f64 4 3
pad | axis 1 attribute 3 | edge f32 2 2 -> edge f32 2 5
pad | axis 0 attribute 3 | vertex f64 2 3 -> found shape_follows_from_operands as vertex f64 4 3
pad | axis 0 attribute 1 | vertex f64 2 2 -> found shape_follows_from_operands as vertex f64 4 3
pad | axis 0 attribute 0 | vertex f64 2 -> found shape_follows_from_operands as vertex f64 2 3
pick | | graph f64 4 3, edge i32 -> edge f64 3
pick | | vertex f32 2 3 F, vertex i32 -> vertex f32 3 F
pick | | vertex f64 4, graph i32 -> vertex f64
pick | | vertex f64 4, vertex f64 -> refused scalar_types_agree as vertex f64
pick | | vertex f64 4, vertex i32 2 -> refused shape_follows_from_operands as vertex f64
pick | | vertex f64, vertex i32 -> refused shape_follows_from_operands as vertex f64
pick | | vertex f64 4, edge i32 -> refused spaces_agree as vertex f64
put | attribute 4 | edge f64 3, graph i32 -> edge f64 4 3
put | attribute 2 | graph f32 3 F, vertex i32 -> vertex f32 2 3 F
put | attribute 4 | vertex f64 3, vertex f64 -> refused scalar_types_agree as vertex f64 4 3
put | attribute 4 | vertex f64 3, vertex i32 3 -> refused shape_follows_from_operands as vertex f64 4 3
put | attribute 4 | vertex f64 3, edge i32 -> refused spaces_agree as vertex f64 4 3
put | attribute -9 | vertex f64 3, vertex i32 -> found shape_follows_from_operands as vertex f64 4 3
put | attribute 4 | vertex f64 2 3 2 3, vertex i32 -> found shape_follows_from_operands as vertex f64 4 3
transpose | axis 0 attribute 1 | vertex f64 2 3 -> vertex f64 3 2
transpose | axis 2 attribute 0 | edge f32 2 F 4 -> edge f32 4 F 2
transpose | axis 2 attribute 0 | vertex f64 2 3 -> refused shape_follows_from_operands as vertex f64 2 3
transpose | axis 0 attribute 2 | vertex f64 2 3 -> refused shape_follows_from_operands as vertex f64 2 3
transpose | axis -1 attribute 0 | vertex f64 2 3 -> refused shape_follows_from_operands as vertex f64 2 3
transpose | axis 0 attribute -1 | vertex f64 2 3 -> refused shape_follows_from_operands as vertex f64 2 3

gather_src gather_dst | | vertex f64 2 3 -> edge f64 2 3
gather_src gather_dst | | vertex i32 -> edge i32
gather_src gather_dst | | edge f64 3 -> refused spaces_agree as edge f64 3
gather_src gather_dst | | graph f64 3 -> refused spaces_agree as edge f64 3
sum_edges max_edges prod_edges var_edges top_share_edges | | edge f64 2 3 -> vertex f64 2 3
sum_edges max_edges prod_edges var_edges top_share_edges | attribute 1 | edge f32 -> vertex f32
sum_edges max_edges prod_edges var_edges top_share_edges | | vertex f64 3 -> refused spaces_agree as vertex f64 3
sum_edges max_edges prod_edges var_edges top_share_edges | | graph f64 3 -> refused spaces_agree as vertex f64 3
first_max_edge | | edge f64 2 3 -> vertex i32 2 3
first_max_edge | | vertex f64 3 -> refused spaces_agree as vertex i32 3
sum_vertices max_vertices | | vertex f64 2 3 -> graph f64 2 3
sum_vertices max_vertices | | vertex i32 -> graph i32
sum_vertices max_vertices | | edge f64 3 -> refused spaces_agree as graph f64 3
sum_vertices max_vertices | | graph f64 3 -> refused spaces_agree as graph f64 3
scatter_sum | attribute 5 | vertex f64 3, vertex i32 -> graph f64 5 3
scatter_sum | attribute 5 | edge f32, edge i32 -> graph f32 5
scatter_sum | attribute 5 | graph f64 3, graph i32 -> refused spaces_agree as graph f64 5 3
scatter_sum | attribute 5 | vertex f64 3, graph i32 -> refused spaces_agree as graph f64 5 3
scatter_sum | attribute 5 | vertex f64 3, vertex f64 -> refused scalar_types_agree as graph f64 5 3
scatter_sum | attribute 5 | vertex i32 3, vertex i32 -> refused scalar_types_agree as graph i32 5 3
scatter_sum | attribute 5 | vertex f64 2 3 2 3, vertex i32 -> found shape_follows_from_operands as graph f64 5 3
scatter_sum | attribute -9 | vertex f64 3, vertex i32 -> found shape_follows_from_operands as graph f64 5 3
scatter_sum | attribute 5 | vertex f64 3, edge i32 -> refused spaces_agree as graph f64 5 3
scatter_sum | attribute 5 | vertex f64 3, vertex i32 2 -> refused shape_follows_from_operands as graph f64 5 3

matmul | | vertex f64 3, graph f64 3 2 -> vertex f64 2
matmul | | edge f32 4 3, graph f32 3 F -> edge f32 4 F
matmul | attribute 1 | vertex f64 3, graph f64 2 3 -> vertex f64 2
matmul | | vertex f64 3, vertex f64 3 2 -> refused spaces_agree as vertex f64 2
matmul | | graph f64 3, graph f64 3 2 -> refused spaces_agree as graph f64 2
matmul | | vertex f64 3, graph f32 3 2 -> refused scalar_types_agree as vertex f64 2
matmul | | vertex f64, graph f64 3 2 -> refused shape_follows_from_operands as vertex f64
matmul | | vertex f64 3, graph f64 3 -> refused shape_follows_from_operands as vertex f64 2
matmul | | vertex f64 3, graph f64 2 3 -> refused shape_follows_from_operands as vertex f64 3
matmul | attribute 1 | vertex f64 3, graph f64 3 2 -> refused shape_follows_from_operands as vertex f64 2
reduced_matmul | | vertex f64 3, vertex f64 2 -> graph f64 3 2
reduced_matmul | | edge f32 4 3, edge f32 4 F -> graph f32 3 F
reduced_matmul | | vertex f64 3, edge f64 2 -> refused spaces_agree as graph f64 3 2
reduced_matmul | | graph f64 3, graph f64 2 -> refused spaces_agree as graph f64 3 2
reduced_matmul | | vertex f64 3, vertex f32 2 -> refused scalar_types_agree as graph f64 3 2
reduced_matmul | | vertex f64, vertex f64 -> refused shape_follows_from_operands as graph f64 3 2
reduced_matmul | | vertex f64 4 3, vertex f64 2 -> refused shape_follows_from_operands as graph f64 3 2
reduced_matmul | | vertex f64 4 3, vertex f64 5 2 -> refused shape_follows_from_operands as graph f64 3 2
sparse_matmul | | sparse f64 3, graph f64 3 2, one f64 -> vertex f64 2
sparse_matmul | | sparse f32 F, graph f32 F 4, keep vertex f32 F -> vertex f32 4
sparse_matmul | | sparse f64 3, vertex f64 3 2, one f64 -> refused spaces_agree as vertex f64 2
sparse_matmul | | sparse f64 3, graph f32 3 2, one f64 -> refused scalar_types_agree as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 3, one f64 -> refused shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 2 3, one f64 -> refused shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3 3, graph f64 3 2, one f64 -> refused shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 3 2, two f64 -> found shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 3 2, one f32 -> found shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 3 2, keep vertex f64 2 -> found shape_follows_from_operands as vertex f64 2
sparse_matmul | | sparse f64 3, graph f64 3 2, keep edge f64 3 -> found shape_follows_from_operands as vertex f64 2
sparse_reduced_matmul | | sparse f64 3, vertex f64 2, one f64 -> graph f64 3 2
sparse_reduced_matmul | | sparse f32 F, vertex f32 4, keep vertex f32 F -> graph f32 F 4
sparse_reduced_matmul | | sparse f64 3, edge f64 2, one f64 -> refused spaces_agree as graph f64 3 2
sparse_reduced_matmul | | sparse f64 3, vertex f32 2, one f64 -> refused scalar_types_agree as graph f64 3 2
sparse_reduced_matmul | | sparse f64 3, vertex f64, one f64 -> refused shape_follows_from_operands as graph f64 3 2
sparse_reduced_matmul | | sparse f64 3 3, vertex f64 2 2, one f64 -> refused shape_follows_from_operands as graph f64 3 2

input | | -> vertex f64 2 3
constant vertex_count extent_value | | -> graph f64
constant vertex_count extent_value | | -> found spaces_agree as vertex f64
constant vertex_count extent_value | | -> found shape_follows_from_operands as graph f64 3
iota | | -> graph i32 3
iota | | -> found spaces_agree as vertex i32 3
iota | | -> found shape_follows_from_operands as graph i32
degree | | -> vertex f64
vertex_index | | -> vertex i32
degree vertex_index | | -> found spaces_agree as edge f64
degree vertex_index | | -> found spaces_agree as graph f64
degree vertex_index | | -> found shape_follows_from_operands as vertex f64 3
edge_index | | -> edge i32
edge_index | | -> found spaces_agree as vertex i32
edge_index | | -> found shape_follows_from_operands as edge i32 3
keep_mask | | -> vertex f64 2 3
keep_mask | | -> edge f32
keep_mask | | -> found spaces_agree as graph f64 3
keep_mask | | -> found scalar_types_agree as vertex i32 3
)";

}  // namespace stg::test
