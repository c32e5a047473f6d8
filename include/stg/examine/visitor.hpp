// A function for each operation, or for a kind of them, chosen by a statement's operation.
#pragma once

#include <type_traits>  // conditional_t, is_invocable_v

#include <stg/examine/mistakes.hpp>  // operation_is_not_handled
#include <stg/examine/walk.hpp>      // node
#include <stg/op/list.hpp>           // visit

namespace stg::examine {

/// Stands for all operations of a category, in a visitor.
template <op::category Kind> struct any_of {};
/// Stands for all operations that have no function of their own.
struct any_other {};

/// Functions of an operation, or of any_of its category or any_other, and of a node.
///
///   constexpr examine::visitor names{[](op::add, examine::node) { return 1; },
///                                    [](examine::any_of<op::category::gather>, examine::node) { return 2; },
///                                    [](examine::any_other, examine::node) { return 0; }};
///   int which = examine::visit<int>(names, n);
template <class... F> struct visitor : F... {
  constexpr explicit visitor(F... f) : F(f)... {}
  using F::operator()...;
};

/// Calls the visitor's function for the node's operation: the operation's own, else its category's, else the function
/// of any_other. Throws operation_is_not_handled, which names the operation, if there is none.
template <class R = void, class Visitor> constexpr R visit(const Visitor& v, node n) {
  std::conditional_t<std::is_void_v<R>, int, R> given{};
  const auto call = [&](auto word) {
    if constexpr (std::is_void_v<R>) v(word, n);
    else given = v(word, n);
  };
  op::visit(n.code(), [&]<class Op>(std::type_identity<Op>) {
    if constexpr (std::is_invocable_v<const Visitor&, Op, node>) call(Op());
    else if constexpr (std::is_invocable_v<const Visitor&, any_of<Op::kind>, node>) call(any_of<Op::kind>());
    else if constexpr (std::is_invocable_v<const Visitor&, any_other, node>) call(any_other());
    else throw operation_is_not_handled(n.code());
  });
  if constexpr (!std::is_void_v<R>) return given;
}

}  // namespace stg::examine
