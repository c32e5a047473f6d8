// inline_calls: programs in the places of their calls, with their scopes, their names and what they call themselves.
#include "symbols.hpp"

#include <stg/pass/inline.hpp>
#include <stg/pipeline.hpp>  // canonical

#include <cstdint>           // uint64_t
#include <initializer_list>  // initializer_list

namespace stg {

constexpr ir::program written(auto lambda) { return pass::order(pipeline::canonical(trace(lambda))); }
constexpr ir::program written_out(auto lambda) { return pass::order(pass::inline_calls(written(lambda))); }

// Scans keep their steps, whose numbers are others where calls are gone, and so do the steps that call.
constexpr auto step = [](auto, auto h) { return tanh(h); };
constexpr auto other_step = [](auto, auto h) { return h * 0.5; };
constexpr auto repeats = [](auto v, auto h) { return scan<3>(v, step, h); };
constexpr auto steps_that_call = [](auto v) {
  return scan<4>(
      v, [](auto v, auto h) { return call(other_step, v, h); }, call(step, v, v(x)));
};
constexpr auto steps_alone = [](auto v) { return scan<4>(v, other_step, tanh(v(x))); };
static_assert(written(steps_that_call).callees.size() == 2 && written_out(steps_that_call).callees.size() == 1);
static_assert(pass::inline_calls(written(steps_that_call)).callees.size() == 1);
static_assert(written_out(steps_that_call) == written(steps_alone));
constexpr auto calls_what_repeats = [](auto v) { return call(repeats, v, scan<2>(v, other_step, v(x))); };
constexpr auto repeats_alone = [](auto v) { return repeats(v, scan<2>(v, other_step, v(x))); };
static_assert(written_out(calls_what_repeats) == written(repeats_alone));

// Tags go along.
constexpr auto tagged_step = [](auto, auto h) { return tag<"kept">(tanh(h)); };
constexpr auto calls_what_is_tagged = [](auto v) { return call(tagged_step, v, v(x)) * 2.0; };
static_assert(pass::inline_calls(pipeline::canonical(trace(calls_what_is_tagged))).tags.size() == 1);

constexpr text named_by(char letter, int number) {
  text name;
  name.append(letter);
  name.append_number(static_cast<std::uint64_t>(number));
  return name;
}
/// tanh(x), written in these of the scopes s0 to s3.
constexpr ir::program in_scopes(std::initializer_list<int> scopes) {
  ir::program p = pass::order(trace([](auto v) { return tanh(v(x)); }));
  for (int k = 0; k < 4; ++k) p.scopes.push_back(named_by('s', k));
  int set = 0;
  for (const int k : scopes) set = p.set_with(set, k);
  for (ir::statement& s : p.statements) s.scopes = set;
  p.names.push_back(ir::label{text("result"), p.outputs[0].at});
  return p;
}
/// A program with `others` scopes and s2 behind them.
constexpr ir::program caller_with(int others) {
  ir::program p = pass::order(trace([](auto v) { return v(x); }));
  for (int k = 0; k < others; ++k) p.scopes.push_back(named_by('t', k));
  p.scopes.push_back(named_by('s', 2));
  return p;
}
constexpr bool is_in(const ir::program& p, ir::value_id i, std::initializer_list<int> scopes) {
  int set = 0;
  ir::program q = p;
  for (const int k : scopes) set = q.set_with(set, k);
  return p[i].scopes == set;
}

// A scope of the called program is the caller's of that name, or one more.
constexpr bool has_scopes(int others) {
  ir::program caller = caller_with(others), given = caller;
  const auto around = static_cast<std::uint64_t>(given.set_with(0, 1));
  const ir::value_id y = pass::emit_inlined(caller, in_scopes({0, 2, 3}), {0})[0];
  const ir::value_id z = pass::emit_inlined(given, in_scopes({0, 2, 3}), {0}, around)[0];
  return caller.scopes.size() == others + 3 && is_in(caller, y, {others, others + 1, others + 2}) &&
         is_in(given, z, {1, others, others + 1, others + 2}) && caller.names.size() == 1 &&
         caller.names[0] == ir::label{text("result"), y};
}
static_assert(has_scopes(2) && has_scopes(100));
constexpr bool is_in_order() {
  ir::program caller = caller_with(1);
  pass::emit_inlined(caller, in_scopes({0, 3}), {0});
  return caller.scopes.size() == 4 && caller.scopes[2] == named_by('s', 0) && caller.scopes[3] == named_by('s', 3);
}
static_assert(is_in_order());

}  // namespace stg
