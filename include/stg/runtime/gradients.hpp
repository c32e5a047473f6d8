// Sets of gradients as vectors: their sums, so that those of several steps or tapes make one step, their norm,
// clipping.
#pragma once

#include <array>        // array
#include <span>         // span
#include <string_view>  // string_view
#include <type_traits>  // is_same_v, remove_cvref_t

#include <stg/runtime/named_values.hpp>    // named_values
#include <stg/runtime/optimizer_base.hpp>  // parameter_update

namespace stg {

namespace detail {

// Over all values of a set, whose `value` they change and whose `gradient` they read: parallel over blocks when they
// are many, bitwise equal for any number of threads, without allocating on the host. On a device launched, not waited
// for, but for the norm.
void add_scaled(location, std::span<const parameter_update>, double factor);
void scale(location, std::span<const parameter_update>, double factor);
void limit(location, std::span<const parameter_update>, double most);
double norm(location, std::span<const parameter_update>);
double checked_limit(double limit);
[[noreturn]] void wrong_summand(std::string_view name, const dimensions& to, const dimensions& from);
[[noreturn]] void scattered_set(std::string_view name, location lies, location other);

/// All values of a set, and where they lie. Error when they do not lie in one place.
template <class Set> struct set_arrays {
  std::array<parameter_update, Set::count> all{};
  location where;

  explicit set_arrays(const Set& set) {
    std::size_t at = 0;
    boost::hana::for_each(set.items(), [&](const auto& item) {
      auto& t = const_cast<std::remove_cvref_t<decltype(tensor_of(item.value))>&>(tensor_of(item.value));
      using T = typename std::remove_cvref_t<decltype(t)>::value_type;
      static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                    "stg: sets of float and double are added and clipped; cast what has another scalar type");
      if (at == 0) where = t.place();
      if (!(t.place() == where)) scattered_set(item.text(), t.place(), where);
      all[at++] = {t.data(), nullptr, nullptr, nullptr, t.size(), 0, std::is_same_v<T, double>};
    });
  }
};

}  // namespace detail

/// to = to + factor · from, value by value, matched by name: `from` has the names of `to` and no others. Both may be
/// one set, or views of one: add(sum, sum) doubles it; other memory that the two have in common is not looked for.
/// Errors, before anything is changed: a value of another shape, or in another place.
///
///   auto sum = now.gradients.clone();              // the next step writes over now.gradients
///   stg::add(sum, step(…).gradients, 0.5);
///   optimizer.step(sum);
template <class... To, class... From>
void add(named_values<To...>& to, const named_values<From...>& from, double factor = 1) {
  using Sum = named_values<To...>;
  using Set = named_values<From...>;
  constexpr bool fit = detail::has_names_of<Set, Sum> && detail::has_names_of<Sum, Set>;
  static_assert(fit, "stg: sets of other names are added; add those of the same parameters, or write set.of(params)");
  if constexpr (fit) {
    detail::set_arrays<Sum> sum(to);
    std::size_t at = 0;
    boost::hana::for_each(to.items(), [&](const auto& item) {
      using Name = typename std::remove_cvref_t<decltype(item)>::name;
      const auto& t = detail::tensor_of(item.value);
      const auto& summand = detail::tensor_of(from.template get<Set::template position<Name>()>());
      constexpr bool one_type = std::is_same_v<decltype(t), decltype(summand)>;
      static_assert(one_type,
                    "stg: a value has another scalar type in the set that is added; add sets of the same parameters");
      if constexpr (std::is_same_v<decltype(t), decltype(summand)>) {
        if (!(summand.shape() == t.shape())) detail::wrong_summand(item.text(), t.shape(), summand.shape());
        if (!(summand.place() == sum.where)) detail::scattered_set(item.text(), summand.place(), sum.where);
        sum.all[at++].gradient = summand.data();
      }
    });
    detail::add_scaled(sum.where, sum.all, factor);
  }
}
template <class... To, class... From>
named_values<To...>& operator+=(named_values<To...>& to, const named_values<From...>& from) {
  add(to, from);
  return to;
}
template <class... To, class... From>
named_values<To...>& operator-=(named_values<To...>& to, const named_values<From...>& from) {
  add(to, from, -1);
  return to;
}
/// A number times a set: what to write.
template <class... Named> const named_values<Named...>& operator*(double, const named_values<Named...>& set) {
  constexpr bool is_added = sizeof(set) == 0;
  static_assert(is_added, "stg: a set is added with its factor: stg::add(params, now.gradients, -0.1)");
  return set;
}
/// Every number of a set by a factor. Error when its values do not lie in one place.
template <class... Named> named_values<Named...>& operator*=(named_values<Named...>& set, double factor) {
  const detail::set_arrays<named_values<Named...>> arrays(set);
  detail::scale(arrays.where, arrays.all, factor);
  return set;
}

