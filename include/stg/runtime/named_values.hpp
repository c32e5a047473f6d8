// Sets of named tensors: parameters, gradients and outputs, as Boost.Hana sequences that are indexed by symbol.
#pragma once

#include <concepts>     // same_as
#include <string_view>  // string_view
#include <tuple>        // tuple_size, tuple_element
#include <type_traits>  // is_invocable_v, is_same_v, remove_cvref_t
#include <utility>      // integer_sequence, move

#include <boost/hana/at.hpp>        // at_c
#include <boost/hana/for_each.hpp>  // for_each
#include <boost/hana/tuple.hpp>     // tuple

#include <stg/base/config.hpp>   // STG_SET_IS_NOT_USED, STG_SAYS_AT_CALLS
#include <stg/base/instead.hpp>  // nothing, STG_INSTEAD_IN
#include <stg/ir/start.hpp>      // beginning

namespace stg {

template <class... Named> class named_values;

/// The role of a set's numbers: it keeps gradients from being taken for parameters, and parameters for gradients. Sets
/// of `void` are plain numbers, for either role.
struct as_parameters {};
struct as_gradients {};

/// The sentence about a wrong set of values: STG_SAYS_SET stands in front of the user's function, STG_CHECK_SET in its
/// body.
#if STG_SAYS_AT_CALLS
#define STG_SAYS_SET(is_right, sentence) __attribute__((diagnose_if(!(is_right), sentence, "error")))
#define STG_CHECK_SET(is_right, sentence)
#else
#define STG_SAYS_SET(is_right, sentence)
#define STG_CHECK_SET(is_right, sentence) static_assert(is_right, sentence)
#endif

namespace detail {
/// The error of a training step with a parameter that nobody has initialised.
[[noreturn]] void not_initialized(std::string_view name);
template <class T> inline constexpr bool is_named_set = false;
template <class... Named> inline constexpr bool is_named_set<named_values<Named...>> = true;
/// Whether the one value of a set stands for all its names: the set belongs to a wrong program, and the compiler has
/// reported the mistake.
template <class... Named> inline constexpr bool stands_for_all = (... || requires { Named::stands_for_all; });
/// The role of all values of a set.
template <class Set> struct role_of_set { using type = void; };
template <class First, class... Named> struct role_of_set<named_values<First, Named...>> {
  using type = typename First::role;
};
template <class Set>
inline constexpr bool is_parameters = std::is_same_v<typename role_of_set<Set>::type, as_parameters>;
template <class Set> inline constexpr bool is_gradients = std::is_same_v<typename role_of_set<Set>::type, as_gradients>;
/// A set of the same names and values in another role.
template <class Set, class Role> struct set_in_role;
/// The index of a symbol's value in a set; -1 if it has none.
template <class Symbol>
concept HasName = requires {
  typename Symbol::name;
};
template <class Set, class Symbol> constexpr int position_of() {
  if constexpr (HasName<Symbol>) return Set::template position<typename Symbol::name>();
  else return -1;
}
template <class Set, class Symbol> inline constexpr bool is_missing = HasName<Symbol>&& position_of<Set, Symbol>() < 0;
/// Whether a set has a value for each name of the other.
template <class Set, class Other> inline constexpr bool has_names_of = false;
template <class... Mine, class... Other>
inline constexpr bool has_names_of<named_values<Mine...>, named_values<Other...>> =
    (... && (named_values<Mine...>::template position<typename Other::name>() >= 0));
/// The tensor of a value, also of edge values, and a value of a tensor.
template <class V> auto& tensor_of(V& value) {
  if constexpr (requires { value.values(); }) return value.values();
  else return value;
}
/// A value with a new tensor of the same rows: edge values keep their graph.
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
/// to = f(from): one function for all values of a type; in the set, the body would appear once for each value.
template <class V, class F> [[gnu::noinline]] void put_value(V& to, const V& from, const F& f) { to = f(from); }
}  // namespace detail

/// One value with its name as a type; Name is void for an output without a name, told by its position. Role: the
/// meaning of the numbers.
template <class Name, class Value, class Role = void> struct named_value {
  using name = Name;
  using value_type = Value;
  using role = Role;
  Value value;
  ir::beginning begins{};  // of a parameter

  static constexpr std::string_view text() {
    if constexpr (std::is_void_v<Name>) return {};
    else return Name::view();
  }
};

template <class... Named, class Role> struct detail::set_in_role<named_values<Named...>, Role> {
  using type = named_values<named_value<typename Named::name, typename Named::value_type, Role>...>;
};

/// The sentences of an index, as STG_SAYS_SET.
#define STG_IS_NO_INDEX \
  "stg: a set is indexed by a symbol: params[W], not params[\"W\"]; the first value is params.get<0>()"
#define STG_HAS_NO_SUCH_VALUE \
  "stg: the set has no value of this name; index it by a symbol that the program trains or returns"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_INDEX(Symbol)                                                    \
  __attribute__((diagnose_if(!detail::HasName<Symbol>, STG_IS_NO_INDEX, "error"), \
                 diagnose_if((detail::is_missing<named_values, Symbol>), STG_HAS_NO_SUCH_VALUE, "error")))
#define STG_CHECK_INDEX(Symbol)
#else
#define STG_SAYS_INDEX(Symbol)
#define STG_CHECK_INDEX(Symbol)                            \
  static_assert(detail::HasName<Symbol>, STG_IS_NO_INDEX); \
  static_assert(!detail::is_missing<named_values, Symbol>, STG_HAS_NO_SUCH_VALUE)
#endif

/// The sentence of a part of a set, in the called body.
#define STG_CHECK_PART(Other)                                                          \
  constexpr bool has_all = detail::has_names_of<named_values, named_values<Other...>>; \
  static_assert(has_all, "stg: a set is asked for a name that it does not have; compile the step for all of these")

/// Named values in a fixed order. `set[W1]` is the value of a symbol, `set.get<0>()` the first; structured bindings
/// work.
///
///   stg::for_each(params, [](std::string_view name, auto& tensor) { std::cout << name << ' ' << tensor.size() << '\n';
///   });
template <class... Named> class STG_NODISCARD(STG_SET_IS_NOT_USED) named_values {
  using role = typename detail::role_of_set<named_values>::type;
  template <class Role> using in_role = typename detail::set_in_role<named_values, Role>::type;
  /// A part of the set with the names and values of others.
  template <class... Other>
  using part = named_values<named_value<typename Other::name, typename Other::value_type, role>...>;

 public:
  static constexpr int count = sizeof...(Named);
  /// The same values as plain numbers, as returned by `numbers` and `zeros`.
  using plain = in_role<void>;

  named_values() = default;
  named_values(named_values&&) noexcept = default;
  named_values& operator=(named_values&&) = default;
  /// Of a set of tensors: what to write.
  named_values(const named_values& other) : items_(copied(other)) {}
  named_values& operator=(const named_values& other) { return items_ = copied(other), *this; }
  /// Of a call that is an error: `params = stg::load_parameters("run")`.
  template <std::same_as<detail::nothing> Nothing> named_values& operator=(Nothing) { return *this; }
  explicit named_values(boost::hana::tuple<Named...> items) : items_(std::move(items)) {}
  /// Plain numbers as parameters, or as gradients: `stg::parameters_of<loss> average = params.zeros()`.
  template <std::same_as<plain> Plain>
    requires(!std::is_void_v<role>)
  named_values(Plain numbers) : items_(moved<named_values>(numbers)) {}

  // A temporary set gives its values themselves.

  template <int I> auto& get() & { return written<I>(), boost::hana::at_c<I>(items_).value; }
  template <int I> const auto& get() const& { return boost::hana::at_c<I>(items_).value; }
  template <int I> auto get() && { return std::move(boost::hana::at_c<I>(items_).value); }

  template <class Symbol> STG_SAYS_INDEX(Symbol) auto& operator[](Symbol) & {
    STG_CHECK_INDEX(Symbol);
    return get<found<Symbol>()>();
  }
  template <class Symbol> STG_SAYS_INDEX(Symbol) const auto& operator[](Symbol) const& {
    STG_CHECK_INDEX(Symbol);
    return get<found<Symbol>()>();
  }
  template <class Symbol> STG_SAYS_INDEX(Symbol) auto operator[](Symbol) && {
    STG_CHECK_INDEX(Symbol);
    return std::move(get<found<Symbol>()>());
  }

  /// Copies all values to a place: `params.to(stg::cuda())`.
  template <class Place> named_values to(Place where) const {
    return each([&](const auto& held) { return held.to(where); });
  }

  /// Copies all values in their place, to memory of their own: `auto sum = now.gradients.clone()` outlives the step.
  named_values clone() const {
    return each([](const auto& held) { return held.clone(); });
  }
  /// Zeros of the same shapes, in the values' places or in one place, as plain numbers: a step's gradients are added to
  /// them, and an optimiser takes the sum.
  plain zeros() const {
    return each<plain>([](const auto& held) { return detail::zeros_of_value(held, held.place()); }, true);
  }
  template <class Place> plain zeros(Place where) const {
    return each<plain>([&](const auto& held) { return detail::zeros_of_value(held, where); }, true);
  }
  /// The same values as plain numbers, in views of this set's memory: functions of gradients take them even if they are
  /// parameters, and vice versa. A temporary set gives the values themselves.
  ///
  ///   auto weights = params.numbers();
  ///   stg::clip_values(weights, 0.01);   // the parameters themselves, not their gradients
  plain numbers() const& {
    return each<plain>([](const auto& held) { return detail::view_of_value(held); });
  }
  plain numbers() && { return plain(moved<plain>(*this)); }

  /// The values named in the other set, in its order: views of this set's memory, with a share in it if it can be
  /// shared. A temporary set gives the values themselves.
  ///
  ///   optimizer_of_encoder.step(now.gradients.of(encoder));
  ///   auto of_encoder = tape.backward(d).of(encoder);
  template <class... Other> part<Other...> of(const named_values<Other...>&) const& {
    STG_CHECK_PART(Other);
    part<Other...> views;
    if constexpr (detail::has_names_of<named_values, named_values<Other...>>)
      (put<typename Other::name>(views, detail::view_of_value(get<position<typename Other::name>()>())), ...);
    return views;
  }
  template <class... Other> part<Other...> of(const named_values<Other...>&) && {
    STG_CHECK_PART(Other);
    part<Other...> taken;
    if constexpr (detail::has_names_of<named_values, named_values<Other...>>)
      (put<typename Other::name>(taken, std::move(get<position<typename Other::name>()>())), ...);
    return taken;
  }

  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: parameters are the set itself; write stg::adam(params)",
                 named_values& parameters())
  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: a set is written by save_parameters(params, \"folder\")",
                 named_values& state_dict())
  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: a set goes to a device by params.to(stg::cuda())", named_values& cuda())
  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: a set comes to the host by params.to(stg::host)", named_values& cpu())
  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: each step gives gradients of its own, and none is kept; leave it out",
                 named_values& zero_grad())
  STG_INSTEAD_IN(sizeof...(Named) > 9999, "stg: a set is initialised by stg::initialize(params, 1)",
                 named_values& initialize(detail::any = {}))

  /// Of a loop over the set: what to write.
  template <class Set = named_values> auto* begin() const { return looped_over<Set>(); }
  template <class Set = named_values> auto* end() const { return looped_over<Set>(); }

  /// Value I with its name and its initial values.
  template <int I> auto& item() { return boost::hana::at_c<I>(items_); }
  template <int I> const auto& item() const { return boost::hana::at_c<I>(items_); }

  /// The Boost.Hana sequence behind the set, of named_value.
  boost::hana::tuple<Named...>& items() & {
    all_were_written();
    return items_;
  }
  const boost::hana::tuple<Named...>& items() const& { return items_; }
  boost::hana::tuple<Named...> items() && { return std::move(items_); }

  /// Marks all numbers as intended: a step no longer asks for `initialize`.
  void all_were_written() {
    [&]<int... I>(std::integer_sequence<int, I...>) { (written<I>(), ...); }
    (std::make_integer_sequence<int, count>());
  }
  /// The name of the first value that should have been initialised and was not; empty if there is none.
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
  /// A value handed out for writing counts as initialised. The mark is written once, so that threads may read the set.
  template <int I> void written() {
    if (item<I>().begins.is_due) item<I>().begins.is_due = false;
  }
  template <class... Any> friend class named_values;

  /// The value of a name in a set made from this one, and its initial values.
  template <class Name, class Made, class Value> void put(Made& to, Value value) const {
    auto& item = to.template item<Made::template position<Name>()>();
    item.value = std::move(value);
    item.begins = this->template item<position<Name>()>().begins;
  }
  /// The items of a set, moved into a set of a different role.
  template <class Made, class Set> static auto moved(Set& from) {
    Made made;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((made.template item<I>().value = std::move(from.template item<I>().value),
        made.template item<I>().begins = from.template item<I>().begins),
       ...);
    }
    (std::make_integer_sequence<int, count>());
    return std::move(made.items_);
  }
  template <class Symbol> static constexpr int found() {
    const int at = detail::position_of<named_values, Symbol>();
    return at < 0 ? 0 : at;
  }
  template <class Set> static auto looped_over() {
    constexpr bool is_looped_over = Set::count < 0;
    static_assert(is_looped_over,
                  "stg: a loop over a set is for_each(params, [](std::string_view name, auto& w) { ... })");
    return static_cast<std::remove_reference_t<decltype(std::declval<Set&>().template get<0>())>*>(nullptr);
  }
  static boost::hana::tuple<Named...> copied(const named_values& other) {
    constexpr bool can_be_copied = (std::is_copy_constructible_v<typename Named::value_type> && ...);
    static_assert(can_be_copied, "stg: a set is copied by clone(), auto copy = params.clone(), and handed on as auto&");
    if constexpr (can_be_copied) return other.items_;
    else return {};
  }
  /// The set of f(value) for each value. It keeps its initial values, or counts as initialised by f.
  template <class Made = named_values, class F> Made each(const F& f, bool has_begun = false) const {
    Made made;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (detail::put_value(made.template get<I>(), get<I>(), f), ...);
      ((made.template item<I>().begins = item<I>().begins), ...);
      if (has_begun) ((made.template item<I>().begins.is_due = false), ...);
    }
    (std::make_integer_sequence<int, count>());
    return made;
  }

  boost::hana::tuple<Named...> items_;
};

