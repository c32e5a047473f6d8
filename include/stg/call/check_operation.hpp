// check_operation: whether an operation of your own agrees with its function, and its gradient with the derivative.
#pragma once

#include <algorithm>    // max
#include <cmath>        // abs, floor, nextafter
#include <cstdint>      // int64_t, uint64_t
#include <limits>       // infinity
#include <ostream>      // ostream
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v
#include <vector>       // vector

#include <stg/call/as_draft.hpp>         // compile as a draft
#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/call/elementwise.hpp>      // apply, elementwise
#include <stg/call/model.hpp>            // compile
#include <stg/gradient.hpp>              // gradient
#include <stg/op/composed.hpp>           // square
#include <stg/op/feature.hpp>            // sum along axes
#include <stg/op/reduction.hpp>          // sum over vertices
#include <stg/runtime/graph.hpp>         // graph
#include <stg/runtime/tensor.hpp>        // tensor

namespace stg {

/// The draws and tolerances of check_operation.
struct operation_check_options {
  std::int64_t points = 500;           // sets of operands
  double ulps = 8;                     // by how many units in the last place a result may miss the exact one
  gradient_check_options gradients{};  // how gradients are compared with central differences
  std::uint64_t seed = 0;
};

/// The result of check_operation.
struct operation_check {
  std::string_view operation{};
  /// The furthest result of one way to run it: its distance in units in the last place, and its operands.
  struct result {
    std::string_view way{};  // "compiled, f32", "draft, f64"
    double ulps = 0;
    std::vector<double> operands{};
    double found = 0, expected = 0;
  };
  result worst{};
  double most_ulps = 0;       // the allowed distance
  bool has_gradient = false;  // else it refuses one, and the next two say nothing
  gradient_check slope{}, second{};

  bool passed() const { return worst.ulps <= most_ulps && slope.passed() && second.passed(); }
  explicit operator bool() const { return passed(); }
};

/// "softcap: up to 1.4 ulp off; gradient: …; gradient of the gradient: …".
inline std::string to_string(const operation_check& found) {
  std::string said(found.operation);
  said += ": " + std::to_string(found.worst.ulps) + " ulp off at most";
  if (found.worst.ulps > 0) {
    said += ", " + std::string(found.worst.way) + ": of (";
    for (std::size_t k = 0; k < found.worst.operands.size(); ++k)
      said += (k > 0 ? ", " : "") + std::to_string(found.worst.operands[k]);
    said += ") " + std::to_string(found.worst.found) + ", exactly " + std::to_string(found.worst.expected);
  }
  if (!found.has_gradient) return said + "; it has no gradient";
  return said + "; gradient: " + to_string(found.slope) + "; gradient of the gradient: " + to_string(found.second);
}
inline std::ostream& operator<<(std::ostream& out, const operation_check& found) { return out << to_string(found); }

namespace detail {

template <scalar_type T> inline constexpr auto operand_a = trainable(vertex_feature<"a", T, 7>);
template <scalar_type T> inline constexpr auto operand_b = trainable(vertex_feature<"b", T, 7>);
template <scalar_type T> inline constexpr auto operand_c = trainable(vertex_feature<"c", T, 7>);

/// The operation on features of 7 numbers, which fill no register, and its slopes.
template <class Op, scalar_type T> struct operation_programs {
  static constexpr auto applied = [](auto v) {
    if constexpr (Op::arity == 1) return apply<Op>(v(operand_a<T>));
    else if constexpr (Op::arity == 2) return apply<Op>(v(operand_a<T>), v(operand_b<T>));
    else return apply<Op>(v(operand_a<T>), v(operand_b<T>), v(operand_c<T>));
  };
  static constexpr auto slopes = [](auto v) {
    const auto total = [](auto y) { return sum(sum(y, axis<0>), all_vertices); };
    const auto a = v(operand_a<T>);
    if constexpr (Op::arity == 1) {
      return square(gradient(total(apply<Op>(a)), a));
    } else if constexpr (Op::arity == 2) {
      const auto b = v(operand_b<T>);
      const auto y = total(apply<Op>(a, b));
      return square(gradient(y, a)) + square(gradient(y, b));
    } else {
      const auto b = v(operand_b<T>), c = v(operand_c<T>);
      const auto y = total(apply<Op>(a, b, c));
      return square(gradient(y, a)) + square(gradient(y, b)) + square(gradient(y, c));
    }
  };
};

/// Operands from the domain of an operation, away from jumps of its value and its slope.
class operand_source {
 public:
  operand_source(const op::domain& of, std::uint64_t seed) : where(of), state(seed * 2 + 1) {}
  void fill(double* to, int count) {
    do {
      for (int k = 0; k < count; ++k) to[k] = draw(where.of(k));
    } while (is_at_kink(to, count));
  }

