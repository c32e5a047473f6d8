// Dead code through known zeros: a product with 0 is 0, adding 0 adds nothing, and values that only these read are
// dead.
//
// fold leaves x · 0 alone, which is NaN where x is not finite. These rules are for programs whose values are finite.
#pragma once

#include <stg/examine/walk.hpp>  // fold, node
#include <stg/op/list.hpp>       // sum, matmul, operator*
#include <stg/rewrite.hpp>       // rewrite_rule, any_value

namespace stg::rules {

namespace detail {

/// 0 if one of the operands is: products. 0 if the first operand is: operations that move its numbers or add them. 0 if
/// both operands are: sums of two.
constexpr bool is_product(ir::opcode code) { return code == ir::opcode::mul || code == ir::opcode::matmul; }
constexpr bool is_linear(ir::opcode code) {
  using enum ir::opcode;
  const op::movement moves = op::info_of(code).moves;
  return code == negate || code == div || code == broadcast_to || code == reduce_sum || code == gather_src ||
         code == gather_dst || code == sum_edges || code == sum_vertices || code == scatter_sum || code == relu ||
         (moves != op::movement::none && !op::goes_by_label(moves));
}
constexpr bool is_sum(ir::opcode code) { return code == ir::opcode::add || code == ir::opcode::sub || op::joins(code); }

}  // namespace detail

/// Flags the values that are known to be 0, if all that the program computes is finite. Linear.
constexpr ir::flags known_zeros(const ir::program& p) {
  return examine::fold<unsigned char>(p, [](examine::node n, const auto& below) -> unsigned char {
    const ir::opcode code = n.code();
    if (code == ir::opcode::constant) return n.statement().value() == 0 && is_real(n.statement().type);
    if (detail::is_product(code)) return below[0] || below[1];
    if (detail::is_sum(code)) return below[0] && below[1];
    return detail::is_linear(code) && below[0];
  });
}

namespace detail {

/// Whether wildcard K, or for K = -1 the result, is known to be 0.
template <int K> struct is_zero {
  constexpr auto operator()(const ir::program& p) const {
    return [zero = known_zeros(p)](const examine::match& m) { return zero[K < 0 ? m.root().at : m[K].at] != 0; };
  }
};
template <auto F, class... Limits> constexpr auto zero_of(Limits... limits) {
  return rewrite_rule([](auto v, auto... x) { return F(v, x...); }, [](auto, auto...) { return 0.0; }, limits...)
      .where(is_zero<-1>());
}

}  // namespace detail

/// a + 0 → a, a - 0 → a, 0 - a → -a.
inline constexpr auto added_zero =
    rewrite_rule([](auto, auto a, auto z) { return a + z; }, [](auto, auto a, auto) { return a; })
        .where(detail::is_zero<1>());
inline constexpr auto subtracted_zero =
    rewrite_rule([](auto, auto a, auto z) { return a - z; }, [](auto, auto a, auto) { return a; })
        .where(detail::is_zero<1>());
inline constexpr auto zero_less =
    rewrite_rule([](auto, auto z, auto a) { return z - a; }, [](auto, auto, auto a) { return -a; })
        .where(detail::is_zero<0>());

/// a · 0 → 0, and the same of quotients, and of sums over edges and vertices.
inline constexpr auto zero_product = detail::zero_of<[](auto, auto a, auto z) { return a * z; }>(any_value, any_value);
inline constexpr auto zero_quotient = detail::zero_of<[](auto, auto z, auto a) { return z / a; }>(any_value, any_value);
inline constexpr auto zero_in_edges = detail::zero_of<[](auto, auto z) { return sum(z); }>(any_value.on_in_edges());
inline constexpr auto zero_out_edges = detail::zero_of<[](auto, auto z) { return sum(z); }>(any_value.on_out_edges());
inline constexpr auto zero_vertices =
    detail::zero_of<[](auto, auto z) { return sum(z, all_vertices); }>(any_value.on_vertices());
inline constexpr auto zero_matmul = detail::zero_of<[](auto, auto x, auto w) { return matmul(x, w); }>(
    any_value.on_vertices().shaped<extent<"K">>(), any_value.on_graph().shaped<extent<"K">, extent<"N">>());

/// All of these, one after the other, in a program: nine walks. Leaves out dead values.
///
///   const ir::program q = rules::without_zeros(p);
inline constexpr auto without_zeros = [](const ir::program& p) {
  return examine::rewrite(p, zero_in_edges, zero_out_edges, zero_vertices, zero_matmul, zero_product, zero_quotient,
                          added_zero, subtracted_zero, zero_less);
};

}  // namespace stg::rules
