// A unit by itself as words: what its form is made of.
//
// A few hundred small numbers say all of it. They are packed, 4 bits for a small one, since they stand in the name of
// every function of a kernel. One function says them and reads them again, so that the two agree.
#pragma once

#include <cstdint>      // int64_t, uint32_t, uint64_t
#include <string_view>  // string_view
#include <utility>      // move

#include <stg/base/sequence.hpp>               // sequence
#include <stg/codegen/cpu/library_kernel.hpp>  // key_of
#include <stg/codegen/cpu/lone_unit.hpp>       // lone_unit
#include <stg/ir/statement.hpp>                // statement
#include <stg/pass/plan.hpp>                   // plan_sizes, planned_loop

namespace stg::cpu::detail {

/// Packs numbers: three bits at a time, and one that says whether more follow.
class word_writer {
 public:
  static constexpr bool reads = false;
  constexpr void put(std::uint64_t x) {
    for (; x >= 8; x >>= 3) put_bits((x & 7) | 8);
    put_bits(x);
  }
  /// A number from `least` on.
  template <class T> constexpr void number(const T& x, int least = 0) {
    put(static_cast<std::uint64_t>(static_cast<std::int64_t>(x) - least));
  }

  sequence<std::uint64_t> words{};

 private:
  constexpr void put_bits(std::uint64_t x) {
    if (at == 0) words.push_back(0);
    words.back() |= x << at;
    at = (at + 4) % 64;
  }
  int at = 0;
};

class word_reader {
 public:
  static constexpr bool reads = true;
  constexpr explicit word_reader(const std::uint64_t* from) : words(from) {}
  constexpr std::uint64_t get() {
    std::uint64_t x = 0;
    for (int shift = 0;; shift += 3) {
      const std::uint64_t bits = words[at / 16] >> at % 16 * 4 & 15;
      ++at;
      x |= (bits & 7) << shift;
      if (bits < 8) return x;
    }
  }
  template <class T> constexpr void number(T& x, int least = 0) {
    x = static_cast<T>(static_cast<std::int64_t>(get()) + least);
  }

