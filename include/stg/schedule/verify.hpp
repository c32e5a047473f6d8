// verify_schedule: what is computed by a schedule, held to what is computed without it.
#pragma once

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_arithmetic_v, is_convertible_v, remove_cvref_t
#include <utility>      // move
#include <vector>       // vector

#include <stg/base/error.hpp>      // error
#include <stg/call/explain.hpp>    // training_with
#include <stg/call/inference.hpp>  // compile
#include <stg/call/training.hpp>   // value_and_grad
#include <stg/call/with.hpp>       // with
#include <stg/schedule/check.hpp>  // schedule_check

namespace stg {

namespace detail {

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
/// The inputs of a call by their names: of `x = X` and of sets of parameters. Those of others are not known so.
template <class Arg> void add_inputs(std::vector<program_input>& to, const Arg& arg) {
  if constexpr (is_named_set<std::remove_cvref_t<Arg>>)
    for_each(arg, [&](std::string_view name, const auto& value) { to.emplace_back(name, tensor_of(value)); });
  else if constexpr (requires {
                       typename Arg::symbol;
                       arg.value.shape(), arg.value.place(), arg.value.data();
                     })
    to.emplace_back(Arg::symbol::name::view(), arg.value);
}
/// The first named value that is off; none where verify_programs could not call the program so, as on blocks.
template <const auto& F, const auto& Schedule, class On, class... Rest>
schedule_check first_off_in(double tolerance, const std::vector<program_input>& inputs, const On& on, const Rest&...) {
  if constexpr (std::is_convertible_v<const On&, call_graph>) {
    try {
      return first_off(tolerance, canonical<ref<F>>::value.thaw(), canonical<ref<with<F, Schedule>>>::value.thaw(), on,
                       inputs);
    } catch (const error&) {
    }
  }
  return {};
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
  if (found.worst > tolerance) {
    std::vector<program_input> inputs;
    (detail::add_inputs(inputs, args), ...);
    detail::is_off(found, tolerance, detail::first_off_in<F, Schedule>(tolerance, inputs, args...));
  }
  return found;
}

}  // namespace stg
