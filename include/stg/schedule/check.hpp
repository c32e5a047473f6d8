// What a schedule changes in numbers, and the same of programs that are values.
#pragma once

#include <initializer_list>  // initializer_list
#include <span>              // span
#include <string>            // string
#include <utility>           // pair
#include <vector>            // vector

#include <stg/call/program_input.hpp>  // program_input
#include <stg/ir/program.hpp>          // program
#include <stg/runtime/call_graph.hpp>  // call_graph

namespace stg {

/// What a schedule changes in numbers.
struct schedule_check {
  bool same_bits = true;  // of all numbers
  double worst = 0;  // of all numbers, as a share of the largest one of their value: |scheduled - plain| / max |plain|
  std::string where{};  // the value that has it: loss, output, or a parameter with "gradient of" before it
  double plain = 0, scheduled = 0;
};

namespace detail {

/// Numbers of the values of a call, by name.
using numbers_by_name = std::vector<std::pair<std::string, std::vector<double>>>;

/// The worst difference. NaN is equal to NaN, and worse than all beside a number.
schedule_check compared(const numbers_by_name& plain, const numbers_by_name& scheduled);
/// The first value by a name of both programs, in the order of the first, that is off by more than a tolerance; `where`
/// is empty if none is. Values in steps and called layers have none.
schedule_check first_off(double tolerance, const ir::program& plain, const ir::program& scheduled, const call_graph& on,
                         std::span<const program_input> inputs);
/// The error about a number that is off; first: the first named value that is.
[[noreturn]] void is_off(const schedule_check& found, double tolerance, const schedule_check& first = {});

}  // namespace detail

/// Runs two programs as drafts with the same inputs, seeds and parameters, and compares outputs; of a loss with
/// trainable inputs the loss and the gradients of all of these. Throws where inputs or outputs differ in number, name,
/// space, type or shape, or a number is off by more than `tolerance` times the largest of its value; the error names
/// the first of the program's named values that is off. 0: bits stay. In runnable (call/runnable.hpp) stands what
/// else is an error.
///
///   stg::verify_programs(1e-6, p, thrifty(p), graph, {{"x", X}, {"label", Y}, {"W", params[W]}});
schedule_check verify_programs(double tolerance, const ir::program& plain, const ir::program& scheduled,
                               const call_graph& on, std::span<const program_input> inputs);
inline schedule_check verify_programs(double tolerance, const ir::program& plain, const ir::program& scheduled,
                                      const call_graph& on, std::initializer_list<program_input> inputs) {
  return verify_programs(tolerance, plain, scheduled, on,
                         std::span<const program_input>(inputs.begin(), inputs.size()));
}

}  // namespace stg