namespace detail {
/// Whether for_each can call a function with the first value of a set.
template <class F, class Set> inline constexpr bool takes_each = true;
template <class F, class First, class... Named>
inline constexpr bool takes_each<F, named_values<First, Named...>> =
    std::is_invocable_v<F&, std::string_view, typename First::value_type&>;
template <class F, class First, class... Named>
inline constexpr bool takes_each<F, const named_values<First, Named...>> =
    std::is_invocable_v<F&, std::string_view, const typename First::value_type&>;
}  // namespace detail
#define STG_CALLS_EACH \
  "stg: for_each calls a function of a name and a value: [](std::string_view name, auto& w) { ... }"

/// f(name, value) for each value of a set, in order.
template <class... Named, class F> void for_each(named_values<Named...>& set, F f) {
  constexpr bool fits = detail::takes_each<F, named_values<Named...>>;
  static_assert(fits, STG_CALLS_EACH);
  if constexpr (fits) boost::hana::for_each(set.items(), [&](auto& item) { f(item.text(), item.value); });
}
template <class... Named, class F> void for_each(const named_values<Named...>& set, F f) {
  constexpr bool fits = detail::takes_each<F, const named_values<Named...>>;
  static_assert(fits, STG_CALLS_EACH);
  if constexpr (fits) boost::hana::for_each(set.items(), [&](const auto& item) { f(item.text(), item.value); });
}

template <std::size_t I, class... Named> auto& get(named_values<Named...>& set) {
  return set.template get<static_cast<int>(I)>();
}
template <std::size_t I, class... Named> const auto& get(const named_values<Named...>& set) {
  return set.template get<static_cast<int>(I)>();
}
template <std::size_t I, class... Named> auto&& get(named_values<Named...>&& set) {
  return std::move(set.template get<static_cast<int>(I)>());  // a structured binding keeps its element
}

}  // namespace stg

template <class... Named> struct std::tuple_size<stg::named_values<Named...>> {
  static constexpr std::size_t value = sizeof...(Named);
};
template <std::size_t I, class... Named> struct std::tuple_element<I, stg::named_values<Named...>> {
  using type = typename std::tuple_element<I, std::tuple<Named...>>::type::value_type;
};
