// Models out of files: a program's text, and the tensors beside it.
#include <stg/call/stored_model.hpp>

#include <cstdint>      // int32_t
#include <filesystem>   // exists, is_directory, path
#include <type_traits>  // is_same_v

#include <stg/base/error.hpp>             // error
#include <stg/data/checkpoint_files.hpp>  // array_file, is_safetensors
#include <stg/data/file_replacement.hpp>  // whole_files
#include <stg/data/npy.hpp>               // read_npy
#include <stg/data/safetensors.hpp>       // safetensors_file
#include <stg/ir/text.hpp>                // from_text
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include "../codegen/with_type.hpp"  // with_element
#include "../runtime/data/file.hpp"  // read_file

namespace stg {

namespace {

constexpr const char* name_of_text = "program.stg";

/// The program of a file; what is wrong with its text is said with the file.
ir::program read_program(const std::string& path) {
  const std::string text = detail::read_file("model", path);
  ir::program read;
  try {
    read = ir::from_text(text);
  } catch (const error& wrong) {
    throw error("model " + path + ": " + std::string(wrong.what()).substr(std::string_view("stg: ").size()));
  }
  if (read.outputs.empty()) throw error("model " + path + " has no output; expected the text of a program");
  return read;
}

/// Types that a parameter's .npy file may have.
template <class T>
inline constexpr bool has_npy =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, bool> || std::is_same_v<T, float16>;

/// Calls f(name, element of its type) for each input of a program that a file may hold.
template <class F> void each_input(const ir::program& p, const F& f) {
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const ir::input& in = p.inputs[s.entry()];
    const std::string name(in.name.view());
    if (name.empty() || in.sparse) continue;
    codegen::with_element(s.type, [&](auto element) { f(name, element); });
  }
}

tensors_by_name read_folder(const detail::whole_files& files, const ir::program& p) {
  tensors_by_name all;
  each_input(p, [&](const std::string& name, auto element) {
    using T = decltype(element);
    const std::string path = files.path_of(detail::array_file(name));
    if constexpr (has_npy<T>)
      if (std::filesystem::exists(path)) all.insert_or_assign(name, any_tensor(read_npy<T>(path)));
  });
  return all;
}
tensors_by_name read_tensors(const std::string& path, const ir::program& p) {
  const safetensors_file file(path);
  tensors_by_name all;
  each_input(p, [&](const std::string& name, auto element) {
    if (file.has(name)) all.insert_or_assign(name, any_tensor(file.read<decltype(element)>(name)));
  });
  return all;
}

tensors_by_name read_named(const std::string& parameters, const ir::program& p) {
  if (detail::is_safetensors(parameters)) return read_tensors(parameters, p);
  std::error_code unknown;
  if (!std::filesystem::is_directory(parameters, unknown))
    throw error("parameters " + parameters + " are " +
                (std::filesystem::exists(parameters, unknown) ? "in a file of another kind" : "missing") +
                "; expected a folder of .npy files, or a file NAME.safetensors");
  return read_folder(detail::whole_files(parameters), p);
}

}  // namespace

std::vector<program_input> stored_model::with_parameters(std::span<const program_input> given) const {
  std::vector<program_input> all(given.begin(), given.end());
  for (const auto& [name, values] : parameters) {
    bool is_given = false;  // another's numbers in its place, for this call
    for (const program_input& in : given) is_given = is_given || in.name == name;
    if (!is_given) all.emplace_back(std::string_view(name), values);
  }
  return all;
}

stored_model read_stored_model(const std::string& path, const std::string& parameters) try {
  stored_model model;
  std::error_code unknown;
  const std::filesystem::path file(path);
  const bool is_file = std::filesystem::exists(file, unknown) && !std::filesystem::is_directory(file, unknown);
  if (is_file && file.filename() != name_of_text) {
    model.program = read_program(path);
    const std::string beside = std::filesystem::path(file).replace_extension(".safetensors").string();
    if (!parameters.empty()) model.parameters = read_named(parameters, model.program);
    else if (std::filesystem::exists(beside, unknown)) model.parameters = read_tensors(beside, model.program);
    return model;
  }
  // One look at the folder for all: a model that is saved meanwhile waits.
  const detail::whole_files files(is_file ? file.parent_path() : file);
  model.program = read_program(files.path_of(name_of_text));
  model.parameters = parameters.empty() ? read_folder(files, model.program) : read_named(parameters, model.program);
  return model;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