 private:
  const std::uint64_t* words;
  int at = 0;
};

/// The number of an operation in forms: of its word alone, wherever that stands in the list. 12 bits of FNV-1a (Fowler,
/// Noll and Vo), from a first number for which no two of the list meet.
constexpr int form_number(std::string_view word) {
  std::uint32_t h = 2166136263u;
  for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>((h ^ h >> 12 ^ h >> 24) & 0xfff);
}
struct form_number_list {
  int of[ir::opcode_count]{};
  constexpr form_number_list() {
    for (int k = 0; k < ir::opcode_count; ++k) of[k] = form_number(ir::name_of(static_cast<ir::opcode>(k)));
  }
  /// Which src/codegen/agreement.cpp asserts: once for all programs of the library.
  constexpr bool are_apart() const {
    for (int k = 0; k < ir::opcode_count; ++k)
      for (int other = 0; other < k; ++other)
        if (of[k] == of[other]) return false;
    return true;
  }
};
inline constexpr form_number_list form_numbers{};

template <class Words> constexpr void say_operation(Words& words, ir::opcode& code) {
  int number = Words::reads ? 0 : form_numbers.of[static_cast<int>(code)];
  words.number(number);
  if constexpr (Words::reads) {
    int at = 0;
    while (form_numbers.of[at] != number) ++at;
    code = static_cast<ir::opcode>(at);
  }
}

/// Numbers of any sign and size: extents, of which those below 0 are a call's, attributes, and numbers in a program.
template <class Words> constexpr void say_signed(Words& words, std::int64_t& x) {
  std::uint64_t folded = static_cast<std::uint64_t>(x) << 1 ^ static_cast<std::uint64_t>(x >> 63);
  words.number(folded);
  if constexpr (Words::reads) x = static_cast<std::int64_t>(folded >> 1) ^ -static_cast<std::int64_t>(folded & 1);
}
template <class Words> constexpr void say_real(Words& words, double& x) {
  std::uint64_t turned = __builtin_bswap64(__builtin_bit_cast(std::uint64_t, x));  // what is round ends in zeros
  words.number(turned);
  if constexpr (Words::reads) x = __builtin_bit_cast(double, __builtin_bswap64(turned));
}
template <class Words> constexpr void say_sizes(Words& words, pass::plan_sizes& n) {
  for (int* size : {&n.statements, &n.steps, &n.loops, &n.loop_statements, &n.loop_results, &n.modes})
    words.number(*size);
}

template <class Words, class Plan> constexpr void say_statement(Words& words, ir::statement& s, Plan& plan, int i) {
  say_operation(words, s.code);
  words.number(s.where.kind);
  words.number(s.type);
  int kept = plan.stored[i] + 2 * plan.in_block[i] + 4 * plan.joined[i];
  words.number(kept);
  int has = (s.attribute_ != 0) + 2 * (s.axis_ != 0) + 4 * (s.bits() != 0);
  words.number(has);
  words.number(s.dims.rank);
  for (int a = 0; a < s.dims.rank; ++a) say_signed(words, s.dims.axes[a].code);
  int operands = s.arity();
  words.number(operands);
  for (int k = 0; k < operands; ++k) words.number(s.operands[k]);
  if (has & 1) say_signed(words, s.attribute_);
  if (has & 2) words.number(s.axis_);
  if (has & 4) say_real(words, s.number_);
  if constexpr (Words::reads) {
    plan.stored[i] = kept & 1;
    plan.in_block[i] = kept >> 1 & 1;
    plan.joined[i] = kept >> 2;
  }
}

/// A loop's lists follow those of the loop before.
template <class Words, class Plan> constexpr void say_loop(Words& words, Plan& plan, int k) {
  pass::planned_loop& l = plan.loops[k];
  int edges = static_cast<int>(l.side) + 4 * l.relation;
  words.number(edges);
  words.number(l.last_statement);
  words.number(l.last_mode);
  words.number(l.last_result);
  if constexpr (Words::reads) {
    l.side = static_cast<pass::sweep_side>(edges % 4);
    l.relation = edges / 4;
    if (k == 0) return;
    l.first_statement = plan.loops[k - 1].last_statement;
    l.first_mode = plan.loops[k - 1].last_mode;
    l.first_result = plan.loops[k - 1].last_result;
  }
}
template <class Words> constexpr void say_flag(Words& words, bool& x) { words.number(x); }
template <class Words, class Plan> constexpr void say_lists(Words& words, const pass::plan_sizes& n, Plan& plan) {
  for (int k = 0; k < n.steps; ++k) {
    say_flag(words, plan.steps[k].is_loop);
    words.number(plan.steps[k].index);
  }
  for (int k = 0; k < n.loops; ++k) say_loop(words, plan, k);
  for (int k = 0; k < n.loop_statements; ++k) {
    pass::planned_value& v = plan.loop_statements[k];
    words.number(v.at);
    words.number(v.level);
    say_flag(words, v.kept);
    say_flag(words, v.in_one_chunk);
    words.number(v.softmax, -1);
  }
  for (int k = 0; k < n.loop_results; ++k) {
    pass::planned_result& r = plan.loop_results[k];
    words.number(r.at);
    words.number(r.level, -1);
    words.number(r.summed_in, -1);
    words.number(r.over, -1);
  }
  for (int k = 0; k < n.modes; ++k) {
    words.number(plan.modes[k].at);
    words.number(plan.modes[k].mode);
  }
}

/// Says all of a unit that its kernel reads, or reads it: statements and plan have room for n.
template <class Words, class Statements, class Plan>
constexpr void say_unit(Words& words, const pass::plan_sizes& n, bool& counts_in_f64, Statements& statements,
                        Plan& plan) {
  say_flag(words, counts_in_f64);
  words.number(plan.units[0].kind);
  words.number(plan.units[0].side);
  for (int i = 0; i < n.statements; ++i) say_statement(words, statements[i], plan, i);
  say_lists(words, n, plan);
}

constexpr sequence<std::uint64_t> words_of(lone_unit& unit) {
  word_writer words;
  pass::plan_sizes n = unit.plan.sizes();
  say_sizes(words, n);
  say_unit(words, n, unit.counts_in_f64, unit.statements, unit.plan);
  return std::move(words.words);
}

}  // namespace stg::cpu::detail

namespace stg::cpu {

/// The number by which the library would have a unit's kernel.
constexpr std::uint64_t key_of(lone_unit unit) {
  const sequence<std::uint64_t> words = detail::words_of(unit);
  return key_of(words.data(), words.size());
}

}  // namespace stg::cpu
