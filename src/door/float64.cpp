// A program that is retyped, differentiated and planned at run time.
#include <stg/door/float64.hpp>

#include <cstddef>      // size_t
#include <cstring>      // memcpy
#include <string>       // string, to_string
#include <type_traits>  // remove_cvref_t
#include <utility>      // move
#include <variant>      // holds_alternative, visit

#include <stg/base/error.hpp>          // error
#include <stg/call/runnable.hpp>       // runnable
#include <stg/differentiate.hpp>       // differentiate, real_outputs
#include <stg/runtime/call_graph.hpp>  // call_graph

#include "../codegen/with_type.hpp"  // with_element

namespace stg::door {

namespace {

scalar_type wider(scalar_type t) { return t == f32 ? f64 : t; }

ir::program retyped(ir::program p) {
  for (ir::statement& s : p.statements) s.type = wider(s.type);
  for (ir::program& called : p.callees) called = retyped(std::move(called));
  return p;
}
ir::program program_of(const described_program& of) {
  if (of.described().draws) throw error("the program draws random numbers, and in float64 they would be others");
  return retyped(of.described().program());
}
signature retyped(signature s) {
  for (value& v : s.inputs) v.type = wider(v.type);
  for (value& v : s.outputs) v.type = wider(v.type);
  return s;
}

call_graph graph_of(const called_with& on, bool is_over_sets) {
  if (on.hops != nullptr || is_over_sets != (on.kinds != nullptr)) detail::not_called_on(on, is_over_sets);
  if (on.kinds != nullptr) return {*on.kinds};
  return on.plain != nullptr ? call_graph(*on.plain) : call_graph(*on.steps);
}

class planned final : public program {
 public:
  planned(signature s, const ir::program& p) : program(std::move(s)), run_(p) {}
  std::vector<any_tensor> operator()(const called_with& on, std::span<const program_input> inputs) const override {
    return run_(graph_of(on, described().is_over_sets), inputs);
  }
  void into(std::span<any_tensor> results, const called_with& on,
            std::span<const program_input> inputs) const override {
    const std::vector<any_tensor> made = (*this)(on, inputs);
    if (made.size() != results.size()) detail::wrong_results(results.size(), made.size());
    for (std::size_t k = 0; k < made.size(); ++k)
      std::visit(
          [&](const auto& t) {
            using tensor_type = std::remove_cvref_t<decltype(t)>;
            if (!std::holds_alternative<tensor_type>(results[k]))
              detail::wrong_result(k, scalar_of<typename tensor_type::value_type>);
            auto& to = std::get<tensor_type>(results[k]);
            if (!(to.shape() == t.shape()))
              throw error("output " + std::to_string(k) + " has shape " + to_string(t.shape()) + ", not " +
                          to_string(to.shape()));
            std::memcpy(to.data(), t.data(), static_cast<std::size_t>(t.bytes()));
          },
          made[k]);
  }

