// Inputs of a compiled program by names that are known at run time, in place of bindings.
#pragma once

#include <initializer_list>  // initializer_list
#include <span>              // span
#include <string>            // string
#include <vector>            // vector

#include <stg/call/bindings.hpp>       // finding_in
#include <stg/call/fixed.hpp>          // fixed_items_of, fixed_symbols
#include <stg/call/program_input.hpp>  // program_input
#include <stg/runtime/binding.hpp>     // bound_input, program_view

namespace stg {

/// All inputs of a call by their names, for whom asks for names at run time: a door to another language, a table of
/// files. It stands in place of the bindings of a model, a tape or a training step, alone; what the compiler checks of
/// bindings is checked when the call is made. Refers to its tensors, which are the caller's to keep as those of
/// bindings are. Errors of the call: a missing input, an unknown one, one given twice or of the wrong type, a sparse
/// tensor for a dense input or the reverse, and the errors of bind_inputs.
///
///   const auto out = model(graph, stg::inputs_by_name({{"x", X}, {"W", W}}));
class inputs_by_name {
 public:
  explicit inputs_by_name(std::span<const program_input> all) : inputs_(all.begin(), all.end()) {}
  inputs_by_name(std::initializer_list<program_input> all) : inputs_(all) {}

  /// Where the inputs of a program lie, by entry.
  void bind_to(const program_view& p, bound_input* bound) const;

 private:
  std::vector<program_input> inputs_;
};

/// The same for calls that keep what they compute of these inputs, as calls with `fixed(x = X)` do.
///
///   const auto out = model(graph, stg::inputs_by_name_with_fixed<decltype(x)>({{"x", X}, {"W", W}}));
template <class... Symbol> class inputs_by_name_with_fixed : public inputs_by_name {
 public:
  using inputs_by_name::inputs_by_name;
};

namespace detail {

template <class Ref> struct finding_in<false, Ref, inputs_by_name> { using type = all_inputs_bound; };
template <class Ref, class... Symbol> struct finding_in<false, Ref, inputs_by_name_with_fixed<Symbol...>> {
  using type = all_inputs_bound;
};
template <class... Symbol>
struct fixed_items_of<inputs_by_name_with_fixed<Symbol...>> : fixed_items_of<fixed_symbols<Symbol...>> {};

/// The entry of an input that is given, by its name or its entry; -1 where there is none.
int entry_among(std::span<const ir::input> inputs, const program_input& in);
/// An input as errors name it.
std::string spelled(const program_input& in);
/// Places tensors, given by name or by their entry in `asked`, at the entries of p of the same names. Errors: those of
/// inputs_by_name.
void bind_by_name(std::span<const ir::input> asked, const program_view& p, std::span<const program_input> given,
                  bound_input* bound);

}  // namespace detail

}  // namespace stg