/// The Euclidean norm of all numbers of a set as one vector, summed in double. Error when they do not lie in one place.
template <class... Named> [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double norm(const named_values<Named...>& set) {
  const detail::set_arrays<named_values<Named...>> arrays(set);
  return detail::norm(arrays.where, arrays.all);
}

/// Scales a set whose norm is larger than `most` down to it, and returns the norm of before: Pascanu, Mikolov and
/// Bengio, ICML 2013, algorithm 1; by most / (norm + 1e-6), as torch.nn.utils.clip_grad_norm_ does. A norm that is no
/// number makes all of them none. Errors: `most` is not above 0, values that do not lie in one place.
///
///   const double norm = stg::clip_norm(now.gradients, 1.0);
///   optimizer.step(now.gradients);
#define STG_CLIPS_PARAMETERS \
  "stg: gradients are clipped, and these are parameters; write clip_norm(now.gradients, 1), or params.numbers()"
template <class... Named>
STG_SAYS_SET(!detail::is_parameters<named_values<Named...>>, STG_CLIPS_PARAMETERS)
double clip_norm(named_values<Named...>& set, double most) {
  STG_CHECK_SET(!detail::is_parameters<named_values<Named...>>, STG_CLIPS_PARAMETERS);
  detail::checked_limit(most);
  const detail::set_arrays<named_values<Named...>> arrays(set);
  const double before = detail::norm(arrays.where, arrays.all), factor = most / (before + 1e-6);
  if (!(factor >= 1)) detail::scale(arrays.where, arrays.all, factor);
  return before;
}

/// Brings every number of a set into [-most, most]; what is no number stays so. Errors: as clip_norm's.
template <class... Named>
STG_SAYS_SET(!detail::is_parameters<named_values<Named...>>, STG_CLIPS_PARAMETERS)
void clip_values(named_values<Named...>& set, double most) {
  STG_CHECK_SET(!detail::is_parameters<named_values<Named...>>, STG_CLIPS_PARAMETERS);
  detail::checked_limit(most);
  const detail::set_arrays<named_values<Named...>> arrays(set);
  detail::limit(arrays.where, arrays.all, most);
}

namespace detail {
template <class... Arg> inline constexpr bool can_clip = false;
template <class... Named, class Most>
inline constexpr bool can_clip<named_values<Named...>&, Most> = std::is_convertible_v<Most, double>;
}  // namespace detail
#define STG_CLIPS_NO_SET "stg: a set of gradients is clipped, to a limit behind it: stg::clip_norm(now.gradients, 1.0)"
/// Of other arguments: what to write.
template <class... Arg>
  requires(!detail::can_clip<Arg...>)
STG_SAYS_SET(sizeof...(Arg) > 9, STG_CLIPS_NO_SET)
double clip_norm(Arg&&...) {
  STG_CHECK_SET(sizeof...(Arg) > 9, STG_CLIPS_NO_SET);
  return 0;
}
template <class... Arg>
  requires(!detail::can_clip<Arg...>)
STG_SAYS_SET(sizeof...(Arg) > 9, STG_CLIPS_NO_SET)
void clip_values(Arg&&...) { STG_CHECK_SET(sizeof...(Arg) > 9, STG_CLIPS_NO_SET); }

}  // namespace stg
