// The parameters of a program as a set of tensors: made from the program, indexed by symbol, walked by name.
#pragma once

#include <cstdint>           // int64_t
#include <initializer_list>  // initializer_list
#include <string_view>       // string_view

#include <stg/call/parameter_shape.hpp>  // parameter_shape, check_size
#include <stg/call/results.hpp>          // trainable_entries, input_set
#include <stg/call/said.hpp>             // keeps_rules
#include <stg/dsl/trace.hpp>             // ref
#include <stg/runtime/graph.hpp>         // graph
#include <stg/runtime/initialize.hpp>    // begin
#include <stg/runtime/kinds.hpp>         // check_kinds
#include <stg/runtime/named_values.hpp>  // named_values
#include <stg/runtime/sizes.hpp>         // extent_size

namespace stg {

// The possible mistakes in sizes of parameters, printed with the name of the extent next to the sentence.
struct all_extents_sized {};
struct not_a_size {};
template <STG_WORD Extent> struct no_such_extent {};
template <STG_WORD Extent> struct extent_is_sized_twice {};
template <STG_WORD Extent> struct extent_is_not_sized {};

namespace detail {

// Entries of the trainable inputs in the graph space: the user's parameters.
template <class Ref> constexpr int parameter_count() { return input_lists<Ref>::value.parameter_count; }
template <class Ref> constexpr int parameter_entry(int k) { return input_lists<Ref>::value.parameters[k]; }
template <class Ref, int... K> constexpr auto parameter_sequence(std::integer_sequence<int, K...>) {
  return std::integer_sequence<int, parameter_entry<Ref>(K)...>();
}
template <class Ref>
using parameter_entries = decltype(parameter_sequence<Ref>(std::make_integer_sequence<int, parameter_count<Ref>()>()));

// ---- the sizes of extents ----

/// Axes of a parameter's tensor: the steps, if it has a value for each, then its shape's axes.
constexpr int parameter_rank(const ir::statement& s) { return s.dims.rank + (s.is_sequence() ? 1 : 0); }
/// The polynomial behind an axis of a parameter.
template <class Ref> constexpr ir::polynomial parameter_extent(const ir::statement& s, int axis) {
  const int steps = s.is_sequence() ? 1 : 0;
  const ir::extent e = axis < steps ? s.over : s.dims.axes[axis - steps];
  return e.is_static() ? ir::polynomial(e.code) : canonical<Ref>::value.extents[-1 - e.code];
}
constexpr bool has_factor(const ir::polynomial& p, std::string_view name) {
  for (int i = 0; i < p.count; ++i)
    for (int f = 0; f < p.terms[i].degree; ++f)
      if (p.terms[i].factors[f].view() == name) return true;
  return false;
}
/// Whether an extent has this name, of a parameter or of anything else in the program.
template <class Ref> constexpr bool has_extent(std::string_view name) {
  for (int i = 0; i < canonical<Ref>::value.room.extents; ++i)
    if (has_factor(canonical<Ref>::value.extents[i], name)) return true;
  return false;
}

/// Whether an extent is a number of steps and no axis of an input has it.
template <class Ref> bool counts_steps(std::string_view name) {
  constexpr auto& p = canonical<Ref>::value;
  bool counts = false;
  for (int e = 0; e < p.room.inputs; ++e) {
    if (statement_of_input<Ref>(e) < 0) continue;
    const ir::statement& s = p.statements[statement_of_input<Ref>(e)];
    for (int axis = 0; axis < parameter_rank(s); ++axis) {
      if (!has_factor(parameter_extent<Ref>(s, axis), name)) continue;
      if (!s.is_sequence() || axis > 0) return false;
      counts = true;
    }
  }
  return counts;
}

/// An extent of a parameter without a size; an empty text if there is none.
template <class Ref, int... Entry, class... Size>
constexpr text extent_without_size(std::integer_sequence<int, Entry...>, const std::type_identity<Size>&...) {
  const ir::statement parameters[] = {input_statement<Ref, Entry>()..., ir::statement()};
  for (std::size_t k = 0; k < sizeof...(Entry); ++k)
    for (int a = 0; a < parameter_rank(parameters[k]); ++a) {
      const ir::polynomial p = parameter_extent<Ref>(parameters[k], a);
      for (int i = 0; i < p.count; ++i)
        for (int f = 0; f < p.terms[i].degree; ++f)
          if (!(... || (Size::name::view() == p.terms[i].factors[f].view()))) return p.terms[i].factors[f];
    }
  return {};
}
template <class Ref, class Entries, class... Size> struct without_size {
  static constexpr text found = extent_without_size<Ref>(Entries(), std::type_identity<Size>()...);
  static constexpr std::string_view view() { return found.view(); }
  using name = std::remove_const_t<decltype(spell_view<without_size, stg::name>::value)>;
};

template <class Size> inline constexpr bool is_sized = false;
template <class Name> inline constexpr bool is_sized<sized_extent<Name>> = true;

/// The mistake in the sizes; all_extents_sized if there is none, was_said for a wrong program. Entries: of the inputs
/// that get tensors.
template <bool AreSizes, bool IsProgram, class Ref, class Entries, class... Size> struct check_sizes_if {
  using type = std::conditional_t<IsProgram, not_a_size, was_said>;
};
template <bool AreSizes, class Ref, class Entries, class... Size>
struct check_sizes : check_sizes_if<AreSizes, is_program<Ref>, Ref, Entries, Size...> {};
template <class Ref, class Entries, class... Size>
struct check_sizes_if<true, true, Ref, Entries, Size...>
    : first_finding<all_extents_sized,
                    finding_if<!has_extent<Ref>(Size::name::view()), in_words<no_such_extent, typename Size::name>,
                               all_extents_sized>...,
                    finding_if<(times_bound<typename Size::name, Size...> > 1),
                               in_words<extent_is_sized_twice, typename Size::name>, all_extents_sized>...,
                    finding_if<!without_size<Ref, Entries, Size...>::view().empty(),
                               in_words<extent_is_not_sized, typename without_size<Ref, Entries, Size...>::name>,
                               all_extents_sized>> {};

/// Gives a parameter its shape, and zeros: one function for all parameters of a type. With a graph, parameters of
/// vertices or edges get rows.
template <class V>
[[gnu::noinline]] void shape_value(V& to, const ir::statement& parameter, const ir::polynomial* extents,
                                   std::initializer_list<extent_size> sizes) {
  to = V(parameter_shape(parameter, extents, sizes));
}
template <class V>
[[gnu::noinline]] void shape_value(V& to, const ir::statement& trained, const ir::polynomial* extents,
                                   std::initializer_list<extent_size> sizes, ir::kind_list kinds, const graph& on) {
  using tensor_type = std::remove_cvref_t<decltype(tensor_of(to))>;
  const trained_rows rows = rows_on(trained, kinds, on);
  tensor_type zeros(parameter_shape(trained, extents, sizes, rows.count));
  if constexpr (std::is_same_v<V, tensor_type>) to = std::move(zeros);
  else to = V::in_id_order(std::move(zeros), rows.edges);
}
/// And its beginning.
template <class Ref, int Entry, class Item, class... On>
void make_parameter(Item& to, std::initializer_list<extent_size> sizes, const On&... on) {
  constexpr auto& p = canonical<Ref>::value;
  constexpr const ir::statement& parameter = p.statements[statement_of_input<Ref>(Entry)];
  shape_value(to.value, parameter, p.extents, sizes, on...);
  const ir::start& rule = p.inputs[Entry].begins;
  const int axes = parameter.dims.rank + (parameter.where == ir::space::graph ? 0 : 1);
  to.begins = {rule, axes, !ir::begins_with_zeros(rule, axes),
               parameter.where == ir::space::vertex && !parameter.is_sequence()};
}
template <class Ref, int... Entry, int... K, class... On>
auto make_parameters(std::initializer_list<extent_size> sizes, std::integer_sequence<int, Entry...> entries,
                     std::integer_sequence<int, K...>, const On&... on) {
  for (const extent_size& given : sizes) check_size(given, given.size < 1 && counts_steps<Ref>(given.name.view()));
  parameter_set<Ref, decltype(entries)> set;
  (make_parameter<Ref, Entry>(set.template item<K>(), sizes, on...), ...);
  return set;
}

/// The checks of parameters, apart from it: there is one with sizes and one without, and the same for a graph.
template <class Ref, class Finding> constexpr bool has_sizes() {
  static_assert(!std::is_same_v<Finding, not_a_size>, "stg: parameters takes sizes of extents: sized<\"F\">(1433)");
  static_assert(is_not<no_such_extent, Finding>,
                "stg: the program has no extent of this name; size one that its inputs have");
  static_assert(is_not<extent_is_sized_twice, Finding>, "stg: an extent is sized twice; size each extent once");
  static_assert(is_not<extent_is_not_sized, Finding>,
                "stg: an extent of a parameter has no size; add sized<\"its name\">(n)");
  return std::is_same_v<Finding, all_extents_sized>;
}
template <class Entries> using positions_of = std::make_integer_sequence<int, static_cast<int>(Entries::size())>;
template <class Ref, class Finding, class... Size> auto checked_parameters(const Size&... sizes) {
  using entries = parameter_entries<Ref>;
  if constexpr (has_sizes<Ref, Finding>()) return make_parameters<Ref>({sizes...}, entries(), positions_of<entries>());
  else return parameter_set<Ref, entries>();
}
template <class Ref, class Finding, class... Size> auto checked_parameters_on(const graph& on, const Size&... sizes) {
  using entries = trainable_entries<Ref>;
  if constexpr (has_sizes<Ref, Finding>()) {
    const ir::kind_list kinds = view_of(canonical<Ref>::value).kinds;
    check_kinds(kinds, on);
    return make_parameters<Ref>({sizes...}, entries(), positions_of<entries>(), kinds, on);
  } else {
    return parameter_set<Ref, entries>();
  }
}

}  // namespace detail

/// Zero tensors for all parameters of a program, in the order in which it reads them: a named_values set. A training
/// step refuses them until `initialize`, or anything else, has written every parameter that is to begin with other
/// numbers. Run-time extents of parameters are given by size, once each; an extent of other inputs alone may be given,
/// too. Errors: a size below 0, and a size of 0 that is not a number of steps.
///
///   auto params = stg::parameters<loss>(sized<"F">(1433), sized<"C">(7));
///   stg::initialize(params, seed);
///   params[W1](0, 0) = 1;
template <const auto& F, class First, class... Size>
  requires(!std::is_convertible_v<const First&, const graph&>)
auto parameters(const First& first, const Size&... sizes) {
#include <stg/call/look_into.inc>
  using program = ref<F>;
  constexpr bool are_sizes = detail::is_sized<First> && (... && detail::is_sized<Size>);
  using finding =
      typename detail::check_sizes<are_sizes, program, detail::parameter_entries<program>, First, Size...>::type;
  return detail::checked_parameters<program, finding>(first, sizes...);
}
template <const auto& F> auto parameters() {
#include <stg/call/look_into.inc>
  using program = ref<F>;
  using finding = typename detail::check_sizes<true, program, detail::parameter_entries<program>>::type;
  return detail::checked_parameters<program, finding>();
}
/// The same for all trainable inputs of a program on a graph, or on graphs: a trainable vertex feature has a row for
/// each vertex, an edge feature one for each edge. Error, besides, if the graph lacks the program's vertex sets and
/// relations.
///
///   inline constexpr auto place = trainable(stg::vertex_feature<"place", 16>);
///   auto params = stg::parameters<loss>(graph);   // params[place]: (vertices, 16)
template <const auto& F, class On, class... Size>
  requires std::is_convertible_v<const On&, const graph&>
auto parameters(const On& on, const Size&... sizes) {
#include <stg/call/look_into.inc>
  using program = ref<F>;
  constexpr bool are_sizes = (... && detail::is_sized<Size>);
  using finding = typename detail::check_sizes<are_sizes, program, detail::trainable_entries<program>, Size...>::type;
  return detail::checked_parameters_on<program, finding>(on, sizes...);
}
/// The type of parameters<F>(…)'s result, for members and other files.
///
///   void show(const stg::parameters_of<loss>& params);
template <const auto& F> using parameters_of = detail::parameter_set<ref<F>, detail::parameter_entries<ref<F>>>;
/// For a lambda as an argument: what to write.
template <class F, class... Size> auto parameters(const F&, const Size&...) {
  constexpr bool fits = sizeof(F) == 0;
  static_assert(fits, "stg: a program is a template argument, constexpr at namespace scope: stg::parameters<loss>()");
  return named_values<>();
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(parameters)  // stg: a program captures nothing; bind a number as scalar<"n">

namespace detail {
template <class Item> void begin(Item& parameter, std::uint64_t seed) {
  begin(tensor_of(parameter.value), parameter.begins, parameter.text(), seed);
  parameter.begins.is_due = false;
}
}  // namespace detail

/// Begins every parameter as it was declared, initialized(p, init::ones), or as its layer says; otherwise with the
/// usual beginning, Glorot uniform for two axes or more, zeros for biases and scalars. Axes of steps do not count:
/// over<"L">(parameter<"b", 64>) are biases. Every parameter draws from a seed of its own. Error if a rule has wrong
/// numbers, such as init::uniform(2, 1), with the parameter's name.
#define STG_INITIALIZES_GRADIENTS \
  "stg: initialize begins parameters, and these are gradients; write stg::initialize(params, 1)"
template <class... Named>
STG_SAYS_SET(!detail::is_gradients<named_values<Named...>>, STG_INITIALIZES_GRADIENTS)
void initialize(named_values<Named...>& parameters, std::uint64_t seed) {
  STG_CHECK_SET(!detail::is_gradients<named_values<Named...>>, STG_INITIALIZES_GRADIENTS);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (detail::begin(parameters.template item<I>(), seed * 1000003 + I), ...);
  }
  (std::make_integer_sequence<int, sizeof...(Named)>());
}
/// Begins every parameter by one rule, regardless of its declaration. Errors as above. With zeros, if they are meant,
/// steps take a set that was not initialised otherwise.
///
///   stg::initialize(params, stg::init::zeros);
template <class... Named>
STG_SAYS_SET(!detail::is_gradients<named_values<Named...>>, STG_INITIALIZES_GRADIENTS)
void initialize(named_values<Named...>& parameters, const ir::start& every, std::uint64_t seed = 0) {
  STG_CHECK_SET(!detail::is_gradients<named_values<Named...>>, STG_INITIALIZES_GRADIENTS);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (detail::begin(parameters.template get<I>(), {every}, parameters.template item<I>().text(), seed * 1000003 + I),
     ...);
  }
  (std::make_integer_sequence<int, sizeof...(Named)>());
}

