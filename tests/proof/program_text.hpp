// A program written out as C++: the lambda that gives it again when it is traced.
#pragma once

#include <stg/ir/program.hpp>  // program

#include <string>  // string

namespace stg::test {

/// Symbols and a lambda named `program`, to stand in a namespace of their own. The language's words where it has one
/// for a statement; others are written as statements, by `written` of compiled_check.hpp.
std::string lambda_of(const ir::program& p);
/// The same of a program whose only computation is one scan, from its first step on, and whose outputs are all results.
std::string lambda_of_scan(const ir::program& p);

}  // namespace stg::test
