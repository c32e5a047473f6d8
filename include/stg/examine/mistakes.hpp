// Mistakes in examining a program: exceptions, each with a sentence that names its subject.
//
// They are errors of the library like any other at run time. In constant evaluation a throw ends compilation, and
// compilers print the exception's name.
#pragma once

#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/base/error.hpp>    // error
#include <stg/ir/opcode.hpp>     // opcode, name_of
#include <stg/ir/statement.hpp>  // value_id

namespace stg::examine {

/// A visitor has no function for an operation, and none for all others.
struct operation_is_not_handled : error {
  ir::opcode code;
  explicit operation_is_not_handled(ir::opcode of)
      : error("a visitor does not handle " + std::string(ir::name_of(of)) +
              "; add a function for it, or one that takes any_other"),
        code(of) {}
};

/// The number of a value is no statement of the program.
struct value_is_unknown : error {
  ir::value_id at;
  value_is_unknown(ir::value_id asked, int statements)
      : error("value %" + std::to_string(asked) + " is not in the program, which has " +
              (statements == 0 ? "no values" : "values %0 to %" + std::to_string(statements - 1))),
        at(asked) {}
};

/// The marks are not one for each statement of the program.
struct set_is_of_another_program : error {
  set_is_of_another_program(int marks, int statements)
      : error("a set of " + std::to_string(marks) + " marks is none of a program of " + std::to_string(statements) +
              " statements; give a mark for each") {}
};

/// A replacement lives in a different space than the replaced value, or has a different shape or scalar type.
struct replacement_does_not_fit : error {
  ir::value_id at;
  explicit replacement_does_not_fit(ir::value_id replaced)
      : error("a replacement of value %" + std::to_string(replaced) +
              " has another space, shape or type; choose where by rule.where(condition)"),
        at(replaced) {}
};

/// A rewritten program breaks a rule of programs.
struct rewriting_breaks_a_rule : error {
  ir::value_id at;
  explicit rewriting_breaks_a_rule(ir::value_id found)
      : error("what a rule wrote breaks a rule of programs at value %" + std::to_string(found) +
              "; see pass::verify(p) of the program that went in"),
        at(found) {}
};

}  // namespace stg::examine
