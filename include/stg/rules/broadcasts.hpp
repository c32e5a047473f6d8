// Products without broadcast axes: an operand repeated along an axis is multiplied before it is repeated, and summed
// before it is multiplied.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>      // sequence
#include <stg/examine/transform.hpp>  // transform, copied
#include <stg/examine/walk.hpp>       // roots_of
#include <stg/op/list.hpp>            // info_of
#include <stg/pass/dce.hpp>           // dce
#include <stg/pass/value.hpp>         // value, broadcast, reduce
#include <stg/pipeline.hpp>           // with_steps

namespace stg::rules {

namespace detail {

/// Rewrites one statement. It looks at values of the copy as they were before they were repeated.
class broadcast_remover {
  using value = pass::value;
  using copied = examine::copied;

 public:
  constexpr explicit broadcast_remover(const ir::program& p) : uses(p.size(), 0) {
    for (const ir::statement& s : p.statements)
      for (int k = 0; k < s.arity(); ++k) ++uses[s.operands[k]];
    for (const ir::value_id at : examine::roots_of(p)) ++uses[at];
  }

  constexpr value operator()(const copied& c) {
    const value made = written(c);
    const ir::value_id narrow = unrepeated(made).id;
    if (narrow >= reads.size()) reads.resize(narrow + 1);
    reads[narrow] += uses[c.from()] - (c.code() == ir::opcode::broadcast_to ? 1 : 0);
    return made;
  }

 private:
  constexpr value written(const copied& c) const {
    const ir::statement& s = c.statement();
    if (s.is_sequence()) return c.same();
    if (c.code() == ir::opcode::reduce_sum && !c.operand(0).statement().is_sequence()) return sum(c);
    if (c.code() == ir::opcode::matmul && is_repeated(c, 0)) return product(c);
    if (op::info_of(c.code()).kind == op::category::pointwise && c.code() != ir::opcode::broadcast_to) return each(c);
    return c.same();
  }

  static constexpr value unrepeated(value x) {
    while (x.code() == ir::opcode::broadcast_to && !x.statement().is_sequence()) x.id = x.statement().operands[0];
    return x;
  }
  static constexpr bool is_repeated(const copied& c, int k) { return unrepeated(c.operand(k)).id != c.operand(k).id; }

  static constexpr value repeated(const copied& c, value x) {
    return pass::broadcast(x, c.statement().where, c.statement().dims);
  }

  /// f(repeated a, b) is f(a, b), repeated where b is as narrow.
  static constexpr value each(const copied& c) {
    ir::statement s = c.statement();
    bool any = false;
    for (int k = 0; k < s.arity(); ++k) {
      if (c.operand(k).statement().is_sequence()) return c.same();
      any = any || is_repeated(c, k);
      s.operands[k] = unrepeated(c.operand(k)).id;
    }
    return any ? repeated(c, pass::make(c.into(), s)) : c.same();
  }

  /// Rows that are repeated are multiplied once; a number that is repeated along the inner axis leaves the product.
  static constexpr value product(const copied& c) {
    const value x = unrepeated(c.operand(0)), w = c.operand(1);
    const bool is_transposed = c.statement().is_transposed();
    const ir::extent inner = w.dims().axes[is_transposed ? 1 : 0];
    if (x.where() == ir::space::graph) return c.same();
    if (x.dims().rank > 0 && x.dims().axes[x.dims().rank - 1] == inner)
      return repeated(c, c.matmul(x, w, is_transposed));
    ir::shape columns;
    columns.push(w.dims().axes[is_transposed ? 0 : 1]);
    return repeated(c, x * pass::reshape(c.reduce_sum(w, is_transposed ? 2 : 1), columns));
  }

  /// Makes one group of all that have an axis. (clang 14 asks that it stands before its caller.)
  template <class Has> static constexpr void join(sequence<int>& group, const Has& has_axis) {
    int joined = -1;
    for (int k = 0; k < group.size(); ++k) {
      if (!has_axis(k)) continue;
      const int from = group[k];
      if (joined < 0) joined = from;
      const int least = from < joined ? from : joined;
      for (int& g : group)
        if (g == from || g == joined) g = least;
      joined = least;
    }
  }
  /// Σ over axes of a product is a product of sums, each of the factors that have axes in common. Over an axis of no
  /// factor the sum is a multiple.
  constexpr value sum(const copied& c) const {
    const value x = unrepeated(c.operand(0));
    const ir::shape whole = c.operand(0).dims();
    const sequence<value> factors = factors_of(x);
    sequence<int> group(factors.size());  // of each factor, by the first one of its group
    for (int k = 0; k < group.size(); ++k) group[k] = k;
    sequence<ir::extent> counted;
    for (int axis = 0; axis < whole.rank; ++axis) {
      if (!c.statement().reduces(axis) || whole.axes[axis].is_one()) continue;
      if (!has(x, axis, whole.rank)) counted.push_back(whole.axes[axis]);
      else join(group, [&](int k) { return has(factors[k], axis, whole.rank); });
    }
    bool stays = counted.empty() && !is_repeated(c, 0);
    for (const int g : group) stays = stays && g == 0;
    if (stays) return c.same();
    value made;
    for (int first = 0; first < group.size(); ++first) {
      if (group[first] != first) continue;
      value product;
      for (int k = first; k < group.size(); ++k)
        if (group[k] == first) product = times(product, factors[k]);
      const int more = whole.rank - product.dims().rank;
      std::int64_t axes = 0;
      for (int axis = more; axis < whole.rank; ++axis)
        if (c.statement().reduces(axis) && has(product, axis, whole.rank)) axes |= std::int64_t(1) << (axis - more);
      made = times(made, c.reduce_sum(product, axes));
    }
    for (const ir::extent e : counted) made = made * count(c, e);
    return repeated(c, made);
  }
  /// The factors of a product that nobody else reads.
  constexpr sequence<value> factors_of(value x) const {
    sequence<value> found, left{x};  // a stack: compilers limit the depth of a recursion
    while (!left.empty()) {
      x = left.back();
      left.pop_back();
      if (x.code() == ir::opcode::mul && x.id < reads.size() && reads[x.id] == 1)
        for (const int k : {1, 0}) left.push_back({x.program, x.statement().operands[k]});
      else found.push_back(x);
    }
    return found;
  }
  static constexpr value times(value a, value b) { return a.exists() ? a * b : b; }
  static constexpr bool has(value x, int axis, int rank) { return !x.dims().from_right(rank - 1 - axis).is_one(); }
  static constexpr value count(const copied& c, ir::extent e) {
    if (e.is_static()) return c.number(static_cast<double>(e.code));
    return pass::extent_value(c.into(), c.statement().type, e);
  }

  sequence<int> uses;     // of values of the program: how often they are read, or given back
  sequence<int> reads{};  // how often values of the copy are read, by the values that they stand for
};

}  // namespace detail

/// Takes the broadcast axes out of products, of all other element-by-element work, and of sums over axes. A value that
/// is repeated to meet another one is read as it was: Σ_{f,g} a[f] · b[g] is (Σ_f a[f]) · (Σ_g b[g]), and in
/// matmul(x, W) repeated rows are multiplied once. A result is as wide as its operands, and repeated last. A product
/// with other readers stays in its sum. Sums round differently. Linear.
///
///   const ir::program q = rules::without_broadcasts(p);
inline constexpr auto without_broadcasts = [](const ir::program& p) {
  return pipeline::with_steps(
      p, [](const ir::program& of) { return pass::dce(examine::transform(of, detail::broadcast_remover(of))); });
};

}  // namespace stg::rules
