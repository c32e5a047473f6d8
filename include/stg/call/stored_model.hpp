// A model in files: the text of a program, and tensors by name.
#pragma once

#include <functional>  // less
#include <map>         // map
#include <span>        // span
#include <string>      // string
#include <vector>      // vector

#include <stg/call/program_input.hpp>  // any_tensor, program_input
#include <stg/ir/program.hpp>          // program

namespace stg {

using tensors_by_name = std::map<std::string, any_tensor, std::less<>>;

/// A program and the parameters that it is called with.
struct stored_model {
  ir::program program{};
  tensors_by_name parameters{};

  /// The inputs of a call: the given ones, and the parameters in whose place none is given. Refers to both.
  std::vector<program_input> with_parameters(std::span<const program_input> given) const;
};

/// Reads a model.
///
/// - path is a folder of save_model: its program.stg, and NAME.npy for each parameter.
/// - path is a file of a program's text, gcn.stg: parameters are the tensors of gcn.safetensors beside it, if that is
///   there; of a file program.stg also those of its folder.
/// - parameters, where it is not empty, is the folder of .npy files, or the file of safetensors, to take in their
/// place.
///
/// A tensor that the program has no input for is left aside. Errors: no program, one of another version of the library,
/// one that was cut short or changed by hand (with line and column), and the errors of read_npy and safetensors_file.
///
///   const stg::stored_model model = stg::read_stored_model("gcn.stg");
///   const auto y = stg::runnable(model.program)(graph, model.with_parameters(std::array{stg::program_input("x", X)}));
stored_model read_stored_model(const std::string& path, const std::string& parameters = {});

}  // namespace stg
