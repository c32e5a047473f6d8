// Programs out of texts, as to_text (print.hpp) writes them.
#pragma once

#include <string>       // string
#include <string_view>  // string_view

#include <stg/base/error.hpp>  // error, which from_text throws
#include <stg/ir/print.hpp>    // to_text
#include <stg/ir/program.hpp>  // program

namespace stg::ir {

/// The version of the texts that this library writes. It grows when an older text gets a new meaning.
inline constexpr int text_version = 1;

/// The program that a text says: from_text(to_text(p)) == p, and scopes, names, tags, promises and starts of parameters
/// are the same, too. A first line `stg program 1` names the text's version. Lines may end in `\r\n` and may be empty.
/// Throws stg::error with line and column if the text is no program or breaks a rule of programs.
///
///   const ir::program p = ir::from_text("%0 = input x     vertex f32 (4)\n"
///                                       "%1 = exp (%0)    vertex f32 (4)\n"
///                                       "output %1\n");
program from_text(std::string_view from);

/// The text of a program with its version in the first line: for files.
inline std::string to_file_text(const program& p) {
  return "stg program " + std::to_string(text_version) + '\n' + to_text(p);
}

}  // namespace stg::ir
