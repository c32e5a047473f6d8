// factor: takes factors of the edges' owner out of sums.
//
//   sum(w · Σ_axis(gather_owner(a) · y))  → Σ_axis(a · sum(w · y))
//   sum(w · gather_owner(a))              → a · sum(w)
//
// and sums and differences of such messages term by term, w and y being any edge values. It is worth it
//
//   where the remaining sums need no cotangent and are known already, or a sweep of the forward program can form
//   them (forward_sweeps.hpp): a softmax's inner sum is ⟨d out, out⟩, and the weights of a leaky relu's slopes are
//   summed while the forward program has the neighbour's row in its hands, so that no sweep of the gradient is left
//   along in-edges; and where nobody else reads the inner product: rows are added in registers, rather than multiplied
//   and reduced for each edge.
//
// An empty neighbourhood stays 0 whatever a is. Both run after algebra; the first before save, and the second after it,
// when all readers are known.
#pragma once

#include <stg/base/sequence.hpp>            // sequence
#include <stg/ir/program.hpp>               // program
#include <stg/ir/rewriting.hpp>             // rewriting
#include <stg/analysis/forward_sweeps.hpp>  // forward_sweeps
#include <stg/analysis/choices.hpp>         // choices
#include <stg/analysis/reads_edges.hpp>     // has_edges
#include <stg/analysis/users.hpp>           // uses_of
#include <stg/pass/cse.hpp>                 // canonical, is_canonical
#include <stg/pass/value.hpp>               // value

namespace stg::pass {

namespace detail {

/// Σ_axes(gather_owner(factor) · row): each edge multiplies a value of its owner with one of its own.
struct owner_product {
  ir::value_id factor = ir::no_value, row = ir::no_value;  // factor per vertex
  std::int64_t axes = 0;
  constexpr bool exists() const { return factor != ir::no_value; }
};
/// The owner product of a value, leading axes of extent 1 aside, which broadcasting does not see.
constexpr owner_product owner_product_at(const ir::program& p, ir::value_id at, ir::direction side) {
  owner_product found;
  const ir::shape& seen = p[at].dims;
  if (ir::is_view(p[at])) at = p[at].operands[0];
  const ir::statement& sum = p[at];
  if (sum.code != ir::opcode::reduce_sum || p.operand(sum, 0).code != ir::opcode::mul || seen.rank > sum.dims.rank)
    return found;
  for (int i = 0; i < sum.dims.rank; ++i)
    if (!(sum.dims.from_right(i) == seen.from_right(i))) return found;
  const ir::statement& product = p.operand(sum, 0);
  for (int k = 0; k < 2 && !found.exists(); ++k) {
    const ir::statement& a = p.operand(product, k);
    if (!is_owner_gather(a, side) || !(a.dims == product.dims)) continue;
    if (!(p.operand(product, 1 - k).dims == product.dims)) continue;
    found.factor = a.operands[0];
    found.row = product.operands[1 - k];
    found.axes = sum.axes();
  }
  return found;
}

constexpr bool is_linear(ir::opcode code) {
  return code == ir::opcode::negate || code == ir::opcode::add || code == ir::opcode::sub || code == ir::opcode::mul;
}
/// Inner products of the owner, and values linear in one, by the side that owns the edges.
class ways_to_products {
 public:
  /// `uses`: takes only products with one reader, all the way.
  constexpr explicit ways_to_products(const ir::program& p, const sequence<int>* uses = nullptr)
      : in(marked(p, ir::direction::in, uses)), out(marked(p, ir::direction::out, uses)) {}

  constexpr bool holds(ir::value_id i, ir::direction side) const { return (side == ir::direction::in ? in : out)[i]; }

 private:
  static constexpr ir::flags marked(const ir::program& p, ir::direction side, const sequence<int>* uses) {
    ir::flags marks(p.statements.size(), 0);
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      const ir::statement& s = p[i];
      if (s.where != ir::space::edge || (uses != nullptr && (*uses)[i] != 1)) continue;
      unsigned char& mine = marks[i];
      mine = owner_product_at(p, i, side).exists();
      for (int k = 0; k < s.arity() && is_linear(s.code); ++k) mine = mine || marks[s.operands[k]];
    }
    return marks;
  }

