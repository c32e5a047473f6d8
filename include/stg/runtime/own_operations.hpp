// The operations of a user's own that this process knows, by their names: drafts and the interpreter call them by
// pointer, since they have a program as it is when it runs.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view

namespace stg {

/// Operands of a pointwise statement: where each begins, and whether it is `draft_register` bytes of equal numbers.
struct draft_operands {
  const void* at[3];
  bool repeats[3];
};
/// Bytes of an operand that repeats one number.
inline constexpr std::int64_t draft_register = 64;

/// to[i] for i < n; number: the statement's. `to` may be an operand. Nothing is read or written past the end.
using draft_pointwise = void (*)(void* to, const draft_operands& from, double number, std::int64_t n);

/// A user's operation as functions.
struct own_operation {
  std::int64_t number = 0;     // its name's (ir/operation_name.hpp)
  std::string_view written{};  // how compilers call its struct: two structs of one name are told apart by it
  int arity = 0;
  long double (*value)(const long double* of) = nullptr;
  draft_pointwise f32 = nullptr, f64 = nullptr;
};

/// Makes an operation known to drafts, the interpreter and readers of texts. `stg::apply` does it for what a lambda
/// applies, when the program starts. Any thread. True, so that a constant can be made of it.
bool add_operation(const own_operation& one);

/// The operation of a name; throws stg::error where none is known, or two structs go by the name.
const own_operation& operation_of(std::int64_t number);
/// What is wrong with the name, as a sentence; empty where an operation is known.
std::string why_no_operation(std::int64_t number);

}  // namespace stg