namespace detail {
/// A real number is no seed: 0.02 would be 0.
template <class Seed>
inline constexpr bool is_seed =
    std::is_convertible_v<Seed, std::uint64_t> && !std::is_floating_point_v<std::remove_cvref_t<Seed>>;
template <class... Arg> inline constexpr bool can_initialize = false;
template <class... Named, class Begins>
inline constexpr bool can_initialize<named_values<Named...>&, Begins> =
    is_seed<Begins> || std::is_convertible_v<Begins, const ir::start&>;
template <class... Named, class Begins, class Seed>
inline constexpr bool can_initialize<named_values<Named...>&, Begins, Seed> =
    std::is_convertible_v<Begins, const ir::start&>&& is_seed<Seed>;
}  // namespace detail

#define STG_INITIALIZES_WITHOUT_A_SEED \
  "stg: initialize takes parameters that are not const, and a seed: stg::initialize(params, 1)"
/// For other arguments: what to write.
template <class... Arg>
  requires(!detail::can_initialize<Arg...>)
STG_SAYS_SET(sizeof...(Arg) > 9, STG_INITIALIZES_WITHOUT_A_SEED)
void initialize(Arg&&...) { STG_CHECK_SET(sizeof...(Arg) > 9, STG_INITIALIZES_WITHOUT_A_SEED); }

}  // namespace stg
