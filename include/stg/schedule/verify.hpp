// verify_schedule: what is computed by a schedule, held to what is computed without it.
#pragma once

#include <algorithm>    // max
#include <cmath>        // abs, isnan
#include <cstdint>      // int64_t
#include <cstring>      // memcmp
#include <limits>       // numeric_limits
#include <sstream>      // ostringstream
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_arithmetic_v, remove_cvref_t
#include <utility>      // move, pair
#include <vector>       // vector

#include <stg/base/error.hpp>      // error
#include <stg/call/explain.hpp>    // training_with
#include <stg/call/inference.hpp>  // compile
#include <stg/call/training.hpp>   // value_and_grad
#include <stg/call/with.hpp>       // with

namespace stg {

/// What a schedule changes in numbers.
struct schedule_check {
  bool same_bits = true;  // of all numbers
  double worst = 0;  // of all numbers, as a share of the largest one of their value: |scheduled - plain| / max |plain|
  std::string where{};  // the value that has it: loss, output, or a parameter with "gradient of" before it
  double plain = 0, scheduled = 0;
};

namespace detail {

/// Numbers of the values of a call, by name.
using numbers_by_name = std::vector<std::pair<std::string, std::vector<double>>>;

template <class V> void add_numbers(numbers_by_name& to, std::string name, const V& value) {
  std::vector<double> all;
  if constexpr (std::is_arithmetic_v<V>) {
    all.push_back(static_cast<double>(value));
  } else {
    const auto& t = tensor_of(value);
    const auto here = t.to(stg::host);
    for (std::int64_t k = 0; k < here.size(); ++k) all.push_back(static_cast<double>(here.data()[k]));
  }
  to.emplace_back(std::move(name), std::move(all));
}
template <const auto& F, class... Arg> numbers_by_name numbers_of_call(const Arg&... args) {
  numbers_by_name all;
  using training = training_with<default_backend, fixed_symbols<>, F>;
  if constexpr (training::exists && training::is_loss) {
    const auto now = value_and_grad<F>()(args...);
    add_numbers(all, "loss", now.loss);
    for_each(now.gradients, [&](std::string_view name, const auto& value) {
      add_numbers(all, "gradient of " + std::string(name), value);
    });
  } else {
    const auto y = compile<F>()(args...);
    if constexpr (is_named_set<std::remove_cvref_t<decltype(y)>>)
      for_each(
          y, [&](std::string_view name, const auto& value) { add_numbers(all, "output " + std::string(name), value); });
    else add_numbers(all, "output", y);
  }
  return all;
}
inline schedule_check compared(const numbers_by_name& plain, const numbers_by_name& scheduled) {
  schedule_check found;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    double largest = 0;
    for (const double x : plain[k].second) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < plain[k].second.size(); ++i) {
      const double a = plain[k].second[i], b = scheduled[k].second[i];
      found.same_bits = found.same_bits && std::memcmp(&a, &b, sizeof a) == 0;
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double off = std::abs(a - b) / (largest > 0 ? largest : 1);
      if (off <= found.worst) continue;  // NaN is worse than all
      found.worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
      found.where = plain[k].first;
      found.plain = a;
      found.scheduled = b;
    }
  }
  return found;
}

[[noreturn]] inline void is_off(const schedule_check& found, double tolerance) {
  std::ostringstream why;
  why << "verify_schedule: " << found.where << " is " << found.scheduled << " as scheduled and " << found.plain
      << " plainly, off by " << found.worst << " of its largest number; tolerated are " << tolerance;
  throw error(why.str());
}

}  // namespace detail

/// Calls F and F as it is scheduled with the same inputs, seeds and parameters, and compares outputs; of a loss with
/// parameters the loss and all gradients. Throws where a number is off by more than `tolerance` times the largest one
/// of its value, with the value and both numbers; 0: bits stay.
///
///   stg::verify_schedule<loss, thrifty>(1e-6, graph, x = X, label = Y, params);
template <const auto& F, const auto& Schedule, class... Arg>
schedule_check verify_schedule(double tolerance, const Arg&... args) {
  const schedule_check found =
      detail::compared(detail::numbers_of_call<F>(args...), detail::numbers_of_call<with<F, Schedule>>(args...));
  if (found.worst > tolerance) detail::is_off(found, tolerance);
  return found;
}

}  // namespace stg