  ir::flags in, out;  // not an array: nvcc's front end forgets to destroy arrays of vectors in constant evaluation
};

/// Takes messages apart down to values marked by `Choice`, and lets it say which sums may be written.
///
///   bool begin(sum, side)    whether to try, before anything else is asked of this sum
///   bool is_marked(i)        in a message: the factor of the owner is in here
///   ir::value_id put(q, s)   the value of a remaining sum, or of a product in it; no_value: may not be written
template <class Choice> class factoring : ir::rewriting {
 public:
  constexpr factoring(const ir::program& of, Choice& sums, int terms)
      : rewriting(of), choice(sums), most_terms(terms) {}

  constexpr ir::program run() {
    return rewriting::run([this](ir::rewriting&, ir::value_id i) {
      const ir::value_id made = p[i].code == ir::opcode::sum_edges ? factored(i) : ir::no_value;
      return made == ir::no_value ? q.emit(canonical(renamed(i))) : made;
    });
  }

 private:
  /// ± sum(weight), ± factor · sum(weight) or ± Σ_axes(factor · sum(weight · row)), the last in a shape and its weight
  /// may be missing. Values of q.
  struct term {
    bool negative = false;
    ir::value_id weight = ir::no_value, row = ir::no_value, factor = ir::no_value;
    std::int64_t axes = 0;
    ir::shape dims{};
  };

  constexpr ir::value_id factored(ir::value_id sum) {
    side = p[sum].side();
    const ir::value_id message = p[sum].operands[0];
    relation = p[message].where.set;
    sequence<term> terms;
    if (!choice.begin(sum, side) || !choice.is_marked(message) || !take_apart(message, terms)) return ir::no_value;
    sequence<value> sums;
    for (const term& t : terms) {
      sums.push_back(summed(t));
      if (!sums.back().exists()) return ir::no_value;
    }
    value total;
    for (int k = 0; k < terms.size(); ++k) {
      const value x = scaled(terms[k], sums[k]);
      if (!total.exists()) total = terms[k].negative ? -x : x;
      else total = terms[k].negative ? total - x : ordered(ir::opcode::add, total, x);
    }
    return broadcast(total, p[sum].where, p[sum].dims).id;
  }

  /// The terms of a message, a value of p; false if it has other parts.
  constexpr bool take_apart(ir::value_id message, sequence<term>& terms) {
    const ir::statement& s = p[message];
    if (s.where != ir::space::edge || terms.size() == most_terms) return false;
    term t;
    t.dims = s.dims;
    if (!choice.is_marked(message)) {
      t.weight = now(message);
      terms.push_back(t);
      return true;
    }
    if (is_owner_gather(s, side)) {
      t.factor = now(s.operands[0]);
      terms.push_back(t);
      return true;
    }
    const int before = terms.size();
    if (s.code == ir::opcode::negate || s.code == ir::opcode::add || s.code == ir::opcode::sub) {
      if (!take_apart(s.operands[0], terms)) return false;
      const int second = s.arity() == 2 ? terms.size() : before;
      if (s.arity() == 2 && !take_apart(s.operands[1], terms)) return false;
      for (int k = second; k < terms.size() && s.code != ir::opcode::add; ++k) terms[k].negative = !terms[k].negative;
      return true;
    }
    if (s.code == ir::opcode::mul) {
      const int k = choice.is_marked(s.operands[0]) ? 0 : 1;
      const ir::value_id by = s.operands[1 - k];
      return !choice.is_marked(by) && take_apart(s.operands[k], terms) && weigh(terms, before, by);
    }
    return inner_product(message, terms);
  }
  constexpr bool inner_product(ir::value_id message, sequence<term>& terms) {
    const owner_product found = owner_product_at(p, message, side);
    if (!found.exists() || choice.is_marked(found.row)) return false;
    term t;
    t.factor = now(found.factor);
    t.row = now(found.row);
    t.axes = found.axes;
    t.dims = p[message].dims;
    terms.push_back(t);
    return true;
  }
  /// Multiplies the weights of terms from one on by a value of p.
  constexpr bool weigh(sequence<term>& terms, int from, ir::value_id by) {
    for (int k = from; k < terms.size(); ++k) {
      term& t = terms[k];
      if (t.row != ir::no_value && !(ir::broadcast(p[by].dims, t.dims).dims == t.dims)) return false;
      t.weight = t.weight == ir::no_value ? now(by) : product(t.weight, now(by));
      if (t.weight == ir::no_value) return false;
    }
    return true;
  }

  constexpr value summed(const term& t) {
    ir::value_id message = t.weight;
    if (t.row != ir::no_value) message = t.weight == ir::no_value ? t.row : product(t.weight, t.row);
    if (message == ir::no_value || q[message].where != ir::space::edge) return value();
    if (t.row != ir::no_value && !(q[message].dims == q[t.row].dims)) return value();
    ir::statement s = blank(ir::opcode::sum_edges, value{&q, message});
    s.set_side(side);
    op::info_of(s.code).infer(q, s);
    return value{&q, choice.put(q, s)};
  }
  constexpr value scaled(const term& t, value sum) {
    if (t.factor == ir::no_value) return sum;
    const auto put = [&](const ir::statement& added) { return make(q, added); };
    const value factor = where_there_are_edges(value{&q, t.factor}, relation, side, put);
    const value product = ordered(ir::opcode::mul, factor, sum);
    return t.row == ir::no_value ? product : reshape(reduce(ir::opcode::reduce_sum, product, t.axes), t.dims);
  }

  constexpr ir::value_id now(ir::value_id i) const { return at[i]; }
  constexpr value ordered(ir::opcode code, value a, value b) { return make(q, canonical(blank(code, a, b))); }
  constexpr ir::value_id product(ir::value_id a, ir::value_id b) {
    ir::statement s = canonical(blank(ir::opcode::mul, value{&q, a}, value{&q, b}));
    op::info_of(s.code).infer(q, s);
    return choice.put(q, s);
  }

  Choice& choice;
  int most_terms;        // a value read again and again has a term each time
  ir::direction side{};  // of the sum at hand
  int relation = 0;      // of its edges
};

/// The rest needs no cotangent, and is known or can be formed by a sweep of the forward program.
class left_without_cotangent {
 public:
  constexpr left_without_cotangent(const ir::program& p, int forward_outputs, int first_cotangent)
      : sweeps(p, forward_outputs, first_cotangent), products(p) {}

