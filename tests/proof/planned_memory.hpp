// One block of memory for what a call's plans store, in which values really share places, and a program's values in it.
//
// Memory is filled with NaN before a value lives and after it has lived.
#pragma once

#include <stg/base/error.hpp>                // error
#include <stg/codegen/oracle/evaluator.hpp>  // evaluator
#include <stg/pass/plan.hpp>                 // plan
#include <stg/runtime/memory.hpp>            // place, buffer

#include <algorithm>  // fill
#include <cstdint>    // int64_t
#include <limits>     // quiet_NaN
#include <string>     // string, to_string
#include <vector>     // vector

namespace stg::test {

/// One block for all values of a call. Every number takes eight bytes.
class planned_memory {
 public:
  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

  std::vector<buffer> buffers{};
  std::vector<double> numbers{};

  void lay_out() { numbers.assign(static_cast<std::size_t>(place(buffers) / 8), nothing); }
  /// Values that are first written in this unit, and those that are read in it for the last time.
  void begin(int unit) {
    for (const buffer& b : buffers)
      if (b.first == unit && !b.is_over) blank(b);
  }
  void end(int unit) {
    for (const buffer& b : buffers)
      if (b.last == unit && !b.is_under) blank(b);
  }

 private:
  void blank(const buffer& b) {
    const auto at = numbers.begin() + b.offset / 8;
    std::fill(at, at + b.bytes / 8, nothing);
  }
};

/// Where each value of a program lies: in the block, in another program's part of it, or where it is bound. Units count
/// from `first_unit` on.
class program_in_memory : public oracle::evaluator {
 public:
  program_in_memory(const ir::program& program, const pass::plan& plan, const graph& g, const oracle::environment& env,
                    planned_memory& memory, int first_unit)
      : evaluator(program, g, env),
        plan(plan),
        memory(memory),
        first_unit(first_unit),
        first_buffer(memory.buffers.size()),
        elsewhere(program.statements.size()),
        inputs(program.statements.size(), nullptr) {
    find_shapes();
    for (ir::value_id i = 0; i < p.size(); ++i) {
      buffer b;
      b.first = b.last = -1;
      if (plan.stored[size(i)]) {
        b.bytes = 8 * rows_of(p[i].where) * width(i);
        b.first = first_unit + plan.lifetimes[size(i)].first;
        b.last = first_unit + plan.lifetimes[size(i)].last;
        const ir::value_id under = plan.overwrites[size(i)];
        if (under >= 0 && plan.stored[size(under)]) b.over = static_cast<int>(first_buffer) + under;
      }
      memory.buffers.push_back(b);
    }
  }

  buffer& buffer_of(ir::value_id i) { return memory.buffers[first_buffer + size(i)]; }
  ir::value_id output_root(std::size_t k) const { return root_of(p, p.outputs[k].at); }
  /// Input i lies in the other program's memory.
  void read_from(ir::value_id i, const program_in_memory& other, ir::value_id at) {
    elsewhere[size(i)] = place_elsewhere{&other, at};
  }
  /// What an output holds now.
  oracle::array output(std::size_t k) const {
    const ir::value_id i = output_root(k);
    oracle::array numbers;
    for (std::int64_t row = 0; row < rows_of(p[i].where); ++row)
      for (std::int64_t f = 0; f < width(i); ++f) numbers.push_back(in_memory(i, row, f));
    return numbers;
  }

 protected:
  std::int64_t width(ir::value_id i) const { return count(shapes[size(i)]); }
  /// A number where it lies; an error where the plan does not store it.
  double in_memory(ir::value_id i, std::int64_t row, std::int64_t element) const {
    const place_elsewhere& other = elsewhere[size(i)];
    if (other.program != nullptr) return other.program->in_memory(other.at, row, element);
    if (p[i].code == ir::opcode::input) {
      if (inputs[size(i)] == nullptr) inputs[size(i)] = &bound(p[i]);
      return (*inputs[size(i)])[size(row * width(i) + element)];
    }
    if (!plan.stored[size(i)]) fail("is not in memory", i);
    return memory.numbers[place_in_memory(i, row, element)];
  }
  void store(ir::value_id i, std::int64_t row, const numbers& values) {
    for (std::size_t f = 0; f < values.size(); ++f)
      memory.numbers[place_in_memory(i, row, static_cast<std::int64_t>(f))] = values[f].value;
  }
  [[noreturn]] void fail(const std::string& what, ir::value_id i) const {
    throw error("stg internal: plan: value " + std::to_string(i) + " (" + std::string(name_of(p[i].code)) + ") " +
                what);
  }

  const pass::plan& plan;
  planned_memory& memory;
  int first_unit;

 private:
  struct place_elsewhere {
    const program_in_memory* program = nullptr;
    ir::value_id at = ir::no_value;
  };

  std::size_t place_in_memory(ir::value_id i, std::int64_t row, std::int64_t element) const {
    return size(memory.buffers[first_buffer + size(i)].offset / 8 + row * width(i) + element);
  }

  std::size_t first_buffer;
  std::vector<place_elsewhere> elsewhere;
  mutable std::vector<const oracle::array*> inputs;  // where they are bound, once they were looked up
};

}  // namespace stg::test
