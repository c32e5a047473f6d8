// A program out of its text: lines are handed to the programs that they belong to, each program is read line by line,
// and what comes out is verified.
#include <stg/ir/text.hpp>

#include "text_program.hpp"  // program_reader

#include <stg/analysis/verify.hpp>  // verify
#include <stg/base/error.hpp>       // error

#include <cstdint>      // int64_t
#include <limits>       // numeric_limits
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg::ir {

namespace {

using detail::kind_names;
using detail::program_reader;
using detail::text_line;

/// The lines of one program: of the whole, or of a step.
struct section {
  int caller = -1;  // the section of the program that calls this one
  int calls = 0;
  int depth = 0;
  std::vector<text_line> lines{};
};

/// Hands out lines to the programs that they belong to.
class text_reader {
 public:
  explicit text_reader(std::string_view text) : sections(1) {
    if (text.size() > std::size_t(std::numeric_limits<int>::max()))
      throw error("a program's text is at most 2 GiB long");
    int number = 0, here = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view of = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (of.ends_with('\r')) of.remove_suffix(1);
      text_line line(of, ++number);
      if (line.is_at_end()) continue;
      if (number == 1 && line.takes("stg")) read_version(line);
      else if (line.next_word() == "step") here = step(line);
      else sections[static_cast<std::size_t>(here)].lines.push_back(line);
    }
  }

  program read() {
    kind_names kinds = kinds_of(sections[0].lines);
    if (static_cast<std::int64_t>(kinds.all.size()) * static_cast<std::int64_t>(sections.size()) >
        detail::most_copied_kinds)
      throw error("the text of a program has too many vertex sets, relations and steps");
    int extents_left = detail::most_extents_in_all;
    std::vector<program> programs;
    for (section& one : sections) {
      program_reader reader(kinds, one.caller >= 0, extents_left);
      programs.push_back(reader.read(one.lines));
      one.lines = reader.statement_lines();
    }
    for (std::size_t k = sections.size(); k-- > 1;) {  // from the last: what a program calls is whole before it moves
      program& made = programs[k];
      reverse(made.callees);
      programs[static_cast<std::size_t>(sections[k].caller)].callees.push_back(std::move(made));
    }
    reverse(programs[0].callees);
    refuse_what_breaks_a_rule(programs[0]);
    return std::move(programs[0]);
  }

 private:
  static void reverse(sequence<program>& all) {
    for (int k = 0; 2 * k + 1 < all.size(); ++k) {
      program first = std::move(all[k]);
      all[k] = std::move(all[all.size() - 1 - k]);
      all[all.size() - 1 - k] = std::move(first);
    }
  }

  static void read_version(text_line& line) {
    line.expect("program");
    text_line before = line;
    const int version = line.count();
    if (version != text_version)
      before.refuse("this library reads texts of version " + std::to_string(text_version) +
                    ", and this is one of version " + std::to_string(version));
    line.end();
  }

  /// `step 0.1:` begins what step 0 calls as its second.
  int step(text_line& line) {
    line.expect("step");
    text_line before = line;
    int caller = 0;
    while (true) {
      const int number = line.count();
      section& of = sections[static_cast<std::size_t>(caller)];
      if (line.takes_at_once('.')) {
        if (number + 1 != of.calls) before.refuse("the steps that a step calls stand behind it");
        caller = last_call[static_cast<std::size_t>(caller)];
        continue;
      }
      if (number != of.calls) before.refuse("step " + std::to_string(of.calls) + " is the next one here");
      line.expect(':');
      line.end();
      if (of.depth == detail::most_depth)
        before.refuse("steps call each other more than " + std::to_string(detail::most_depth) + " deep");
      if (sections.size() == detail::most_programs)
        before.refuse("a program calls at most " + std::to_string(detail::most_programs) + " others");
      ++of.calls;
      const int here = static_cast<int>(sections.size());
      last_call[static_cast<std::size_t>(caller)] = here;
      last_call.push_back(0);
      section made;
      made.caller = caller;
      made.depth = of.depth + 1;
      sections.push_back(std::move(made));
      return here;
    }
  }

  /// Names first: a relation may stand before the sets that it joins.
  static kind_names kinds_of(const std::vector<text_line>& lines) {
    kind_names kinds;
    std::vector<text_line> relations;
    for (text_line line : lines) {
      const text_line before = line;
      const bool is_set = line.takes("set");
      if (!is_set && !line.takes("relation")) continue;
      if (kinds.all.size() == detail::most_kinds)
        before.refuse("a program has at most " + std::to_string(detail::most_kinds) + " vertex sets and relations");
      kind k;
      k.name = line.name();
      kinds.all.push_back(k);
      kinds.numbers.emplace(k.name.view(), kinds.all.size());
      if (is_set) line.end();
      else relations.push_back(before);
    }
    for (text_line& line : relations) {
      line.expect("relation");
      kind& k = kinds.all[kinds.number_of(line) - 1];
      k.source = kinds.number_of(line);
      line.expect('-');
      if (!line.takes_at_once('>')) line.refuse_word("->");
      k.destination = kinds.number_of(line);
      line.end();
    }
    return kinds;
  }

  void refuse_what_breaks_a_rule(const program& p) const {
    if (pass::verify(p).what == op::rule::none) return;
    refuse_the_first(p, 0);
  }
  /// The error of a program that breaks a rule: its callees come first, since their mistakes make their callers wrong.
  [[noreturn]] void refuse_the_first(const program& p, std::size_t at) const {
    std::size_t called = at;
    for (const program& c : p.callees) {
      do ++called;
      while (sections[called].caller != static_cast<int>(at));
      if (pass::verify(c).what != op::rule::none) refuse_the_first(c, called);
    }
    const pass::finding found = pass::verify(p);
    const std::string rule = sentence_of(found.what);
    if (found.at >= 0 && found.at < p.size()) sections[at].lines[static_cast<std::size_t>(found.at)].refuse(rule);
    throw error("the text of a program breaks a rule: " + rule);
  }
  static std::string sentence_of(op::rule what);

  std::vector<section> sections;
  std::vector<int> last_call = {0};  // of each section, the last one that it calls
};

/// What is wrong where a rule is broken.
std::string text_reader::sentence_of(op::rule what) {
  switch (what) {
    case op::rule::none:
      break;
    case op::rule::operand_is_defined_before_use:
      return "an operand is read before it is made";
    case op::rule::operand_count_is_right:
      return "the operation takes other operands, or another number of them";
    case op::rule::spaces_agree:
      return "the value lives elsewhere than its operands, or where the operation has none";
    case op::rule::shapes_broadcast:
      return "the shapes of the operands do not go together";
    case op::rule::scalar_types_agree:
      return "the types of the value and of its operands do not go together";
    case op::rule::shape_follows_from_operands:
      return "the value has another shape than its operands give it";
    case op::rule::one_name_has_one_shape:
      return "two inputs of one name are declared differently";
    case op::rule::one_label_names_one_value:
      return "two values have one name";
    case op::rule::sparse_input_is_multiplied:
      return "a sparse input is read by products alone, as their first operand";
    case op::rule::output_is_a_value:
      return "an output, a name, a tag or a check is of no value that can be one";
    case op::rule::part_lies_within_axis:
      return "a part of an axis lies outside of it";
    case op::rule::steps_stay_in_scans:
      return "values for each step go into scans and out of them, and nowhere else";
    case op::rule::gradient_repeats_its_scan:
      return "the gradient of a scan repeats another step than the scan's";
    case op::rule::number_is_of_its_type:
      return "a number is none of its type";
    case op::rule::one_name_has_one_kind:
      return "two vertex sets or relations have one name, or a step knows others than its caller";
    case op::rule::tag_is_on_an_axis:
      return "a tag is on an axis that the value does not have";
    case op::rule::plain_values_stand_alone:
      return "a value of vertices or edges says no vertex set or relation, and the program has some";
    case op::rule::member_is_in_range:
      return "a field is outside of its range";
    case op::rule::messages_keep_their_order:
      return "a message stands in the program itself, and its last operand is the message before it";
  }
  return "nothing is wrong";
}

}  // namespace

program from_text(std::string_view from) { return text_reader(from).read(); }

}  // namespace stg::ir
