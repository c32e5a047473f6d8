// The form of a unit: the type that its kernel is instantiated with, in place of the program. It consists of numbers
// alone, so that equal units share one kernel, within a file and among linked files with the same flags.
#pragma once

#include <cstdint>  // int64_t, uint64_t
#include <utility>  // integer_sequence

#include <stg/base/room.hpp>                   // room_for
#include <stg/base/sequence.hpp>               // sequence
#include <stg/codegen/cpu/form_words.hpp>      // words_of, word_reader
#include <stg/codegen/cpu/library_kernel.hpp>  // key_of
#include <stg/codegen/cpu/lone_unit.hpp>       // lone_unit, cut_out
#include <stg/codegen/cpu/target.hpp>          // kernel_flags
#include <stg/codegen/plan_data.hpp>           // data_of
#include <stg/ir/frozen.hpp>                   // frozen_program
#include <stg/pass/plan.hpp>                   // frozen_plan

namespace stg::cpu {

namespace detail {

/// What a form says.
template <std::uint64_t... Word> struct read_form {
  static constexpr std::uint64_t words[] = {Word...};
  static constexpr pass::plan_sizes sizes = [] {
    word_reader from(words);
    pass::plan_sizes n;
    say_sizes(from, n);
    return n;
  }();
  using program = ir::frozen_program<ir::program_sizes{.statements = sizes.statements}>;
  using plan = pass::frozen_plan<sizes.statements, 1, sizes.steps, sizes.loops, sizes.loop_statements,
                                 sizes.loop_results, sizes.modes>;
  struct made_of_words {
    program statements{};
    plan how{};
    bool counts_in_f64 = false;

    constexpr made_of_words() {
      word_reader from(words);
      pass::plan_sizes n;
      say_sizes(from, n);
      say_unit(from, n, counts_in_f64, statements.statements, how);
      how.units[0].last_step = n.steps;
      for (int k = 0; k < n.steps; ++k)
        if (!how.steps[k].is_loop) how.lifetimes[how.steps[k].index] = {0, 0};
      for (int k = 0; k < n.loop_results; ++k) how.lifetimes[how.loop_results[k].at] = {0, 0};
    }
  };
  static constexpr made_of_words made{};
};

}  // namespace detail

/// A program of one unit with its plan, as a kernel is instantiated with. Flags: target.hpp.
template <int Flags, std::uint64_t... Word> struct form {
  static constexpr auto program = detail::read_form<Word...>::made.statements;
  static constexpr auto plan = detail::read_form<Word...>::made.how;
  static constexpr bool counts_in_f64 = detail::read_form<Word...>::made.counts_in_f64;
};

namespace detail {

struct cut_sizes {
  int words = 0, values = 0, extents = 0, sites = 0;
};
template <int Words, int Values, int Extents, int Sites> struct frozen_cut {
  cut_sizes sizes;
  bool fits = true;
  std::uint64_t words[room_for(Words)]{};
  ir::value_id values[room_for(Values)]{};
  int extents[room_for(Extents)]{};
  std::int64_t sites[room_for(Sites)]{};

  constexpr explicit frozen_cut(lone_unit unit) {
    const sequence<std::uint64_t> all = words_of(unit);
    sizes = {all.size(), unit.values.size(), unit.extents.size(), unit.sites.size()};
    fits = sizes.words <= Words && sizes.values <= Values && sizes.extents <= Extents && sizes.sites <= Sites;
    if (!fits) return;
    for (int k = 0; k < sizes.words; ++k) words[k] = all[k];
    for (int k = 0; k < sizes.values; ++k) values[k] = unit.values[k];
    for (int k = 0; k < sizes.extents; ++k) extents[k] = unit.extents[k];
    for (int k = 0; k < sizes.sites; ++k) sites[k] = unit.sites[k];
  }
};

template <class P> inline constexpr bool counts_in_f64_of = has_f64(codegen::data_of<P>);

/// Unit of plan P, cut out: at once with room for most, else once more with as much as it needs.
template <class P, int Unit> struct cut {
  static constexpr int values = [] {  // made by the unit, about
    int n = P::plan.units[Unit].last_step - P::plan.units[Unit].first_step;
    for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k)
      if (P::plan.steps[k].is_loop) {
        const pass::planned_loop& l = P::plan.loops[P::plan.steps[k].index];
        n += l.last_mode - l.first_mode + l.last_result - l.first_result;
      }
    return n;
  }();
  using roomy = frozen_cut<3 * values + 16, 3 * values + 16, 8, 4>;
  static constexpr roomy made =
      roomy(cut_out(codegen::data_of<P>, Unit, counts_in_f64_of<P>));  // stg: raise -fconstexpr-steps=
  static constexpr auto value = [] {
    if constexpr (made.fits) return made;
    else
      return frozen_cut<made.sizes.words, made.sizes.values, made.sizes.extents, made.sizes.sites>(
          cut_out(codegen::data_of<P>, Unit, counts_in_f64_of<P>));
  }();

  template <int... K> static form<kernel_flags, value.words[K]...> form_of(std::integer_sequence<int, K...>);
  using type = decltype(form_of(std::make_integer_sequence<int, value.sizes.words>()));
};

}  // namespace detail

/// The number by which the library would have a unit's kernel.
template <class P, int Unit>
inline constexpr std::uint64_t key_of_unit = key_of(detail::cut<P, Unit>::value.words,
                                                    detail::cut<P, Unit>::value.sizes.words);

/// The form of a unit of plan P that has a kernel.
template <class P, int Unit> using form_of_unit = typename detail::cut<P, Unit>::type;

}  // namespace stg::cpu