 private:
  runnable run_;
};

/// A forward program with what its gradient reads as further results, and the gradient.
struct planned_gradient {
  program_with_gradient programs;
  std::vector<std::string> inputs{};  // of the forward program, by entry
  std::vector<std::string> wanted{};
  runnable forward, gradient;
  bool is_over_sets = false;
};

any_tensor zeros_like(const any_tensor& of) {
  return std::visit([](const auto& t) -> any_tensor { return std::remove_cvref_t<decltype(t)>(t.shape()); }, of);
}

class recorded_once final : public recorded {
 public:
  recorded_once(std::shared_ptr<const planned_gradient> of, const called_with& on,
                std::span<const program_input> inputs)
      : of_(std::move(of)),
        graph_(graph_of(on, of_->is_over_sets)),
        inputs_(inputs.begin(), inputs.end()),
        results_(of_->forward(graph_, inputs)) {}
  std::vector<any_tensor> outputs() override {
    std::vector<any_tensor> all;
    for (int k = 0; k < of_->programs.results; ++k)
      all.push_back(
          std::visit([](const auto& t) -> any_tensor { return t.clone(); }, results_[static_cast<std::size_t>(k)]));
    return all;
  }
  std::vector<named_tensor> backward(std::span<const any_tensor* const> cotangents) override {
    if (was_differentiated_) throw error("a tape is differentiated once; record the call again");
    was_differentiated_ = true;
    std::vector<any_tensor> zeros;
    zeros.reserve(cotangents.size());
    std::vector<program_input> given;
    int cotangent = 0;
    for (int e = 0; e < of_->programs.inputs.size(); ++e) {
      const gradient_input& in = of_->programs.inputs[e];
      if (in.is_cotangent) {
        if (static_cast<std::size_t>(cotangent) >= cotangents.size())
          detail::wrong_cotangents(cotangents.size(), static_cast<std::size_t>(cotangent) + 1);
        const any_tensor* one = cotangents[static_cast<std::size_t>(cotangent++)];
        const any_tensor& output = results_[static_cast<std::size_t>(in.output)];
        if (one == nullptr) one = &zeros.emplace_back(zeros_like(output));
        check(in.output, *one, output);
        given.emplace_back(e, *one);
      } else if (in.output >= 0) {
        given.emplace_back(e, results_[static_cast<std::size_t>(in.output)]);
      } else {
        given.push_back(input_named(of_->inputs[static_cast<std::size_t>(of_->programs.forward[in.value].entry())], e));
      }
    }
    std::vector<any_tensor> found = of_->gradient(graph_, given);
    std::vector<named_tensor> all;
    for (std::size_t k = 0; k < found.size(); ++k) all.emplace_back(of_->wanted[k], std::move(found[k]));
    return all;
  }

 private:
  static void check(int k, const any_tensor& cotangent, const any_tensor& output) {
    std::visit(
        [&](const auto& t) {
          using tensor_type = std::remove_cvref_t<decltype(t)>;
          if (!std::holds_alternative<tensor_type>(cotangent))
            detail::wrong_cotangent(k, scalar_of<typename tensor_type::value_type>);
          if (!(std::get<tensor_type>(cotangent).shape() == t.shape()))
            throw error("cotangent of output " + std::to_string(k) + " has shape " +
                        to_string(std::get<tensor_type>(cotangent).shape()) + "; the output has " +
                        to_string(t.shape()));
        },
        output);
  }
  program_input input_named(const std::string& name, int entry) const {
    for (program_input in : inputs_)
      if (in.name == name) {
        in.name = {};
        in.entry = entry;
        return in;
      }
    throw error("input '" + name + "' is not given");
  }

  std::shared_ptr<const planned_gradient> of_;
  call_graph graph_;
  std::vector<program_input> inputs_;
  std::vector<any_tensor> results_;
  bool was_differentiated_ = false;
};

class planned_training final : public training {
 public:
  planned_training(signature s, std::shared_ptr<const planned_gradient> of)
      : training(std::move(s)), of_(std::move(of)) {}
  std::unique_ptr<recorded> record(const called_with& on, std::span<const program_input> inputs) override {
    return std::make_unique<recorded_once>(of_, on, inputs);
  }
  void seed(std::uint64_t) override {}  // nothing is drawn

 private:
  std::shared_ptr<const planned_gradient> of_;
};

ir::value_id value_of_input(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}

}  // namespace

std::unique_ptr<program> in_float64(const program& of) {
  return std::make_unique<planned>(retyped(of.described()), program_of(of));
}

std::unique_ptr<training> in_float64(const training& of) {
  const ir::program p = program_of(of);
  sequence<ir::value_id> required;
  for (const std::string& name : of.described().gradients) required.push_back(value_of_input(p, name));
  program_with_gradient made = differentiate(p, real_outputs(p), required);
  std::vector<std::string> inputs;
  for (const ir::input& in : p.inputs) inputs.emplace_back(in.name.view());
  const runnable forward(made.forward), gradient(made.gradient);
  return std::make_unique<planned_training>(
      retyped(of.described()), std::make_shared<const planned_gradient>(
                                   planned_gradient{std::move(made), std::move(inputs), of.described().gradients,
                                                    forward, gradient, of.described().is_over_sets}));
}

}  // namespace stg::door
