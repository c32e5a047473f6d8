// Between the oracle's arrays and a backend's tensors.
#pragma once

#include "inputs.hpp"  // rows_of

#include <stg/codegen/interpreter.hpp>     // environment, array
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // tensor, named_values

#include <string>   // string
#include <utility>  // move

namespace stg::test {

/// All inputs of a program as one set that can be bound.
template <class Ref>
using all_inputs = stg::detail::parameter_set<Ref, std::make_integer_sequence<int, canonical<Ref>::value.room.inputs>>;

template <class T> tensor<T>& tensor_of(tensor<T>& t) { return t; }
template <class T> tensor<T>& tensor_of(edge_values<T>& t) { return t.values(); }
template <class T> tensor<T>& tensor_of(edge_steps<T>& t) { return t.values(); }

template <class V> inline constexpr bool is_sparse_tensor = false;
template <class T> inline constexpr bool is_sparse_tensor<sparse_tensor<T>> = true;

/// Tensors for a program's inputs with the numbers of an environment. days: where its scans have a graph for each step.
template <class Ref>
all_inputs<Ref> bind_all(const ir::program& p, const graph& g, const oracle::environment& env,
                         const graph_sequence* days = nullptr) {
  all_inputs<Ref> set;
  boost::hana::for_each(set.items(), [&](auto& item) {
    using V = std::remove_cvref_t<decltype(item.value)>;
    using T = typename V::value_type;
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input || p.inputs[s.entry()].name.view() != item.text()) continue;
      std::int64_t list[ir::shape::max_rank + 2];
      int rank = 0;
      const auto size = [&](const text& n) { return env.extents.at(std::string(n.view())); };
      const bool of_days = days != nullptr && s.where == ir::space::edge;
      if (of_days) list[rank++] = days->edges();
      else if (s.is_sequence()) list[rank++] = ir::evaluate(p.polynomial_of(s.over), size);
      if (s.where != ir::space::graph && !of_days) list[rank++] = rows_of(p, s.where, g);
      for (int a = 0; a < s.dims.rank; ++a) list[rank++] = ir::evaluate(p.polynomial_of(s.dims.axes[a]), size);
      tensor<T> t{dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)))};
      const oracle::array& numbers = env.inputs.at(std::string(item.text()));
      for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(numbers[static_cast<std::size_t>(i)]);
      if constexpr (is_sparse_tensor<V>) item.value = sparse(t);
      else if constexpr (requires { V::in_id_order(std::move(t)); }) item.value = V::in_id_order(std::move(t));
      else item.value = std::move(t);
    }
  });
  return set;
}

template <class V> oracle::array numbers_of(V& value) {
  auto& t = tensor_of(value);
  return oracle::array(t.begin(), t.end());
}

}  // namespace stg::test