 private:
  double draw(const op::interval& from) {
    const double low = std::max(from.low, -8.0), high = std::min(from.high, 8.0);
    double x = 0;
    do {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53;
    } while (!from.contains(x));
    return x;
  }
  bool is_at_kink(const double* x, int count) const {
    constexpr double near = 1e-3;
    const double ratio = count > 1 ? x[0] / x[1] : 0;
    switch (where.at) {
      case op::kink::zero:
        return std::abs(x[0]) < near;
      case op::kink::whole:
        return std::abs(x[0] - std::round(x[0])) < near;
      case op::kink::half:
        return std::abs(x[0] - 0.5 - std::floor(x[0])) < near;
      case op::kink::equal:
      case op::kink::ties:
        return count > 1 && std::abs(x[0] - x[1]) < near;
      case op::kink::ratio:
        return std::abs(ratio - std::round(ratio)) < near;
      default:
        return false;
    }
  }

  op::domain where;
  std::uint64_t state;
};

/// How far a result is from the exact one, in units of its last place.
template <class T> double ulps_between(T found, long double exact) {
  const T near = static_cast<T>(exact);
  if (found == near || (found != found && near != near)) return 0;
  const T up = std::nextafter(std::abs(near), std::numeric_limits<T>::infinity());
  const long double off = (static_cast<long double>(found) - exact) / (static_cast<long double>(up) - std::abs(near));
  return off == off ? static_cast<double>(std::abs(off)) : std::numeric_limits<double>::infinity();
}

/// Operands of an operation as tensors: one number after the other of each.
template <class Op, class T> struct operand_tensors {
  static constexpr std::int64_t width = 7;
  tensor<T> of[3];
  std::int64_t rows;

  operand_tensors(const operation_check_options& how) : rows((how.points + width - 1) / width) {
    operand_source source(Op::domain, how.seed);
    for (tensor<T>& t : of) t = tensor<T>({rows, width});
    for (std::int64_t i = 0; i < rows * width; ++i) {
      double x[3] = {};
      source.fill(x, Op::arity);
      for (int k = 0; k < 3; ++k) of[k].data()[i] = static_cast<T>(x[k]);
    }
  }
  long double exact(std::int64_t i) const {
    const long double a = of[0].data()[i], b = of[1].data()[i], c = of[2].data()[i];
    if constexpr (Op::arity == 1) return Op::apply(a);
    else if constexpr (Op::arity == 2) return Op::apply(a, b);
    else return Op::apply(a, b, c);
  }
  void compare(operation_check& to, std::string_view way, const tensor<T>& y) const {
    for (std::int64_t i = 0; i < rows * width; ++i) {
      const long double expected = exact(i);
      const double ulps = ulps_between(y.data()[i], expected);
      if (ulps <= to.worst.ulps) continue;
      to.worst = {way, ulps, {}, static_cast<double>(y.data()[i]), static_cast<double>(expected)};
      for (int k = 0; k < Op::arity; ++k) to.worst.operands.push_back(static_cast<double>(of[k].data()[i]));
    }
  }
  /// f(graph, bindings of the operation's operands).
  template <scalar_type S, class F> auto call(const F& f) const {
    const graph g = graph::from_edges(rows, {}, {});
    if constexpr (Op::arity == 1) return f(g, operand_a<S> = of[0]);
    else if constexpr (Op::arity == 2) return f(g, operand_a<S> = of[0], operand_b<S> = of[1]);
    else return f(g, operand_a<S> = of[0], operand_b<S> = of[1], operand_c<S> = of[2]);
  }
};

template <class Op, scalar_type S>
void compare_values(operation_check& to, const operation_check_options& how, std::string_view compiled,
                    std::string_view drafted) {
  using T = element_t<S>;
  const operand_tensors<Op, T> given(how);
  to.operation = Op::name;
  given.compare(to, compiled, given.template call<S>([](const auto&... args) -> tensor<T> {
    return compile<operation_programs<Op, S>::applied>()(args...);
  }));
  given.compare(to, drafted, given.template call<S>([](const auto&... args) -> tensor<T> {
    return compile<operation_programs<Op, S>::applied>(draft())(args...);
  }));
}

}  // namespace detail

/// Whether an operation of your own is right: its values in f32 and f64, compiled and as a draft, against its function
/// in long double; its gradient, if it has one, and the gradient of this one against central differences. Operands are
/// drawn from the operation's domain, from -8 to 8 by default.
///
///   const auto check = stg::check_operation<softcap>();
///   if (!check) std::cerr << check << '\n';
///   stg::check_operation<softcap>({.points = 10000, .ulps = 2});
template <class Op> operation_check check_operation(const operation_check_options& how = {}) {
  operation_check found;
  found.most_ulps = how.ulps;
  detail::compare_values<Op, scalar_type::f32>(found, how, "compiled, f32", "draft, f32");
  detail::compare_values<Op, scalar_type::f64>(found, how, "compiled, f64", "draft, f64");
  if constexpr (detail::names_gradient<Op>) {
    found.has_gradient = true;
    operation_check_options few = how;
    few.points = std::min<std::int64_t>(how.points, 70);  // each compared number is two runs
    const detail::operand_tensors<Op, double> given(few);
    using programs = detail::operation_programs<Op, scalar_type::f64>;
    found.slope = given.template call<scalar_type::f64>(
        [&](const auto&... args) { return check_gradients<programs::applied>(how.gradients, args...); });
    found.second = given.template call<scalar_type::f64>(
        [&](const auto&... args) { return check_gradients<programs::slopes>(how.gradients, args...); });
  }
  return found;
}

}  // namespace stg
