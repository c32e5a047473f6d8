// The results of calls: tensors, named as the program's outputs or its inputs are.
#pragma once

#include <string_view>  // string_view
#include <type_traits>  // type_identity, conditional_t
#include <utility>      // move

#include <boost/hana/tuple.hpp>  // tuple

#include <stg/call/bindings.hpp>         // input_name
#include <stg/codegen/frame.hpp>         // shape_of_value
#include <stg/compile.hpp>               // canonical
#include <stg/dsl/outputs.hpp>           // output_type
#include <stg/runtime/call_graph.hpp>    // call_graph
#include <stg/runtime/named_values.hpp>  // named_values

namespace stg::detail {

/// The properties that decide the tensor type of a value: whether it lives on edges, and has a value for each step.
/// (g++ 12 ends with an error of its own if this is a class.)
enum class value_kind : int { plain, of_edges, of_edges_and_steps };
constexpr value_kind kind_in(const ir::domain& where, bool steps) {
  if (where != ir::space::edge) return value_kind::plain;
  return steps ? value_kind::of_edges_and_steps : value_kind::of_edges;
}
constexpr value_kind kind_of(const ir::statement& s) { return kind_in(s.where, s.is_sequence()); }

/// The tensor type of a value: edge values keep their order in their type.
template <value_kind Kind, class T>
using tensor_in =
    std::conditional_t<Kind == value_kind::plain, tensor<T>,
                       std::conditional_t<Kind == value_kind::of_edges_and_steps, edge_steps<T>, edge_values<T>>>;

/// The same tensor as a value of a kind; for the edges' kinds, of a call's graph.
template <value_kind Kind, class T> tensor_in<Kind, T> placed_in(tensor<T> t, const call_graph& on) {
  if constexpr (Kind != value_kind::plain) return tensor_in<Kind, T>::in_id_order(std::move(t), on.edges_of_results());
  else return t;
}
/// Makes a value a view of another owner's memory, or a share in it: one function for all values of a type; a set would
/// have the body once for each of its values.
template <class V>
[[gnu::noinline]] void put_view(V& to, std::byte* data, const dimensions& shape, location place, const call_graph& on,
                                memory share) {
  using T = typename std::remove_cvref_t<decltype(tensor_of(to))>::value_type;
  tensor<T> view = tensor<T>::view_of(reinterpret_cast<T*>(data), shape, place, std::move(share));
  if constexpr (std::is_same_v<V, tensor<T>>) to = std::move(view);
  else to = V::in_id_order(std::move(view), on.edges_of_results());
}
template <value_kind Kind, class T>
tensor_in<Kind, T> owned_in(const dimensions& shape, location place, const call_graph& on) {
  return placed_in<Kind>(place.is_host() ? tensor<T>::for_overwrite(shape) : tensor<T>::for_overwrite(shape, place),
                         on);
}
template <class T> tensor<T> as_view(tensor<T>& t) { return t.view(); }
template <class Self, class T> Self as_view(tensor_of_edges<Self, T>& t) {
  return Self::in_id_order(t.values().view(), t.edge_identity());
}

/// Makes existing results those of a call's graph.
template <class T> void now_of(tensor<T>&, const call_graph&) {}
template <class Self, class T> void now_of(tensor_of_edges<Self, T>& t, const call_graph& on) {
  t = Self::in_id_order(std::move(t.values()), on.edges_of_results());
}
template <class... Named> void now_of(named_values<Named...>& all, const call_graph& on) {
  for_each(all, [&](std::string_view, auto& t) { now_of(t, on); });
}

template <class T> std::byte* data_of(tensor<T>& t) { return reinterpret_cast<std::byte*>(t.data()); }
template <class Self, class T> std::byte* data_of(tensor_of_edges<Self, T>& t) { return data_of(t.values()); }

template <class Ref, class Output>
using output_tensor =
    tensor_in<kind_in(ir_space<typename Output::where>, Output::over::rank > 0), element_t<Output::type>>;

/// Stands for every value of a wrong program's sets, whose contents nobody knows: any name of such a set gives it, so
/// that one mistake is one message.
struct unmade_value : named_value<name<'?'>, tensor<float>> {
  static constexpr bool stands_for_all = true;
};
template <class Set> inline constexpr bool is_unmade_set = std::is_same_v<Set, named_values<unmade_value>>;

/// One named value per output of a program.
template <class Ref, class Types> struct outputs_of;
template <class Ref, class... Output> struct outputs_of<Ref, boost::hana::tuple<Output...>> {
  using type = named_values<named_value<typename Output::name, output_tensor<Ref, Output>>...>;
};
template <class Ref> struct outputs_of<Ref, boost::hana::tuple<>> { using type = named_values<unmade_value>; };
template <class Ref> using outputs_t = typename outputs_of<Ref, typename Ref::results::types>::type;

/// The statement behind output k of the traced program, for its shape.
template <class Ref> constexpr const ir::statement& output_statement(int k) {
  return canonical<Ref>::value[canonical<Ref>::value.outputs[k].at];
}

/// The statement of an input.
template <class Ref, int Entry> constexpr ir::statement input_statement() {
  constexpr int at = statement_of_input<Ref>(Entry);
  return canonical<Ref>::value[at];
}
template <class Ref, int Entry> constexpr auto input_kind() {
  constexpr ir::statement s = input_statement<Ref, Entry>();
  if constexpr (canonical<Ref>::value.inputs[Entry].sparse)
    return std::type_identity<sparse_tensor<element_t<s.type>>>();
  else return std::type_identity<tensor_in<kind_of(s), element_t<s.type>>>();
}
/// One named value for each of these entries of the program's inputs.
template <bool IsProgram, class Ref, class Entries, class Role> struct input_set_if {
  using type = named_values<unmade_value>;
};
template <class Ref, int... Entry, class Role>
struct input_set_if<true, Ref, std::integer_sequence<int, Entry...>, Role> {
  using type =
      named_values<named_value<input_name<Ref, Entry>, typename decltype(input_kind<Ref, Entry>())::type, Role>...>;
};
template <class Ref, class Entries, class Role> struct input_set : input_set_if<is_program<Ref>, Ref, Entries, Role> {};
template <class Ref, class Entries> using parameter_set = typename input_set<Ref, Entries, as_parameters>::type;
template <class Ref, class Entries> using gradient_set = typename input_set<Ref, Entries, as_gradients>::type;

// The entries of a program's trainable inputs that are read, as a sequence.
template <class Ref> constexpr int trainable_count() { return input_lists<Ref>::value.trainable_count; }
/// Entry of the k-th trainable input, in the order in which gradients are required: the statements' order.
template <class Ref> constexpr int trainable_entry(int k) { return input_lists<Ref>::value.trainable[k]; }
template <class Ref, int... K> constexpr auto trainable_sequence(std::integer_sequence<int, K...>) {
  return std::integer_sequence<int, trainable_entry<Ref>(K)...>();
}
template <class Ref>
using trainable_entries = decltype(trainable_sequence<Ref>(std::make_integer_sequence<int, trainable_count<Ref>()>()));

}  // namespace stg::detail
