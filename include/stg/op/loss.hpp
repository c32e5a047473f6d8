// Losses, written in the language: cross_entropy and nll of labels; mse l1 huber bce_with_logits of targets.
#pragma once

#include <stg/base/instead.hpp>    // STG_INSTEAD_FOR
#include <stg/dsl/written.hpp>     // written
#include <stg/op/arithmetic.hpp>   // abs
#include <stg/op/compare.hpp>      // select, cast
#include <stg/op/composed.hpp>     // softplus
#include <stg/op/feature.hpp>      // log_softmax, sum along an axis
#include <stg/op/masked_mean.hpp>  // mean_of_loss, mean_of_all, behind
#include <stg/op/unread.hpp>       // STG_TAKES_VALUES

namespace stg {

namespace detail {

template <class X> inline constexpr bool is_one_number = std::is_same_v<typename operand_traits<X>::dims, shape<>>;

/// What stands for a loss whose mistake was reported.
template <class X> constexpr auto no_loss(X x) {
  x.trace->note(ir::mistake::is_said);
  return constant<scalar_type::f32>(x.trace, 0);
}

/// Where a loss is taken: at vertices or at edges, or once where all is the graph's.
template <class First, class... Rest> struct place_of {
  using type = typename operand_traits<First>::where;
  static constexpr bool is_one = true;
};
template <class First, class Second, class... Rest> struct place_of<First, Second, Rest...> {
  using a = typename operand_traits<First>::where;
  using b = place_of<Second, Rest...>;
  using type = join_t<a, typename b::type>;
  static constexpr bool of_graph = std::is_same_v<a, space::graph> || std::is_same_v<typename b::type, space::graph>;
  static constexpr bool is_one = b::is_one && (of_graph || std::is_same_v<a, typename b::type>);
};
/// Whether values of vertices are all of one vertex set.
template <class First, class... Rest>
inline constexpr bool are_of_one_set =
    ((!is_vertex<typename operand_traits<First>::where> || !is_vertex<typename operand_traits<Rest>::where> ||
      std::is_same_v<typename operand_traits<First>::where, typename operand_traits<Rest>::where>)&&...);
/// Whether a value is a mask of vertices or edges.
template <class X>
inline constexpr bool may_choose = is_one_number<X>&& operand_traits<X>::type == scalar_type::boolean &&
                                   !std::is_same_v<typename operand_traits<X>::where, space::graph>;
/// A mask chooses among vertices or edges, and is not one truth for all of them.
template <class Place, class Mask>
inline constexpr bool chooses =
    !std::is_same_v<typename operand_traits<Mask>::where, space::graph> || std::is_same_v<Place, space::graph>;

/// Whether labels stand first and a row of real numbers, the scores, behind them.
template <class Scores, class Labels> constexpr bool find_scores_behind() {
  using scores = operand_traits<Scores>;
  using labels = operand_traits<Labels>;
  return scores::type == scalar_type::i32 && scores::dims::rank == 0 && is_real(labels::type) &&
         labels::dims::rank == 1;
}
template <class Scores, class Labels, class... Mask> struct label_rules {
  using scores = operand_traits<Scores>;
  using labels = operand_traits<Labels>;
  using place = place_of<Scores, Labels, Mask...>;
  static constexpr bool one_set = are_of_one_set<Scores, Labels, Mask...>;
  static constexpr bool one_place = place::is_one || !one_set;
  static constexpr bool scores_first = !find_scores_behind<Scores, Labels>() || !one_set || !one_place;
  static constexpr bool in_order = labels::type != scalar_type::boolean || sizeof...(Mask) == 0 ||
                                   ((operand_traits<Mask>::type == scalar_type::boolean) || ...);
  static constexpr bool one_axis = scores::dims::rank == 1 || !scores_first;
  static constexpr bool real = is_real(scores::type) || !scores_first;
  static constexpr bool label_type = labels::type == scalar_type::i32 || !in_order || !scores_first;
  static constexpr bool mask_type = ((operand_traits<Mask>::type == scalar_type::boolean) && ...) || !in_order;
  static constexpr bool are_numbers =
      !scores_first || (is_one_number<Labels> && ((is_one_number<Mask> && chooses<typename place::type, Mask>)&&...));
  static constexpr bool ok =
      one_set && one_place && scores_first && in_order && one_axis && real && label_type && mask_type && are_numbers;
};

/// The number at the label's place; 0 where there is none. A label (under the mask) that has no place raises an error
/// in the call where labels and mask are inputs. One label for all is looked at whatever the mask says of each.
template <class Scores, class Labels, class... Mask>
constexpr auto at_label(Scores scores, Labels labels, Mask... mask) {
  using dims = typename operand_traits<Scores>::dims;
  tracer* t = tracer_of(scores, labels, mask...);
  labels = value_in(t, labels);
  ((mask = value_in(t, mask)), ...);
  ir::label_range range;
  range.labels = labels.id;
  ((range.mask = t->program[mask.id].where == t->program[labels.id].where ? mask.id : ir::no_value), ...);
  range.classes = t->program.intern(elements(dims()));
  t->check(range);
  auto classes = emit<space::graph, dims, scalar_type::i32>(t, ir::opcode::iota);
  return sum(select(classes == labels, scores, 0.0), axis<0>);
}

// Questions about the operand of a loss, asked of the traced program. Results of called layers and of scans are not
// looked into.

/// The operation that gives a value; the casts behind it aside.
constexpr ir::opcode operation_behind(const ir::program& p, ir::value_id at) {
  while (p[at].code == ir::opcode::cast) at = p[at].operands[0];
  return p[at].code;
}
constexpr bool is_trained_input(const ir::program& p, ir::value_id at) {
  return p[at].code == ir::opcode::input && p.inputs[p[at].entry()].trainable && p[at].where == ir::space::graph;
}
/// A product with a parameter, or a sum over edges, perhaps times a number: how convolutions end.
constexpr bool is_of_layer(const ir::program& p, ir::value_id at) {
  const ir::statement& s = p[at];
  if (s.code == ir::opcode::mul || s.code == ir::opcode::div)
    return is_of_layer(p, s.operands[0]) || is_of_layer(p, s.operands[1]);
  if (s.code == ir::opcode::matmul) return is_trained_input(p, s.operands[1]);
  return s.code == ir::opcode::sparse_matmul || s.code == ir::opcode::sum_edges;
}
/// Whether a value is surely no logarithm of probabilities that add up to 1: what a layer ends with, a bias behind it,
/// or an activation that is never negative.
constexpr bool is_no_logarithm(const ir::program& p, ir::value_id at) {
  const ir::statement& s = p[at];
  switch (s.code) {
    case ir::opcode::softmax_axes:
    case ir::opcode::sigmoid:
    case ir::opcode::relu:
    case ir::opcode::exp:
      return true;
    case ir::opcode::add:
      return is_trained_input(p, s.operands[1]) || is_trained_input(p, s.operands[0]);
    default:
      return is_of_layer(p, at);
  }
}
/// Notes what is wrong with the scores of a loss, with the labels' name where they are an input.
template <class X, class Y> constexpr void note_loss(X scores, Y labels, ir::mistake what) {
  const ir::statement& s = scores.trace->program[labels.id];
  const bool has_name = s.code == ir::opcode::input;
  scores.trace->note(what, has_name ? scores.trace->program.inputs[s.entry()].name : text());
}

template <class Prediction, class Target, class... Mask> struct target_rules {
  using a = operand_traits<Prediction>;
  using b = operand_traits<Target>;
  using place = place_of<Prediction, Target, Mask...>;
  static constexpr bool one_set = are_of_one_set<Prediction, Target, Mask...>;
  static constexpr bool one_place = place::is_one || !one_set;
  static constexpr bool one_shape = std::is_same_v<typename a::dims, typename b::dims>;
  static constexpr bool one_type = is_real(a::type) && agree(a::type, b::type);
  static constexpr bool masks = ((is_one_number<Mask> && operand_traits<Mask>::type == scalar_type::boolean &&
                                  chooses<typename place::type, Mask>)&&...);
  static constexpr bool ok = one_set && one_place && one_shape && one_type && masks;
};

#define STG_MIXES_PLACES(loss) \
  "stg: " loss " takes values of vertices alone or of edges alone; aggregate x: sum(x), or read e.dst(y)"
#define STG_MIXES_SETS(loss) \
  "stg: " loss " takes values of one vertex set; read the other's through a relation: mean(e.src(y))"
#define STG_TAKES_THE_MASK_LAST(loss) "stg: " loss " takes the labels, then the mask; exchange the two"
#define STG_TAKES_THE_LABELS_BEHIND(loss, scores) \
  "stg: " loss " takes " scores " first, the labels behind them; exchange the two"
#define STG_HAS_NO_CLASSES(loss, scores) \
  "stg: " loss " takes " scores " with one axis, the classes; write reshape<n>(x)"
#define STG_SCORES_ARE_NOT_REAL(loss, scores) "stg: " loss " takes real " scores "; write cast<f32>(x)"
#define STG_LABELS_ARE_NO_INTEGERS(loss) "stg: " loss " takes labels of type i32: vertex_feature<\"label\", i32>"
#define STG_MASK_IS_NO_TRUTH(loss) "stg: " loss " takes a mask of type boolean: vertex_feature<\"mask\", boolean>"
#define STG_LABELS_ARE_ROWS(loss) \
  "stg: " loss " takes one label and one mask per vertex or edge: vertex_feature<\"label\", i32>"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_LABELS(loss, scores, ...)                                                                      \
  __attribute__((diagnose_if(!(__VA_ARGS__::one_set), STG_MIXES_SETS(loss), "error"),                           \
                 diagnose_if(!(__VA_ARGS__::one_place), STG_MIXES_PLACES(loss), "error"),                       \
                 diagnose_if(!(__VA_ARGS__::scores_first), STG_TAKES_THE_LABELS_BEHIND(loss, scores), "error"), \
                 diagnose_if(!(__VA_ARGS__::in_order), STG_TAKES_THE_MASK_LAST(loss), "error"),                 \
                 diagnose_if(!(__VA_ARGS__::one_axis), STG_HAS_NO_CLASSES(loss, scores), "error"),              \
                 diagnose_if(!(__VA_ARGS__::real), STG_SCORES_ARE_NOT_REAL(loss, scores), "error"),             \
                 diagnose_if(!(__VA_ARGS__::label_type), STG_LABELS_ARE_NO_INTEGERS(loss), "error"),            \
                 diagnose_if(!(__VA_ARGS__::mask_type), STG_MASK_IS_NO_TRUTH(loss), "error"),                   \
                 diagnose_if(!(__VA_ARGS__::are_numbers), STG_LABELS_ARE_ROWS(loss), "error")))
#define STG_CHECK_LABELS(rules, loss, scores)
#else
#define STG_SAYS_LABELS(loss, scores, ...)
#define STG_CHECK_LABELS(rules, loss, scores)                                    \
  static_assert(rules::one_set, STG_MIXES_SETS(loss));                           \
  static_assert(rules::one_place, STG_MIXES_PLACES(loss));                       \
  static_assert(rules::scores_first, STG_TAKES_THE_LABELS_BEHIND(loss, scores)); \
  static_assert(rules::in_order, STG_TAKES_THE_MASK_LAST(loss));                 \
  static_assert(rules::one_axis, STG_HAS_NO_CLASSES(loss, scores));              \
  static_assert(rules::real, STG_SCORES_ARE_NOT_REAL(loss, scores));             \
  static_assert(rules::label_type, STG_LABELS_ARE_NO_INTEGERS(loss));            \
  static_assert(rules::mask_type, STG_MASK_IS_NO_TRUTH(loss));                   \
  static_assert(rules::are_numbers, STG_LABELS_ARE_ROWS(loss))
#endif

#define STG_CHECK_TARGET(rules, loss)                                                          \
  constexpr bool one_set = rules::one_set;                                                     \
  static_assert(one_set, STG_MIXES_SETS(loss));                                                \
  constexpr bool one_place = rules::one_place;                                                 \
  static_assert(one_place, STG_MIXES_PLACES(loss));                                            \
  constexpr bool one_shape = rules::one_shape;                                                 \
  static_assert(one_shape, "stg: " loss " takes a prediction and a target of the same shape"); \
  constexpr bool one_type = rules::one_type;                                                   \
  static_assert(one_type, "stg: " loss " takes real values of one type; write cast<f32>(x)");  \
  constexpr bool masks = rules::masks;                                                         \
  static_assert(masks, "stg: " loss " takes one mask per vertex or edge: vertex_feature<\"mask\", boolean>")

/// The loss that compares each number of a prediction with its target's, where the rules are kept.
template <class Loss, class Y, class Target, class... Mask>
constexpr auto loss_of_target(Loss of_each, Y y, Target target, Mask... mask) {
  if constexpr (target_rules<Y, Target, Mask...>::ok) return mean_of_loss(of_each, y, target, mask...);
  else return no_loss(y);
}
/// The mean of -x[label] of log-probabilities x.
template <class X, class Labels, class... Mask> constexpr auto loss_of_labels(X log_p, Labels labels, Mask... mask) {
  return -mean_of_all(at_label(log_p, labels, mask...), mask...);
}

}  // namespace detail

/// A mask that may name no vertex, or no edge; the loss is 0 then, and so is its gradient. Without this a call whose
/// mask, bound to an input, names none of the graph's raises stg::error. A mask that is computed is not looked at, nor
/// is one truth for the graph.
///
///   cross_entropy(logits, v(label), stg::may_be_empty(v(known)))
template <Expression Mask> constexpr auto may_be_empty(Mask mask) {
  constexpr bool may_choose = detail::may_choose<Mask>;
  static_assert(may_choose,
                "stg: may_be_empty takes a mask of vertices or edges: vertex_feature<\"known\", boolean>, as v(known)");
  mask.trace->may_be_empty.push_back(mask.id);
  return mask;
}

// A loss of vertex values is a mean over vertices, one of edge values over edges, and one of the graph's values theirs:
// bce_with_logits(sum(e.src(h) * e.dst(h), axis<0>), e(is_link)). The graph's values stand beside any others.

/// Mean of -log softmax(logits)[label] over the vertices whose mask is set, or over all: cross_entropy(y, v(label)).
/// logits (classes), labels i32, mask bool, one per vertex or edge. A label outside of [0, classes), under the mask,
/// raises stg::error when the program is called, and so does one label for the graph, whatever the mask. Under a mask
/// that is computed, such as v(known) & v(train), no label is checked, and one outside adds 0 to the sum.
template <Expression Logits, Expression Labels, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
STG_SAYS_LABELS("cross_entropy", "logits", detail::label_rules<Logits, Labels, Mask...>)
constexpr auto cross_entropy(Logits logits, Labels labels, Mask... mask) {
  using rules = detail::label_rules<Logits, Labels, Mask...>;
  STG_CHECK_LABELS(rules, "cross_entropy", "logits");
  if constexpr (rules::ok) {
    if (detail::operation_behind(logits.trace->program, logits.id) == ir::opcode::softmax_axes)
      detail::note_loss(logits, labels, ir::mistake::softmax_before_cross_entropy);
    return detail::loss_of_labels(log_softmax(detail::behind(logits, mask...)), labels, mask...);
  } else {
    return detail::no_loss(logits);
  }
}

/// Mean of -x[label], where x holds log-probabilities: cross_entropy is nll(log_softmax(x), …). Mask, shapes, types and
/// labels out of range as there.
template <Expression X, Expression Labels, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
STG_SAYS_LABELS("nll", "log-probabilities", detail::label_rules<X, Labels, Mask...>)
constexpr auto nll(X log_p, Labels labels, Mask... mask) {
  using rules = detail::label_rules<X, Labels, Mask...>;
  STG_CHECK_LABELS(rules, "nll", "log-probabilities");
  if constexpr (rules::ok) {
    if (detail::is_no_logarithm(log_p.trace->program, log_p.id))
      detail::note_loss(log_p, labels, ir::mistake::nll_of_no_logarithms);
    return detail::loss_of_labels(log_p, labels, mask...);
  } else {
    return detail::no_loss(log_p);
  }
}

// The following compare each feature with that of a target of the same shape and type. Each is the mean over all
// features of all vertices or edges, or of those whose mask is set: mse(y, v(target)), mse(y, v(target), v(known)).

/// Mean of (y - target)².
template <Expression Y, Expression Target, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
constexpr auto mse(Y y, Target target, Mask... mask) {
  using rules = detail::target_rules<Y, Target, Mask...>;
  STG_CHECK_TARGET(rules, "mse");
  return detail::loss_of_target([](auto a, auto t) { return square(a - t); }, y, target, mask...);
}

/// Mean of |y - target|; its gradient is 0 where they are equal.
template <Expression Y, Expression Target, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
constexpr auto l1(Y y, Target target, Mask... mask) {
  using rules = detail::target_rules<Y, Target, Mask...>;
  STG_CHECK_TARGET(rules, "l1");
  return detail::loss_of_target([](auto a, auto t) { return abs(a - t); }, y, target, mask...);
}

/// Mean of d²/2 where |d| < delta, else of delta (|d| - delta/2), with d = y - target: a square around 0 that goes on
/// as a line. delta comes before the mask. Huber, Annals of Mathematical Statistics 35, 1964.
template <Expression Y, Expression Target, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
constexpr auto huber(Y y, Target target, written width = 1, Mask... mask) {
  using rules = detail::target_rules<Y, Target, Mask...>;
  STG_CHECK_TARGET(rules, "huber");
  const double delta = width;
  if (rules::ok && !(delta > 0)) y.trace->note(ir::mistake::delta_not_above_0, text("huber"), width.line);
  const auto of_each = [delta](auto a, auto t) {
    auto d = a - t;
    return select(abs(d) < delta, 0.5 * d * d, delta * (abs(d) - 0.5 * delta));
  };
  return detail::loss_of_target(of_each, y, target, mask...);
}

/// Mean of -(t log p + (1 - t) log(1 - p)) with p = sigmoid(y) and targets t in [0, 1]: binary cross entropy of logits
/// y, written as log(1 + exp(y)) - t y, which is finite for every finite y.
template <Expression Y, Expression Target, Expression... Mask>
  requires(sizeof...(Mask) <= 1)
constexpr auto bce_with_logits(Y y, Target target, Mask... mask) {
  using rules = detail::target_rules<Y, Target, Mask...>;
  STG_CHECK_TARGET(rules, "bce_with_logits");
  if constexpr (rules::ok) {
    if (const ir::opcode gives = detail::operation_behind(y.trace->program, y.id);
        gives == ir::opcode::sigmoid || gives == ir::opcode::softmax_axes)
      detail::note_loss(y, target, ir::mistake::sigmoid_before_bce);
  }
  // From 40 on log(1 + exp(y)) is y in f64 as well.
  return detail::loss_of_target([](auto a, auto t) { return softplus(a, 1.0, 40.0) - t * a; }, y, target, mask...);
}

#undef STG_CHECK_LABELS
#undef STG_CHECK_TARGET

// Called on what was not read.
STG_TAKES_VALUES(cross_entropy)
STG_TAKES_VALUES(nll)
STG_TAKES_VALUES(bce_with_logits)
STG_TAKES_VALUES(mse)
STG_TAKES_VALUES(l1)
STG_TAKES_VALUES(huber)
// Too few arguments, and options of PyTorch's losses where the mask belongs: what to write.
#define STG_TAKES_A_MASK_THIRD(loss, form)                                             \
  STG_TAKES_ARGUMENTS(loss, 2, 3, form)                                                \
  STG_INSTEAD_FOR((Expression Y, class Target, detail::NoMask Option), sizeof(Y) == 0, \
                  "stg: " #loss " takes a mask third, and no options: " form,          \
                  constexpr mistake loss(const Y&, const Target&, const Option&))
STG_TAKES_A_MASK_THIRD(cross_entropy, "cross_entropy(logits, v(label), v(mask))")
STG_TAKES_A_MASK_THIRD(nll, "nll(log_p, v(label), v(mask))")
STG_TAKES_A_MASK_THIRD(bce_with_logits, "bce_with_logits(y, v(target), v(mask))")
STG_TAKES_A_MASK_THIRD(mse, "mse(y, v(target), v(mask))")
STG_TAKES_A_MASK_THIRD(l1, "l1(y, v(target), v(mask))")
#undef STG_TAKES_A_MASK_THIRD
STG_TAKES_ARGUMENTS(huber, 2, 4, "huber(y, v(target))")
STG_TAKES_A_NUMBER(huber, 2, "huber(y, v(target), 1.0, v(mask))")

}  // namespace stg
