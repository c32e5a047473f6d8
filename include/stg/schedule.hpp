// Opt-in: schedules, which say apart from a lambda how its program runs: what is kept or made again, stored in how many
// bytes, swept together or apart, replaced; and what verifies them.
#pragma once

#include <string>       // string, to_string
#include <type_traits>  // is_empty_v

#include <stg/call/with.hpp>         // with
#include <stg/pass/dce.hpp>          // dce
#include <stg/pipeline.hpp>          // with_steps
#include <stg/schedule/place.hpp>    // scheduled_program
#include <stg/schedule/refusal.hpp>  // schedule_refusal
#include <stg/schedule/verify.hpp>   // verify_schedule

namespace stg {

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
  /// What nothing reads goes first, so that no word is about it.
  constexpr detail::schedule_state said_of(const ir::program& p) const {
    detail::schedule_state all{pipeline::with_steps(p, pass::dce)};
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
    all += std::string(one.word.view());
    if (one.path.length > 0) all += ' ' + std::string(one.path.view());
    all += ": " + std::to_string(one.places) + (one.places == 1 ? " place\n" : " places\n");
  }
  return all;
}

}  // namespace stg
