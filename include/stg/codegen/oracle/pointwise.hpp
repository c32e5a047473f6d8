// Pointwise operations of the oracle: plain formulas in double.
#pragma once

#include <algorithm>  // max, min
#include <cmath>      // exp, log, …
#include <string>     // string

#include <stg/base/error.hpp>              // error
#include <stg/codegen/oracle/bounded.hpp>  // bounded
#include <stg/ir/program.hpp>              // statement

namespace stg::oracle::detail {

/// One feature of a pointwise operation. `from` is the scalar type of the operands.
inline bounded pointwise(const ir::statement& s, scalar_type from, const bounded* x) {
  const double a = x[0].value, b = x[1].value;
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
    case ir::opcode::exp:
      return through(std::exp(a), std::exp(a), x[0]);
    case ir::opcode::exp2:
      return through(std::exp2(a), std::exp2(a), x[0]);
    case ir::opcode::expm1:
      return through(std::expm1(a), std::exp(a), x[0]);
    case ir::opcode::log2:
      return through(std::log2(a), 1.5 / a, x[0]);
    case ir::opcode::log1p:
      return through(std::log1p(a), 1 / (1 + a), x[0]);
    case ir::opcode::cbrt:
      return through(std::cbrt(a), std::cbrt(a) / (3 * a), x[0]);
    case ir::opcode::erf:
      return through(std::erf(a), 1.13 * std::exp(-a * a), x[0]);
    case ir::opcode::sin:
      return through(std::sin(a), std::cos(a), x[0]);
    case ir::opcode::cos:
      return through(std::cos(a), std::sin(a), x[0]);
    case ir::opcode::asin:
      return through(std::asin(a), 1 / std::sqrt(1 - a * a), x[0]);
    case ir::opcode::acos:
      return through(std::acos(a), 1 / std::sqrt(1 - a * a), x[0]);
    case ir::opcode::atan:
      return through(std::atan(a), 1 / (1 + a * a), x[0]);
    case ir::opcode::sinh:
      return through(std::sinh(a), std::cosh(a), x[0]);
    case ir::opcode::cosh:
      return through(std::cosh(a), std::sinh(a), x[0]);
    case ir::opcode::log:
      return through(std::log(a), 1 / a, x[0]);
    case ir::opcode::sqrt:
      return through(std::sqrt(a), 0.5 / std::sqrt(a), x[0]);
    case ir::opcode::rsqrt:
      return through(1 / std::sqrt(a), 0.5 / (a * std::sqrt(a)), x[0]);
    case ir::opcode::tanh:
      return through(std::tanh(a), 1 - std::tanh(a) * std::tanh(a), x[0]);
    case ir::opcode::sigmoid: {
      const double y = 1 / (1 + std::exp(-a));
      return through(y, y * (1 - y), x[0]);
    }
    case ir::opcode::relu:
      return a > 0 ? x[0] : bounded{a <= 0 ? 0 : a, x[0].magnitude};
    case ir::opcode::leaky_relu:
      return a > 0 ? x[0] : bounded{s.number * a, std::abs(s.number) * x[0].magnitude};
    case ir::opcode::elu:
      return a > 0 ? x[0] : through(s.number * std::expm1(a), s.number * std::exp(a), x[0]);
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
    case ir::opcode::select:
      return a != 0 ? x[1] : x[2];
    default:
      throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
  }
}

}  // namespace stg::oracle::detail
