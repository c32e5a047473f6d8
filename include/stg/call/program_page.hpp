// write_page of a program that is a value: what a call of it does.
#pragma once

#include <string>  // string

#include <stg/ir/program.hpp>  // program

namespace stg {

/// Writes the page that write_page<f>(path) writes of a lambda, but for training: summary, equations, statements,
/// units, the values in memory and a drawing of the program as `runnable` runs it, with formulas in place of sizes.
/// Errors: a program that breaks a rule of programs, and a file that cannot be written.
///
///   stg::write_page("gcn.html", stg::read_stored_model("gcn").program);
void write_page(const std::string& path, const ir::program& p);

}  // namespace stg