  constexpr bool begin(ir::value_id sum, ir::direction s) {
    side = s;
    may_add = sweeps.needs_cotangent(sum);
    return !may_add || sweeps.read(sum);
  }
  constexpr bool is_marked(ir::value_id i) const {
    return may_add ? sweeps.needs_cotangent(i) : products.holds(i, side);
  }
  constexpr ir::value_id put(ir::program& q, const ir::statement& s) const { return may_add ? q.emit(s) : q.find(s); }

 private:
  forward_sweeps sweeps;
  ways_to_products products;
  ir::direction side{};
  bool may_add = false;
};

/// The inner product is there for one sum alone.
class read_by_one_sum {
 public:
  constexpr explicit read_by_one_sum(const ir::program& p) : uses(uses_of(p)), products(p, &uses) {}

  constexpr bool begin(ir::value_id, ir::direction s) {
    side = s;
    return true;
  }
  constexpr bool is_marked(ir::value_id i) const { return products.holds(i, side); }
  constexpr ir::value_id put(ir::program& q, const ir::statement& s) const { return q.emit(s); }

 private:
  sequence<int> uses;
  ways_to_products products;
  ir::direction side{};
};

template <class Choice> constexpr ir::program factored(const ir::program& p, Choice choice, const choices& by) {
  return factoring<Choice>(p, choice, by.most_terms).run();
}

}  // namespace detail

/// Before save. Of a joint program: its first outputs are the forward program's, its inputs from an entry on are
/// cotangents. Without cotangents, rewrites a sum if the rest is known.
constexpr ir::program factor_early(const ir::program& p, int forward_outputs, int first_cotangent,
                                   const choices& by = choices()) {
  if (!has_edges(p) && is_canonical(p)) return p;
  return detail::factored(p, detail::left_without_cotangent(p, forward_outputs, first_cotangent), by);
}

/// Of a program that is not cut any more.
constexpr ir::program factor(const ir::program& p, const choices& by = choices()) {
  if (!has_edges(p) && is_canonical(p)) return p;
  return detail::factored(p, detail::read_by_one_sum(p), by);
}

}  // namespace stg::pass
