// Sets of named tensors: parameters, gradients and outputs, as Boost.Hana sequences that are indexed by symbol.
#pragma once

#include <string_view>  // string_view
#include <tuple>        // tuple_size, tuple_element
#include <type_traits>  // is_same_v, remove_cvref_t
#include <utility>      // integer_sequence, move

#include <boost/hana/at.hpp>        // at_c
#include <boost/hana/for_each.hpp>  // for_each
#include <boost/hana/tuple.hpp>     // tuple

#include <stg/ir/start.hpp>  // beginning

namespace stg {

template <class... Named> class named_values;

namespace detail {
/// What a training step says of a parameter that holds what it was made with.
[[noreturn]] void not_initialized(std::string_view name);
template <class T> inline constexpr bool is_named_set = false;
template <class... Named> inline constexpr bool is_named_set<named_values<Named...>> = true;
/// Whether the one value of a set stands for all that it is asked for: the set is a wrong program's, of which a
/// compiler has said what is wrong.
template <class... Named> inline constexpr bool stands_for_all = (... || requires { Named::stands_for_all; });
/// Whether a set has a value of each name that another has.
template <class Set, class Other> inline constexpr bool has_names_of = false;
template <class... Mine, class... Other>
inline constexpr bool has_names_of<named_values<Mine...>, named_values<Other...>> =
    (... && (named_values<Mine...>::template position<typename Other::name>() >= 0));
/// The tensor of a value, which may be that of edges, and a value of a tensor.
template <class V> auto& tensor_of(V& value) {
  if constexpr (requires { value.values(); }) return value.values();
  else return value;
}
/// A value like another of a tensor with its rows: those of edges stay those of the same graph.
template <class V, class Tensor> V value_like(const V& like, Tensor of) {
  if constexpr (requires { like.values(); }) return V::in_id_order(std::move(of), like.edge_identity());
  else return of;
}
template <class V> V view_of_value(const V& value) {
  const auto& t = tensor_of(value);
  using tensor = std::remove_cvref_t<decltype(t)>;
  using element = typename tensor::value_type;
  return value_like(value, tensor::view_of(const_cast<element*>(t.data()), t.shape(), t.place(), t.share()));
}
template <class V, class Place> V zeros_of_value(const V& value, Place where) {
  const auto& t = tensor_of(value);
  return value_like(value, std::remove_cvref_t<decltype(t)>(t.shape(), where));
}
/// to = f(from): one function for all values of a type, where a set would have the body once for each of its values.
template <class V, class F> [[gnu::noinline]] void put_value(V& to, const V& from, const F& f) { to = f(from); }
}  // namespace detail

/// One value with its name as a type; Name is void for an output that is told by its position.
template <class Name, class Value> struct named_value {
  using name = Name;
  using value_type = Value;
  Value value;
  ir::beginning begins{};  // of a parameter

  static constexpr std::string_view text() {
    if constexpr (std::is_void_v<Name>) return {};
    else return Name::view();
  }
};

/// The sentence of a part of a set, in the body that is called.
#define STG_CHECK_PART(Other)                                               \
  static_assert(detail::has_names_of<named_values, named_values<Other...>>, \
                "stg: a set is asked for a name that it does not have; compile the step for all of these")

/// Named values in a fixed order. `set[W1]` is the value of a symbol, `set.get<0>()` the first; structured bindings
/// work.
///
///   stg::for_each(params, [](std::string_view name, auto& tensor) { std::cout << name << ' ' << tensor.size() << '\n';
///   });
template <class... Named> class named_values {
 public:
  static constexpr int count = sizeof...(Named);

  named_values() = default;
  explicit named_values(boost::hana::tuple<Named...> items) : items_(std::move(items)) {}

  // A temporary set gives its values themselves.

  template <int I> auto& get() & { return written<I>(), boost::hana::at_c<I>(items_).value; }
  template <int I> const auto& get() const& { return boost::hana::at_c<I>(items_).value; }
  template <int I> auto get() && { return std::move(boost::hana::at_c<I>(items_).value); }

  template <class Symbol> auto& operator[](Symbol) & { return get<found<Symbol>()>(); }
  template <class Symbol> const auto& operator[](Symbol) const& { return get<found<Symbol>()>(); }
  template <class Symbol> auto operator[](Symbol symbol) && { return std::move((*this)[symbol]); }

  /// Copies of all values that lie elsewhere: `params.to(stg::cuda())`.
  template <class Place> named_values to(Place where) const {
    return each([&](const auto& held) { return held.to(where); });
  }

  /// Copies of all values where they lie, in memory of their own: `auto sum = now.gradients.clone()` outlives the step.
  named_values clone() const {
    return each([](const auto& held) { return held.clone(); });
  }
  /// Zeros of the same shapes, where the values lie or in one place.
  named_values zeros() const {
    return each([](const auto& held) { return detail::zeros_of_value(held, held.place()); }).begun();
  }
  template <class Place> named_values zeros(Place where) const {
    return each([&](const auto& held) { return detail::zeros_of_value(held, where); }).begun();
  }

  /// The values that another set has names for, in its order: views of this set's memory, which share in it where
  /// several may. A temporary set gives the values themselves.
  ///
  ///   optimizer_of_encoder.step(now.gradients.of(encoder));
  ///   auto of_encoder = tape.backward(d).of(encoder);
  template <class... Other> named_values<Other...> of(const named_values<Other...>&) const& {
    STG_CHECK_PART(Other);
    if constexpr (detail::has_names_of<named_values, named_values<Other...>>)
      return named_values<Other...>(
          boost::hana::tuple<Other...>{Other{detail::view_of_value(get<position<typename Other::name>()>()),
                                             item<position<typename Other::name>()>().begins}...});
    else return {};
  }
  template <class... Other> named_values<Other...> of(const named_values<Other...>&) && {
    STG_CHECK_PART(Other);
    if constexpr (detail::has_names_of<named_values, named_values<Other...>>)
      return named_values<Other...>(boost::hana::tuple<Other...>{Other{
          std::move(get<position<typename Other::name>()>()), item<position<typename Other::name>()>().begins}...});
    else return {};
  }

  /// Value I with its name and what it begins with.
  template <int I> auto& item() { return boost::hana::at_c<I>(items_); }
  template <int I> const auto& item() const { return boost::hana::at_c<I>(items_); }

  /// The Boost.Hana sequence behind the set, of named_value.
  boost::hana::tuple<Named...>& items() & {
    all_were_written();
    return items_;
  }
  const boost::hana::tuple<Named...>& items() const& { return items_; }
  boost::hana::tuple<Named...> items() && { return std::move(items_); }

  /// The numbers are meant, whatever they are: a step does not ask for `initialize` any more.
  void all_were_written() {
    [&]<int... I>(std::integer_sequence<int, I...>) { (written<I>(), ...); }
    (std::make_integer_sequence<int, count>());
  }
  /// The first value that should have been initialised and was not, by its name; empty where there is none.
  std::string_view not_initialized() const {
    std::string_view name;
    boost::hana::for_each(items_, [&](const auto& one) {
      if (one.begins.is_due && name.empty()) name = one.text();
    });
    return name;
  }

  /// Position of a name, -1 if the set has none.
  template <class Name> static constexpr int position() {
    if (detail::stands_for_all<Named...>) return 0;
    int at = -1, i = 0;
    ((at = at < 0 && std::is_same_v<Name, typename Named::name> ? i : at, ++i), ...);
    return at;
  }

 private:
  /// Who gets a value to write, writes it. (It is written but once, so that threads may read such a set.)
  template <int I> void written() {
    if (item<I>().begins.is_due) item<I>().begins.is_due = false;
  }
  named_values begun() && {
    all_were_written();
    return std::move(*this);
  }
  template <class Symbol> static constexpr int found() {
    constexpr int at = position<typename Symbol::name>();
    static_assert(at >= 0,
                  "stg: the set has no value of this name; index it by a symbol that the program trains or returns");
    return at < 0 ? 0 : at;
  }
  /// The set of f(value) for each value.
  template <class F> named_values each(const F& f) const {
    named_values made;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (detail::put_value(made.template get<I>(), get<I>(), f), ...);
      ((made.template item<I>().begins = item<I>().begins), ...);
    }
    (std::make_integer_sequence<int, count>());
    return made;
  }

  boost::hana::tuple<Named...> items_;
};

/// f(name, value) for each value of a set, in order.
template <class... Named, class F> void for_each(named_values<Named...>& set, F f) {
  boost::hana::for_each(set.items(), [&](auto& item) { f(item.text(), item.value); });
}
template <class... Named, class F> void for_each(const named_values<Named...>& set, F f) {
  boost::hana::for_each(set.items(), [&](const auto& item) { f(item.text(), item.value); });
}

template <std::size_t I, class... Named> auto& get(named_values<Named...>& set) {
  return set.template get<static_cast<int>(I)>();
}
template <std::size_t I, class... Named> const auto& get(const named_values<Named...>& set) {
  return set.template get<static_cast<int>(I)>();
}
template <std::size_t I, class... Named> auto&& get(named_values<Named...>&& set) {
  return std::move(set.template get<static_cast<int>(I)>());  // its element, which a structured binding keeps
}

}  // namespace stg

template <class... Named> struct std::tuple_size<stg::named_values<Named...>> {
  static constexpr std::size_t value = sizeof...(Named);
};
template <std::size_t I, class... Named> struct std::tuple_element<I, stg::named_values<Named...>> {
  using type = typename std::tuple_element<I, std::tuple<Named...>>::type::value_type;
};
