// The tree of scopes: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/examine/scopes.hpp>

namespace stg::examined {

using examine::scope_tree;

/// Nested scopes, two readers of one parameter, and a layer with two calls.
inline constexpr auto scaled = [](auto v, auto h) {
  return scope<"norm">(
      v, [](auto, auto h) { return tanh(h); }, h * 2.0);
};
inline constexpr auto dense = [](auto v, auto h) { return scope<"inner">(v, scaled, matmul(h, W)); };
inline constexpr auto nested = [](auto v) {
  auto h = scope<"encoder">(v, dense, v(x));
  auto k = scope<"decoder">(v, dense, h + 1.0);
  return scope<"head">(
             v, [](auto, auto h) { return matmul(h, A); }, k) -
         3.0;
};
inline constexpr auto calls_twice = [](auto v) {
  auto in = [](auto v, auto h) { return call(dense, v, h); };
  return scope<"first">(v, in, v(x)) + scope<"second">(v, in, v(y));
};

constexpr bool is(const text& path, std::string_view letters) { return path.view() == letters; }

constexpr bool scopes_are_a_tree() {
  const ir::program p = trace(nested);
  const scope_tree tree(p);
  const examine::scope_node &root = tree.root(), &encoder = *tree.find("encoder"),
                            &norm = *tree.find("encoder/inner/norm");
  return tree.size() == 8 && root.parent < 0 && root.children.size() == 3 &&
         is(tree[root.children[1]].path, "decoder") && encoder.depth == 1 && encoder.children.size() == 1 &&
         is(tree[encoder.children[0]].path, "encoder/inner") && norm.name() == "norm" && norm.depth == 3 &&
         is(tree[norm.parent].path, "encoder/inner") && tree.find("encoder/norm") == nullptr &&
         tree.find("")->parent < 0;
}
constexpr bool values_are_members_of_their_innermost_scope() {
  const ir::program p = trace(nested);
  const scope_tree tree(p);
  const auto& norm = tree.find("decoder/inner/norm")->members;
  const auto& encoder = tree.find("encoder")->members;
  return norm.size() == 1 && norm[0].code() == ir::opcode::tanh && norm[0].in == &p && encoder.size() == 1 &&
         encoder[0].code() == ir::opcode::matmul;
}
constexpr bool parameters_are_those_of_scopes_within() {
  const ir::program p = trace(nested);
  const scope_tree tree(p);
  const auto& all = tree.root().parameters;
  const auto shared = tree.readers_of("W"), alone = tree.readers_of("A");
  return all.size() == 2 && is(all[0], "W") && is(all[1], "A") && tree.find("encoder")->parameters.size() == 1 &&
         tree.find("encoder/inner")->parameters.empty() && shared.size() == 2 && is(tree[shared[0]].path, "encoder") &&
         is(tree[shared[1]].path, "decoder") && alone.size() == 1 && is(tree[alone[0]].path, "head") &&
         tree.readers_of("B").empty();
}
constexpr bool a_tree_is_flattened_to_a_depth() {
  const ir::program p = trace(nested);
  const scope_tree tree(p), flat = tree.flattened(1), alone = tree.flattened(0);
  int members = 0;
  for (const examine::scope_node& one : tree) members += one.members.size();
  return flat.size() == 4 && flat.find("encoder")->members.size() == 4 && flat.find("encoder")->children.empty() &&
         flat.find("encoder/inner") == nullptr && alone.size() == 1 && alone.root().members.size() == members &&
         alone.root().parameters.size() == 2 && tree.flattened(scope_tree::any_depth).size() == tree.size();
}
/// The layer is one program, whose scopes are those of each call; its parameter is the caller's.
constexpr bool scopes_of_a_called_layer_are_those_of_its_calls() {
  const ir::program p = canonical(calls_twice);
  const scope_tree tree(p);
  const auto *first = tree.find("first/inner/norm"), *second = tree.find("second/inner/norm");
  return p.callees.size() == 1 && first && second && first->members.size() == 1 &&
         first->members[0].at == second->members[0].at && first->members[0].in == &p.callees[0] &&
         tree.readers_of("W").size() == 2 && tree.find("inner") == nullptr;
}
constexpr bool values_of_steps_stand_where_the_scan_does() {
  const ir::program p = trace([](auto v) {
    return scope<"cell">(v, [](auto v) {
      return scan<3>(
          v,
          [](auto v, auto h) {
            return scope<"gate">(
                v, [](auto, auto h) { return tanh(h); }, h);
          },
          v(x));
    });
  });
  const scope_tree tree(p);
  return tree.find("cell/gate") != nullptr && tree.find("cell/gate")->members[0].in == &p.callees[0] &&
         tree.find("gate") == nullptr;
}

}  // namespace stg::examined
