// Opt-in: schedules, which say apart from a lambda how its program runs: what is kept or made again, stored in how many
// bytes, swept together or apart, replaced; and what verifies them.
#pragma once

#include <cstdint>      // uint64_t
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <type_traits>  // is_empty_v

#include <stg/base/error.hpp>        // error
#include <stg/call/with.hpp>         // with
#include <stg/examine/hash.hpp>      // hash_of
#include <stg/pass/dce.hpp>          // dce
#include <stg/pipeline.hpp>          // with_steps
#include <stg/schedule/check.hpp>    // verify_programs
#include <stg/schedule/place.hpp>    // scheduled_program
#include <stg/schedule/refusal.hpp>  // schedule_refusal
#include <stg/schedule/text.hpp>     // written_words, line_of
#include <stg/schedule/verify.hpp>   // verify_schedule

namespace stg {

namespace detail {
/// A program before the first word. What nothing reads is gone, so that no word is about it.
constexpr schedule_state begun_with(const ir::program& p) { return {pipeline::with_steps(p, pass::dce)}; }
}  // namespace detail

/// A schedule: a pass for `with`. Made by stg::scheduled.
template <class Words> struct scheduling {
  [[no_unique_address]] Words words{};

  /// The program with the words applied, or as it was, if one of them does not fit.
  constexpr ir::program operator()(const ir::program& p) const {
    const detail::schedule_state all = said_of(p);
    return all.fits() ? all.p : p;
  }
  /// What each word did, in their order; up to the first that does not fit.
  constexpr sequence<applied_primitive> primitives(const ir::program& p) const { return said_of(p).log; }
  /// The number of the program that words are said of.
  static constexpr std::uint64_t hash_of(const ir::program& p) { return examine::hash_of(detail::begun_with(p).p); }
  /// The first word that does not fit a program.
  constexpr detail::schedule_finding finding(const ir::program& p) const { return said_of(p).wrong; }
  /// For `with`: whether a word does not fit, and the sentence about it.
  template <class Program, const auto& Self> struct found_in {
    static constexpr detail::schedule_finding value = Self.finding(Program::value.thaw());
  };
  template <class Program, const auto& Self>
  static constexpr bool refuses = found_in<Program, Self>::value.what != schedule_mistake::none;
  template <class Program, const auto& Self>
  using refusal =
      typename detail::schedule_refusal<found_in<Program, Self>::value.what, found_in<Program, Self>::value.path,
                                        found_in<Program, Self>::value.beside,
                                        found_in<Program, Self>::value.line>::type;

 private:
  constexpr detail::schedule_state said_of(const ir::program& p) const {
    detail::schedule_state all = detail::begun_with(p);
    words(scheduled_program(all));
    return all;
  }
};

/// How a program runs, said apart from its lambda: `words` is a lambda without captures of the scheduled program. It is
/// a pass, which stands behind a lambda in `with`, and the result is verified as after every pass.
///
///   inline constexpr auto thrifty = stg::scheduled([](auto s) {
///     s["conv1"].keep(stg::keeping::inputs);
///     s["conv2"].find("relu").inlined();
///   });
///   auto step = stg::value_and_grad<stg::with<loss, thrifty>>();
template <class Words> constexpr scheduling<Words> scheduled(Words words) {
  static_assert(std::is_empty_v<Words>,
                "stg: scheduled takes a lambda without captures; what differs is said by a schedule of its own");
  return {words};
}

/// The words of a schedule as they were applied to the program of F, a line for each.
///
///   std::cout << stg::explain_schedule<loss, thrifty>();   // keep conv1: 1 place
template <const auto& F, const auto& Schedule> std::string explain_schedule() {
  std::string all;
  for (const applied_primitive& one : Schedule.primitives(canonical<ref<F>>::value.thaw())) {
    all += std::string(one.in_words().view());
    all += ": " + std::to_string(one.places) + (one.places == 1 ? " place\n" : " places\n");
  }
  return all;
}

/// A schedule of the program of F as text, a line for each word, which stg::scheduled_as reads back. The first line
/// says which program it was written for.
///
///   of 2c1f54a0b5d3e6f7
///   keep conv1 inputs
///   stored_as conv1 find mat.* bf16
template <const auto& F, const auto& Schedule> std::string schedule_text() {
  const ir::program p = canonical<ref<F>>::value.thaw();
  std::string all = "of " + std::string(detail::hexadecimal(Schedule.hash_of(p)).view()) + '\n';
  for (const applied_primitive& one : Schedule.primitives(p)) all += detail::line_of(one) + '\n';
  return all;
}
/// The schedule of a text, for all uses of stg::scheduled; the text has to live as long. An unknown word, a line that
/// does not fit and the number `of` another program are errors in compile.
///
///   inline constexpr auto kept = stg::scheduled_as("keep conv1 inputs\n");
constexpr scheduling<detail::written_words> scheduled_as(std::string_view letters) { return {{letters}}; }

/// A program by the schedule of a text, at run time. Throws where it does not fit.
inline ir::program scheduled_by_text(const ir::program& p, std::string_view letters) {
  detail::schedule_state all = detail::begun_with(p);
  detail::written_words{letters}(scheduled_program(all));
  if (!all.fits()) throw error(detail::sentence_of(all.wrong));
  return all.p;
}

/// Schedules that fit every layer and model.
namespace schedules {

/// Values are computed again in the gradient rather than saved: the least memory, for more time. Bits stay.
///
///   auto step = stg::value_and_grad<stg::with<loss, stg::schedules::small>>();
inline constexpr auto small = scheduled([](auto s) { s.keep(keeping::inputs); });

/// Rows that lie in memory are bf16: about half the memory and traffic, and eight bits of each number. Sums, weights
/// and what has a few numbers a row stay f32.
inline constexpr auto half = scheduled([](auto s) { s.stored_as(bf16); });

}  // namespace schedules

}  // namespace stg
