// Pointwise operations of the oracle: plain formulas, those of elementary functions the operations' own.
#pragma once

#include <algorithm>    // max, min
#include <cmath>        // exp, log, …
#include <string>       // string
#include <type_traits>  // type_identity

#include <stg/base/error.hpp>              // error
#include <stg/codegen/oracle/bounded.hpp>  // bounded
#include <stg/ir/program.hpp>              // statement
#include <stg/op/list.hpp>                 // Exact, visit
#include <stg/runtime/own_operations.hpp>  // operation_of

namespace stg::oracle::detail {

/// By an operation's own formula. Its slopes are those of small differences, which are good enough for a bound.
template <op::Exact Op> bounded by_formula(const bounded* x) {
  const auto f = [](long double a, [[maybe_unused]] long double b) {
    if constexpr (Op::arity == 1) return Op::exact(a);
    else return Op::exact(a, b);
  };
  const long double a = x[0].value, b = Op::arity == 1 ? 0 : x[1].value, small = 1e-7L;
  const long double y = f(a, b), in_a = small * std::max(1.0L, std::abs(a)), in_b = small * std::max(1.0L, std::abs(b));
  bounded r =
      through(static_cast<double>(y), static_cast<double>((f(a + in_a, b) - f(a - in_a, b)) / (2 * in_a)), x[0]);
  if constexpr (Op::arity == 2)
    r.magnitude += static_cast<double>(std::abs(f(a, b + in_b) - f(a, b - in_b)) / (2 * in_b)) * x[1].magnitude;
  return r;
}

/// By a user's function, in as many digits as there are.
inline bounded by_own_function(const ir::statement& s, const bounded* x) {
  const own_operation& own = operation_of(s.operation());
  if (own.arity != s.arity()) throw error("stg internal: an operation is applied to other operands than it takes");
  long double at[ir::statement::max_operands] = {};
  for (int k = 0; k < own.arity; ++k) at[k] = x[k].value;
  const long double y = own.value(at);
  bounded r{static_cast<double>(y), static_cast<double>(std::abs(y))};
  for (int k = 0; k < own.arity; ++k) {
    const long double middle = at[k], step = 1e-7L * std::max(1.0L, std::abs(middle));
    at[k] = middle + step;
    const long double above = own.value(at);
    at[k] = middle - step;
    const long double below = own.value(at);
    at[k] = middle;
    r.magnitude += static_cast<double>(std::abs((above - below) / (2 * step))) * x[k].magnitude;
  }
  return r;
}

/// By the formula that the operation has for the oracle.
inline bounded by_known_formula(const ir::statement& s, const bounded* x) {
  bounded y;
  op::visit(s.code, [&]<class Op>(std::type_identity<Op>) {
    if constexpr (op::Exact<Op>) y = by_formula<Op>(x);
    else throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
  });
  return y;
}

/// Operations that read their first operand alone, and those of a known formula.
inline bounded of_one(const ir::statement& s, const bounded* x) {
  const double a = x[0].value;
  switch (s.code) {
    case ir::opcode::cast:
      if (s.type == scalar_type::boolean) return exact(a != 0);
      if (s.type == scalar_type::bf16) return bounded{bfloat16(static_cast<float>(a)), x[0].magnitude};
      if (s.type == scalar_type::f16) return bounded{float16(static_cast<float>(a)), x[0].magnitude};
      return s.type == scalar_type::i32 ? exact(std::trunc(a)) : x[0];
    case ir::opcode::broadcast_to:
      return x[0];
    case ir::opcode::negate:
      return bounded{-a, x[0].magnitude};
    case ir::opcode::abs:
      return bounded{std::abs(a), x[0].magnitude};
    case ir::opcode::detach:
    case ir::opcode::training:
      return x[0];
    case ir::opcode::sign:
      return exact(a > 0 ? 1 : a < 0 ? -1 : a);
    case ir::opcode::floor:
      return exact(std::floor(a));
    case ir::opcode::ceil:
      return exact(std::ceil(a));
    case ir::opcode::round:
      return exact(std::nearbyint(a));
    case ir::opcode::sigmoid: {
      const double y = 1 / (1 + std::exp(-a));
      return through(y, y * (1 - y), x[0]);
    }
    case ir::opcode::relu:
      return a > 0 ? x[0] : bounded{a <= 0 ? 0 : a, x[0].magnitude};
    case ir::opcode::leaky_relu:
      return a > 0 ? x[0] : bounded{s.slope() * a, std::abs(s.slope()) * x[0].magnitude};
    case ir::opcode::elu:
      return a > 0 ? x[0] : through(s.alpha() * std::expm1(a), s.alpha() * std::exp(a), x[0]);
    default:
      return by_known_formula(s, x);
  }
}

/// One feature of a pointwise operation. `from` is the scalar type of the operands.
inline bounded pointwise(const ir::statement& s, scalar_type from, const bounded* x) {
  if (ir::applies_own(s.code)) return by_own_function(s, x);
  const double a = x[0].value, b = x[1].value;
  switch (s.code) {
    case ir::opcode::add:
      return bounded{a + b, x[0].magnitude + x[1].magnitude};
    case ir::opcode::sub:
      return bounded{a - b, x[0].magnitude + x[1].magnitude};
    case ir::opcode::mul:
      return bounded{a * b, x[0].magnitude * x[1].magnitude};
    case ir::opcode::div:
      if (from == scalar_type::i32) return exact(b == 0 ? 0 : b == -1 && a == -0x1p31 ? a : std::trunc(a / b));
      return bounded{a / b, x[0].magnitude / std::abs(b) + std::abs(a / (b * b)) * x[1].magnitude};
    case ir::opcode::min:
      return bounded{b < a ? b : a, std::max(x[0].magnitude, x[1].magnitude)};
    case ir::opcode::max:
      return bounded{a < b ? b : a, std::max(x[0].magnitude, x[1].magnitude)};
    case ir::opcode::pow: {
      const double y = std::pow(a, b);
      const double in_base = b == 0 ? 0 : std::abs(b * std::pow(a, b - 1)) * x[0].magnitude;
      const double in_exponent = a > 0 ? std::abs(y * std::log(a)) * x[1].magnitude : 0;
      return bounded{y, std::abs(y) + in_base + in_exponent};
    }
    case ir::opcode::fmod:
      return bounded{std::fmod(a, b), x[0].magnitude + std::abs(std::trunc(a / b)) * x[1].magnitude};
    case ir::opcode::less:
      return exact(a < b);
    case ir::opcode::less_equal:
      return exact(a <= b);
    case ir::opcode::equal:
      return exact(a == b);
    case ir::opcode::not_equal:
      return exact(a != b);
    case ir::opcode::softmax_edges:
    case ir::opcode::softmax_axes: {
      const double e = std::exp(a - b);
      return bounded{e * x[2].value,
                     std::abs(e * x[2].value) * (1 + x[0].magnitude + x[1].magnitude) + e * x[2].magnitude};
    }
    case ir::opcode::select:
      return a != 0 ? x[1] : x[2];
    default:
      return of_one(s, x);
  }
}

}  // namespace stg::oracle::detail
