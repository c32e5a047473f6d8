// Edge values in the order of ids, and in the order of edge lists.
#include <stg/door/edge_order.hpp>

#include <type_traits>  // remove_reference_t
#include <utility>      // move
#include <variant>      // visit

#include <stg/base/error.hpp>  // error

namespace stg::door {

namespace {

const graph& relation_of(const called_with& on, const value& v) {
  if (on.kinds != nullptr) return on.kinds->relation(v.of);
  return on.hops != nullptr ? on.hops->whole() : *on.plain;
}

}  // namespace

any_tensor in_id_order(const any_tensor& given, const called_with& on, const value& v) {
  return std::visit(
      [&](const auto& t) -> any_tensor {
        if (on.steps != nullptr) return std::move(on.steps->edge_steps(t).values());
        const graph& edges = relation_of(on, v);
        return v.steps.empty() ? std::move(edges.edge_values(t).values()) : std::move(edges.edge_steps(t).values());
      },
      given);
}

any_tensor in_list_order(any_tensor result, const called_with& on, const value& v) {
  if (v.where != "edge" || on.steps != nullptr) return result;
  if (on.hops != nullptr)
    throw error(
        "values of edges are not given back on blocks, where they are of edges into seeds; call the program on the "
        "batch's graph");
  return std::visit(
      [&](auto& t) -> any_tensor {
        using T = typename std::remove_reference_t<decltype(t)>::value_type;
        const graph& edges = relation_of(on, v);
        if (v.steps.empty())
          return edges.to_input_order(edge_values<T>::in_id_order(std::move(t), edges.edge_identity()));
        return edges.to_input_order(edge_steps<T>::in_id_order(std::move(t), edges.edge_identity()));
      },
      result);
}

}  // namespace stg::door
