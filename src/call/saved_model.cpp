// Models in folders: programs as text, and the calls of what was read.
#include <stg/saved_model.hpp>

#include <fstream>  // ofstream
#include <utility>  // move

#include <stg/ir/text.hpp>  // to_file_text

namespace stg {

namespace detail {

void write_program(const std::string& path, const ir::program& p) {
  std::ofstream file(path, std::ios::binary);
  file << ir::to_file_text(p);
  file.close();
  if (!file) throw error("model file " + path + " cannot be written; make room for it");
}

}  // namespace detail

loaded_model::loaded_model(stored_model of) : of_(std::move(of)), run_(of_.program) {}

std::vector<any_tensor> loaded_model::call(const call_graph& on, std::span<const program_input> inputs) const {
  return run_(on, of_.with_parameters(inputs));
}

runnable_step::result loaded_model::train(const call_graph& on, std::span<const program_input> inputs) {
  if (!step_) {
    step_.emplace(of_.program);
    step_->seed(seed_);
  }
  return (*step_)(on, of_.with_parameters(inputs));
}

void loaded_model::seed(std::uint64_t s) {
  seed_ = s;
  if (step_) step_->seed(s);
}

any_tensor& loaded_model::parameter_named(std::string_view name) {
  const auto found = of_.parameters.find(name);
  if (found == of_.parameters.end()) throw error("the model has no parameter '" + std::string(name) + "'");
  return found->second;
}

}  // namespace stg
