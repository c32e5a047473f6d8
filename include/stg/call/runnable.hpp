// Programs that are values, run by the library's own kernels, as drafts are, with nothing to compile. For programs made
// at run time: rewritten ones, gradients, parts.
#pragma once

#include <cstdint>           // uint32_t, uint64_t
#include <functional>        // less
#include <initializer_list>  // initializer_list
#include <map>               // map
#include <memory>            // shared_ptr
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <vector>            // vector

#include <stg/base/instead.hpp>          // STG_INSTEAD_FOR
#include <stg/call/program_input.hpp>    // any_tensor, program_input
#include <stg/examine/partition.hpp>     // partitioned
#include <stg/ir/program.hpp>            // program
#include <stg/runtime/call_graph.hpp>    // call_graph
#include <stg/runtime/named_values.hpp>  // is_named_set

namespace stg {

namespace detail {
/// `x = X`, or a set of parameters.
template <class X>
concept BoundByName = is_named_set<X> || requires {
  typename X::symbol;
};
}  // namespace detail

/// A program as a function, called any number of times and from several threads: planned once, with the passes of an
/// inference call. Random masks are 1. Rows of edges are in the order of ids. Errors: of the constructor, a program
/// that breaks a rule of programs; of a call, an input that is missing, given twice, unknown or of another type, and
/// the errors of bind_inputs.
///
///   const stg::runnable run(p);
///   const auto out = run(graph, {{"x", X}, {"W", W}});       // std::get<stg::tensor<float>>(out[0])
class runnable {
 public:
  explicit runnable(const ir::program& p);

  /// The program that runs: canonical, with the passes of an inference call.
  const ir::program& planned() const;

  /// For bindings as a model takes them: what to write.
  STG_INSTEAD_FOR((detail::BoundByName First, class... Rest), sizeof(First) == 0,
                  "stg: inputs of a program that is a value have names: run(graph, {{\"x\", X}, {\"W\", params[W]}})",
                  std::vector<any_tensor> operator()(const call_graph&, const First&, const Rest&...) const)

  std::vector<any_tensor> operator()(const call_graph& on, std::span<const program_input> inputs) const;
  std::vector<any_tensor> operator()(const call_graph& on, std::initializer_list<program_input> inputs) const {
    return (*this)(on, std::span<const program_input>(inputs.begin(), inputs.size()));
  }

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

/// A program that is a loss, as a training step: the loss and its gradients, by the same kernels and passes as a
/// draft's value_and_grad, to the bit. Random masks are drawn anew in each call; `seed` begins them again. Errors: of
/// the constructor, a program that breaks a rule of programs, whose first output is not one real number for the graph,
/// or an input without a gradient; of a call, as in runnable. One thread at a time.
///
///   stg::runnable_step step(p);                                  // for all trainable inputs; step(p, {"W"}) for some
///   auto now = step(graph, {{"x", X}, {"label", Y}, {"W", W}});  // now.loss
///   std::get<stg::tensor<float>>(now.gradients.at("W"));
class runnable_step {
 public:
  struct result {
    double loss = 0;
    std::vector<any_tensor> outputs{};  // of the program, the loss first
    std::map<std::string, any_tensor, std::less<>> gradients{};
  };

  explicit runnable_step(const ir::program& p, std::initializer_list<std::string_view> wanted = {});

  result operator()(const call_graph& on, std::span<const program_input> inputs);
  result operator()(const call_graph& on, std::initializer_list<program_input> inputs) {
    return (*this)(on, std::span<const program_input>(inputs.begin(), inputs.size()));
  }
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }

 private:
  struct state;
  std::shared_ptr<const state> state_;
  std::uint64_t seed_ = 0;
  std::uint32_t calls_ = 0;
};

/// The parts of a program, each planned by itself, run one after the other; a call gives the outputs of the whole.
///
///   const stg::runnable_parts run(examine::partition(p, part_of));
///   const auto out = run(graph, {{"x", X}, {"W", W}});
class runnable_parts {
 public:
  explicit runnable_parts(const examine::partitioned& parts);

  std::vector<any_tensor> operator()(const call_graph& on, std::span<const program_input> inputs) const;
  std::vector<any_tensor> operator()(const call_graph& on, std::initializer_list<program_input> inputs) const {
    return (*this)(on, std::span<const program_input>(inputs.begin(), inputs.size()));
  }

 private:
  examine::partitioned cut;
  std::vector<runnable> parts;
};

}  // namespace stg
