// Checking a call's bindings at compile time: every input once, nothing unknown, each to a tensor of its type.
#pragma once

#include <string_view>  // string_view
#include <type_traits>  // is_same_v, remove_cvref_t
#include <utility>      // integer_sequence

#include <stg/base/name.hpp>              // name
#include <stg/compile.hpp>                // canonical
#include <stg/dsl/symbol.hpp>             // binding
#include <stg/runtime/edge_values.hpp>    // edge_steps, edge_values
#include <stg/runtime/named_values.hpp>   // named_values
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor
#include <stg/runtime/step_graphs.hpp>    // sequence_weights
#include <stg/runtime/tensor.hpp>         // tensor

namespace stg {

// The possible mistakes of a call. The finding is the last template argument of the call operator, so that every
// compiler prints it, with the name of the input, next to the sentence.
struct all_inputs_bound {};
struct was_said {};  // the program, or the program of a parameter set, is wrong itself
template <STG_WORD Input> struct no_such_input {};
template <STG_WORD Input> struct input_is_bound_twice {};
template <STG_WORD Input> struct input_is_not_bound {};
template <STG_WORD Input> struct input_has_another_shape {};
template <STG_WORD Input> struct input_takes_another_tensor {};
template <STG_WORD Input> struct input_is_rows_of_batches {};
template <class T> struct not_a_binding {};

namespace detail {

// One item of a call: a name and the type bound to it. Symbol is void for members of a parameter set.
template <class Name, class Value, class Symbol> struct bound_item {
  using name = Name;
  using value_type = std::remove_const_t<Value>;
  using symbol = Symbol;
};
template <class... Item> struct bound_items {};

template <class Arg> struct items_of { using type = not_a_binding<Arg>; };
template <class Symbol, class V, bool Fixed> struct items_of<binding<Symbol, V, Fixed>> {
  using type = bound_items<bound_item<typename Symbol::name, V, Symbol>>;
};
template <class... Named> struct items_of<named_values<Named...>> {
  using type = bound_items<bound_item<typename Named::name, typename Named::value_type, void>...>;
};
template <class Name, class Value, class... Named>
struct items_of<named_values<named_value<Name, Value, as_gradients>, Named...>> {
  using type = not_a_binding<named_value<Name, Value, as_gradients>>;
};
template <class... Named>
struct items_of<fixed_reference<named_values<Named...>>> : items_of<named_values<Named...>> {};

template <class... List> struct join_items;
template <> struct join_items<> { using type = bound_items<>; };
template <class... A> struct join_items<bound_items<A...>> { using type = bound_items<A...>; };
template <class... A, class... B, class... Rest>
struct join_items<bound_items<A...>, bound_items<B...>, Rest...> : join_items<bound_items<A..., B...>, Rest...> {};
template <class Wrong, class... Rest> struct join_items<not_a_binding<Wrong>, Rest...> {
  using type = not_a_binding<Wrong>;
};
template <class... A, class Wrong, class... Rest> struct join_items<bound_items<A...>, not_a_binding<Wrong>, Rest...> {
  using type = not_a_binding<Wrong>;
};

/// The entry of a name among a program's inputs, or -1.
template <class Ref> constexpr int entry_of(std::string_view name) {
  for (int i = 0; i < canonical<Ref>::value.room.inputs; ++i)
    if (canonical<Ref>::value.inputs[i].name.view() == name) return i;
  return -1;
}
/// A program's inputs, found once: to look for each by itself would take inputs times statements.
template <class Ref> struct input_lists {
  struct lists {
    int statement[room_for(canonical<Ref>::value.room.inputs)]{};   // by entry; -1 when nothing reads it
    int trainable[room_for(canonical<Ref>::value.room.inputs)]{};   // entries that are read, in the order of statements
    int parameters[room_for(canonical<Ref>::value.room.inputs)]{};  // the entries among them in the graph space
    int trainable_count = 0, parameter_count = 0;
  };
  static constexpr lists value = [] {
    lists l;
    for (int& at : l.statement) at = -1;
    for (int i = 0; i < canonical<Ref>::value.size; ++i) {
      const ir::statement& s = canonical<Ref>::value.statements[i];
      if (s.code != ir::opcode::input) continue;
      const int entry = s.entry();
      l.statement[entry] = i;
      if (!canonical<Ref>::value.inputs[entry].trainable) continue;
      l.trainable[l.trainable_count++] = entry;
      if (s.where == ir::space::graph) l.parameters[l.parameter_count++] = entry;
    }
    return l;
  }();
};
/// The statement of an input, or -1 when nothing reads it.
template <class Ref> constexpr int statement_of_input(int entry) {
  return entry < 0 ? -1 : input_lists<Ref>::value.statement[entry];
}

template <class Ref, int I> struct input_text {
  static constexpr std::string_view view() { return canonical<Ref>::value.inputs[I].name.view(); }
};
template <class Ref, int I>
using input_name = std::remove_const_t<decltype(spell_view<input_text<Ref, I>, name>::value)>;

/// The name of the vertex set or relation of a space; empty for spaces of no name.
template <class Space> constexpr std::string_view kind_name() {
  using kind = typename space_traits<Space>::kind;
  if constexpr (std::is_void_v<kind>) return {};
  else return kind::name::view();
}

/// The bound symbol is the program's: same space, vertex set or relation, scalar type and shape.
template <class Ref, class Symbol> constexpr bool same_declaration() {
  if constexpr (std::is_void_v<Symbol>) {
    return true;
  } else {
    constexpr int at = statement_of_input<Ref>(entry_of<Ref>(Symbol::name::view()));
    if constexpr (at < 0) {
      return true;
    } else {
      ir::program p;
      const ir::shape mine = intern(p, typename Symbol::dims());
      const ir::statement& s = canonical<Ref>::value[at];
      const bool space =
          s.where == ir_space<typename Symbol::where> && Symbol::type == s.type && mine.rank == s.dims.rank &&
          std::is_same_v<typename Symbol::where, space::sparse> == canonical<Ref>::value.inputs[s.entry()].sparse;
      const int set = s.where.set;
      if (kind_name<typename Symbol::where>() !=
          (set == 0 ? std::string_view() : canonical<Ref>::value.kinds[set - 1].name.view()))
        return false;
      if (Symbol::over::rank != (s.is_sequence() ? 1 : 0)) return false;
      if constexpr (Symbol::over::rank > 0)
        if (!(elements(typename Symbol::over()) ==
              (s.over.is_static() ? ir::polynomial(s.over.code) : canonical<Ref>::value.extents[-1 - s.over.code])))
          return false;
      for (int a = 0; space && a < mine.rank; ++a) {
        const ir::extent theirs = s.dims.axes[a];
        const ir::polynomial size =
            theirs.is_static() ? ir::polynomial(theirs.code) : canonical<Ref>::value.extents[-1 - theirs.code];
        if (!(p.polynomial_of(mine.axes[a]) == size)) return false;
      }
      return space;
    }
  }
}

/// A loader's rows for a tensor, which a batch is indexed by.
template <class V>
concept AreRowsOfBatches = requires {
  typename V::are_rows_of_batches;
};

template <class V> inline constexpr bool is_of_sequence = std::is_same_v<std::remove_const_t<V>, sequence_weights>;

/// A tensor of T, or a view for reading only.
template <class V, class T>
inline constexpr bool is_tensor_of = std::is_same_v<V, tensor<T>> || std::is_same_v<V, const_tensor<T>>;

/// Whether an input takes this kind of tensor.
template <class Ref, class Item> constexpr bool takes() {
  constexpr int at = statement_of_input<Ref>(entry_of<Ref>(Item::name::view()));
  if constexpr (at < 0) {
    return true;
  } else {
    constexpr ir::statement s = canonical<Ref>::value[at];
    using V = typename Item::value_type;
    using T = element_t<s.type>;
    if constexpr (canonical<Ref>::value.inputs[s.entry()].sparse) return std::is_same_v<V, sparse_tensor<T>>;
    else if constexpr (s.where == ir::space::edge && s.is_sequence())
      return std::is_same_v<V, edge_steps<T>> || (std::is_same_v<T, float> && is_of_sequence<V>);
    else if constexpr (s.where == ir::space::edge) return std::is_same_v<V, edge_values<T>>;
    else if constexpr (s.where == ir::space::graph && s.dims.rank == 0 && !s.is_sequence())
      return is_tensor_of<V, T> || std::is_same_v<V, T> || (is_real(s.type) && std::is_arithmetic_v<V>);
    else return is_tensor_of<V, T>;
  }
}

template <class Name, class... Item>
inline constexpr int times_bound = (0 + ... + int(std::is_same_v<Name, typename Item::name>));

// The first finding of a list; Nothing if each is Nothing.
template <class Nothing, class... F> struct first_finding { using type = Nothing; };
template <class Nothing, class F, class... Rest> struct first_finding<Nothing, F, Rest...> { using type = F; };
template <class Nothing, class... Rest>
struct first_finding<Nothing, Nothing, Rest...> : first_finding<Nothing, Rest...> {};
template <bool Wrong, class F, class Nothing = all_inputs_bound>
using finding_if = std::conditional_t<Wrong, F, Nothing>;

template <class Ref, class Items, class Entries> struct check_items {
  using type = Items;  // not_a_binding
};
template <class Ref, class... Item, int... I>
struct check_items<Ref, bound_items<Item...>, std::integer_sequence<int, I...>>
    : first_finding<all_inputs_bound,
                    finding_if<entry_of<Ref>(Item::name::view()) < 0, in_words<no_such_input, typename Item::name>>...,
                    finding_if<(times_bound<typename Item::name, Item...> > 1),
                               in_words<input_is_bound_twice, typename Item::name>>...,
                    finding_if<times_bound<input_name<Ref, I>, Item...> == 0,
                               in_words<input_is_not_bound, input_name<Ref, I>>>...,
                    finding_if<AreRowsOfBatches<typename Item::value_type>,
                               in_words<input_is_rows_of_batches, typename Item::name>>...,
                    finding_if<!same_declaration<Ref, typename Item::symbol>(),
                               in_words<input_has_another_shape, typename Item::name>>...,
                    finding_if<!takes<Ref, Item>(), in_words<input_takes_another_tensor, typename Item::name>>...> {};

/// Whether an argument is the parameter set of a wrong program.
template <class Arg> inline constexpr bool is_of_wrong_program = false;
template <class... Named> inline constexpr bool is_of_wrong_program<named_values<Named...>> = stands_for_all<Named...>;
template <class Set> inline constexpr bool is_of_wrong_program<fixed_reference<Set>> = is_of_wrong_program<Set>;

template <bool WasSaid, class Ref, class... Arg> struct finding_in { using type = was_said; };
template <class Ref, class... Arg>
struct finding_in<false, Ref, Arg...>
    : check_items<Ref, typename join_items<typename items_of<Arg>::type...>::type,
                  std::make_integer_sequence<int, canonical<Ref>::value.room.inputs>> {};

/// The mistake in a call of program Ref with these arguments; all_inputs_bound if there is none, was_said if the
/// mistake lies elsewhere.
template <class Ref, class... Arg>
using finding_of = typename finding_in<!is_program<Ref> || (... || is_of_wrong_program<std::remove_cvref_t<Arg>>), Ref,
                                       std::remove_cvref_t<Arg>...>::type;

template <class T> inline constexpr bool is_a_binding = true;
template <class T> inline constexpr bool is_a_binding<not_a_binding<T>> = false;
template <class Finding> inline constexpr bool binds_gradients = false;
template <class Name, class Value>
inline constexpr bool binds_gradients<not_a_binding<named_value<Name, Value, as_gradients>>> = true;

/// For a finding: STG_SAYS_BINDINGS in front of the function that the user calls, STG_CHECK_BINDINGS in its body.
#define STG_IS_NO_BINDING "stg: a call takes bindings after the graph; write name = tensor, or a parameter set"
#define STG_BINDS_GRADIENTS \
  "stg: a call takes the parameters, and these are their gradients; write (graph, x = X, params)"
#define STG_BINDS_ROWS_OF_BATCHES "stg: an input is bound to a loader's rows; bind those of the batch: x = b[X]"
#define STG_IS_NO_INPUT "stg: the program has no input of this name; bind one that it reads"
#define STG_IS_BOUND_TWICE "stg: an input is bound twice; bind each input once"
#define STG_IS_NOT_BOUND "stg: an input is not bound; add name = tensor to the call"
#define STG_IS_DECLARED_DIFFERENTLY \
  "stg: the bound symbol is declared differently in the program; bind the symbol it reads"
#define STG_IS_OF_ANOTHER_KIND \
  "stg: an input takes another kind of tensor: of its scalar type, edge_values(w), edge_steps(w), a sparse_tensor"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_BINDINGS(Finding)                                                                                  \
  __attribute__((                                                                                                   \
      diagnose_if(!detail::is_a_binding<Finding> && !detail::binds_gradients<Finding>, STG_IS_NO_BINDING, "error"), \
      diagnose_if(detail::binds_gradients<Finding>, STG_BINDS_GRADIENTS, "error"),                                  \
      diagnose_if(!detail::is_not<input_is_rows_of_batches, Finding>, STG_BINDS_ROWS_OF_BATCHES, "error"),          \
      diagnose_if(!detail::is_not<no_such_input, Finding>, STG_IS_NO_INPUT, "error"),                               \
      diagnose_if(!detail::is_not<input_is_bound_twice, Finding>, STG_IS_BOUND_TWICE, "error"),                     \
      diagnose_if(!detail::is_not<input_is_not_bound, Finding>, STG_IS_NOT_BOUND, "error"),                         \
      diagnose_if(!detail::is_not<input_has_another_shape, Finding>, STG_IS_DECLARED_DIFFERENTLY, "error"),         \
      diagnose_if(!detail::is_not<input_takes_another_tensor, Finding>, STG_IS_OF_ANOTHER_KIND, "error")))
#define STG_CHECK_BINDINGS(Finding)
#else
#define STG_SAYS_BINDINGS(Finding)
#define STG_CHECK_BINDINGS(Finding)                                                                    \
  static_assert(detail::is_a_binding<Finding> || detail::binds_gradients<Finding>, STG_IS_NO_BINDING); \
  static_assert(!detail::binds_gradients<Finding>, STG_BINDS_GRADIENTS);                               \
  static_assert(detail::is_not<input_is_rows_of_batches, Finding>, STG_BINDS_ROWS_OF_BATCHES);         \
  static_assert(detail::is_not<no_such_input, Finding>, STG_IS_NO_INPUT);                              \
  static_assert(detail::is_not<input_is_bound_twice, Finding>, STG_IS_BOUND_TWICE);                    \
  static_assert(detail::is_not<input_is_not_bound, Finding>, STG_IS_NOT_BOUND);                        \
  static_assert(detail::is_not<input_has_another_shape, Finding>, STG_IS_DECLARED_DIFFERENTLY);        \
  static_assert(detail::is_not<input_takes_another_tensor, Finding>, STG_IS_OF_ANOTHER_KIND)
#endif

/// The result of a call with a mistake in it, never returned: so that later uses of the result bring no mistakes of
/// their own.
template <class T> T unmade();

}  // namespace detail

}  // namespace stg
