// Models in folders: programs as text, and the calls of what was read.
#include <stg/saved_model.hpp>

#include <cstdint>      // int32_t
#include <filesystem>   // exists
#include <fstream>      // ofstream
#include <type_traits>  // is_same_v

#include <stg/data/npy.hpp>  // read_npy
#include <stg/ir/text.hpp>   // from_text, to_file_text

#include "../codegen/with_type.hpp"  // with_element
#include "../runtime/data/file.hpp"  // read_file

namespace stg {

namespace {

/// The program of a folder; what is wrong with its text is said with the file.
ir::program read_program(const detail::whole_files& files) {
  const std::string path = files.path_of("program.stg");
  const std::string text = detail::read_file("model", path);
  try {
    return ir::from_text(text);
  } catch (const error& wrong) {
    throw error("model " + path + ": " + std::string(wrong.what()).substr(std::string_view("stg: ").size()));
  }
}

/// Types that a parameter's file may have.
template <class T>
inline constexpr bool has_npy =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, bool>;

/// The parameters that lie beside a program: inputs with a file of their name.
std::map<std::string, any_tensor, std::less<>> read_parameters(const detail::whole_files& files, const ir::program& p) {
  std::map<std::string, any_tensor, std::less<>> all;
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const ir::input& in = p.inputs[s.entry()];
    const std::string name(in.name.view()), path = files.path_of(name + ".npy");
    if (name.empty() || in.sparse || !std::filesystem::exists(path)) continue;
    codegen::with_element(s.type, [&](auto element) {
      using T = decltype(element);
      if constexpr (has_npy<T>) all.insert_or_assign(name, any_tensor(read_npy<T>(path)));
    });
  }
  return all;
}

}  // namespace

namespace detail {

void write_program(const std::string& path, const ir::program& p) {
  std::ofstream file(path, std::ios::binary);
  file << ir::to_file_text(p);
  file.close();
  if (!file) throw error("model file " + path + " cannot be written; make room for it");
}

}  // namespace detail

// One look at the folder for all: a model that is saved meanwhile waits.
loaded_model::loaded_model(const std::string& folder) : loaded_model(detail::whole_files(folder)) {}
loaded_model::loaded_model(const detail::whole_files& files)
    : program_(read_program(files)), parameters_(read_parameters(files, program_)), run_(program_) {}

std::vector<program_input> loaded_model::with_parameters(std::span<const program_input> inputs) const {
  std::vector<program_input> all(inputs.begin(), inputs.end());
  for (const auto& [name, values] : parameters_) {
    bool is_given = false;  // another's numbers in its place, for this call
    for (const program_input& in : inputs) is_given = is_given || in.name == name;
    if (!is_given) all.emplace_back(std::string_view(name), values);
  }
  return all;
}

std::vector<any_tensor> loaded_model::call(const call_graph& on, std::span<const program_input> inputs) const {
  return run_(on, with_parameters(inputs));
}

runnable_step::result loaded_model::train(const call_graph& on, std::span<const program_input> inputs) {
  if (!step_) {
    step_.emplace(program_);
    step_->seed(seed_);
  }
  return (*step_)(on, with_parameters(inputs));
}

void loaded_model::seed(std::uint64_t s) {
  seed_ = s;
  if (step_) step_->seed(s);
}

any_tensor& loaded_model::parameter_named(std::string_view name) {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) throw error("the model has no parameter '" + std::string(name) + "'");
  return found->second;
}

}  // namespace stg
