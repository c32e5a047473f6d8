// Equations on the page of a program: its own, then those of the steps of its scans and of the programs that it calls.
#include <algorithm>    // min
#include <string_view>  // string_view

#include <stg/base/utf8.hpp>           // within_bytes
#include <stg/examine/index_text.hpp>  // index_form_to_scans, to_text
#include <stg/ir/callees.hpp>          // arguments_of
#include <stg/ir/print.hpp>            // spelled

#include "page_parts.hpp"  // equations_text

namespace stg::detail {

namespace {

text short_name(const std::string& name) { return text(utf8::within_bytes(name, text::capacity)); }

bool has_name(const ir::program& p, ir::value_id at) {
  for (const ir::label& l : p.names)
    if (l.at == at) return true;
  return false;
}

/// `step1.state0` is what carried value 0 of the second step is in the end, `step1.given0` what it gives each time.
std::string name_of_result(const std::string& step, int output, int carried) {
  return output < carried ? step + ".state" + std::to_string(output)
                          : step + ".given" + std::to_string(output - carried);
}

/// What scans give, by name: of a step by its number behind `prefix`.
ir::program with_named_results(ir::program p, const std::string& prefix) {
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const ir::statement& s = p[i];
    if (s.code != ir::opcode::result || !ir::is_scan(p.operand(s, 0).code) || has_name(p, i)) continue;
    const ir::statement& scan = p.operand(s, 0);
    const std::string step = prefix + "step" + std::to_string(scan.callee());
    p.names.push_back({short_name(name_of_result(step, s.output(), scan.carried())), i});
  }
  return p;
}

/// Each once: an output may be read on the way to another.
std::string equations_of(const ir::program& p) {
  std::string r;
  const auto add = [&](std::string_view lines) {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      if (("\n" + r).find("\n" + std::string(line) + "\n") == std::string::npos) r += std::string(line) + "\n";
    }
  };
  for (const ir::output& o : p.outputs) {
    try {
      add(examine::to_text(p, examine::index_form_to_scans(p, o.at)).view());
    } catch (const examine::operation_has_no_index_form& e) {
      r += ir::detail::spelled(o.at) + ": " + (e.what() + sizeof "stg:") + "\n";
    }
  }
  return r;
}

/// How often a step runs, and what its states begin with.
std::string title_of_step(const ir::program& p, ir::value_id at, const std::string& name) {
  const ir::statement& scan = p[at];
  if (ir::is_call(scan)) return name + ", called by " + ir::detail::spelled(at);
  std::string r = name + ", for each of " + ir::detail::spelled(p, scan.over) + " steps of " + ir::detail::spelled(at);
  const sequence<ir::value_id> reads = ir::arguments_of(p, scan);
  for (int k = 0; k < scan.carried(); ++k)
    r += (k == 0 ? "; begins with state" : ", state") + std::to_string(k) + " = " + ir::detail::spelled(reads[k]);
  return r;
}

std::string equations_with_steps(const ir::program& p, const std::string& prefix) {
  std::string r = equations_of(with_named_results(p, prefix));
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const ir::statement& s = p[i];
    if (!ir::is_scan(s.code)) continue;
    const std::string name = prefix + "step" + std::to_string(s.callee());
    ir::program step = p.callees[s.callee()];
    const int carried = s.carried();
    for (const ir::statement& in : step.statements)
      if (in.code == ir::opcode::input && in.entry() < carried)
        step.inputs[in.entry()].name = short_name("state" + std::to_string(in.entry()));
    for (int k = 0; k < step.outputs.size(); ++k)
      step.outputs[k].name =
          short_name(k < carried ? "next state" + std::to_string(k) : "given" + std::to_string(k - carried));
    r += "\n" + title_of_step(p, i, name) + "\n" + equations_with_steps(step, name + ".");
  }
  return r;
}

}  // namespace

std::string equations_text(const ir::program& p) { return equations_with_steps(p, ""); }

}  // namespace stg::detail
