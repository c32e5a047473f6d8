// Compares what two programs give: outputs, gradients, and the first named value to differ.
#include <algorithm>  // max
#include <cmath>      // abs, isnan
#include <cstdint>    // int64_t
#include <cstring>    // memcmp
#include <limits>     // numeric_limits
#include <sstream>    // ostringstream
#include <string>     // string, to_string
#include <utility>    // move
#include <variant>    // visit

#include <stg/base/error.hpp>      // error
#include <stg/call/runnable.hpp>   // runnable, runnable_step
#include <stg/call/with.hpp>       // have_same_inputs, have_same_outputs
#include <stg/schedule/check.hpp>  // schedule_check

namespace stg {

namespace {

void add(detail::numbers_by_name& to, std::string name, const any_tensor& values) {
  std::vector<double> all;
  std::visit(
      [&](const auto& t) {
        const auto here = t.to(host);
        for (std::int64_t k = 0; k < here.size(); ++k) all.push_back(static_cast<double>(here.data()[k]));
      },
      values);
  to.emplace_back(std::move(name), std::move(all));
}
std::string name_of_output(const ir::program& p, int k) {
  return p.outputs[k].name.length > 0 ? "output " + std::string(p.outputs[k].name.view())
         : p.outputs.size() > 1       ? "output " + std::to_string(k)
                                      : "output";
}
/// Whether a program is a loss with something to train.
bool is_loss(const ir::program& p) {
  if (p.outputs.empty()) return false;
  const ir::statement& first = p[p.outputs[0].at];
  bool trains = false;
  for (const ir::statement& s : p.statements)
    trains = trains || (s.code == ir::opcode::input && p.inputs[s.entry()].trainable);
  return trains && first.where == ir::space::graph && first.dims.rank == 0 && is_differentiable(first.type);
}

detail::numbers_by_name numbers_of(const ir::program& p, const call_graph& on, std::span<const program_input> inputs) {
  detail::numbers_by_name all;
  if (!is_loss(p)) {
    const std::vector<any_tensor> outputs = runnable(p)(on, inputs);
    for (std::size_t k = 0; k < outputs.size(); ++k) add(all, name_of_output(p, static_cast<int>(k)), outputs[k]);
    return all;
  }
  runnable_step step(p);
  const runnable_step::result now = step(on, inputs);
  all.emplace_back("loss", std::vector<double>{now.loss});
  for (std::size_t k = 1; k < now.outputs.size(); ++k) add(all, name_of_output(p, static_cast<int>(k)), now.outputs[k]);
  for (const auto& [name, gradient] : now.gradients) add(all, "gradient of " + name, gradient);
  return all;
}

ir::value_id value_named(const ir::program& p, const text& name) {
  for (const ir::label& l : p.names)
    if (l.name == name) return l.at;
  return ir::no_value;
}
/// The program whose outputs are these of its values alone.
ir::program showing(ir::program p, const sequence<ir::value_id>& values) {
  p.outputs = {};
  for (const ir::value_id at : values) p.outputs.push_back({at, text()});
  return p;
}
bool are_alike(const ir::program& p, ir::value_id a, const ir::program& q, ir::value_id b) {
  return detail::have_same_outputs(showing(p, {a}), showing(q, {b}));
}

}  // namespace

namespace detail {

schedule_check compared(const numbers_by_name& plain, const numbers_by_name& scheduled) {
  schedule_check found;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    double largest = 0;
    for (const double x : plain[k].second) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < plain[k].second.size(); ++i) {
      const double a = plain[k].second[i], b = scheduled[k].second[i];
      found.same_bits = found.same_bits && std::memcmp(&a, &b, sizeof a) == 0;
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double off = std::abs(a - b) / (largest > 0 ? largest : 1);
      if (off <= found.worst) continue;  // NaN is worse than all
      found.worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
      found.where = plain[k].first;
      found.plain = a;
      found.scheduled = b;
    }
  }
  return found;
}

schedule_check first_off(double tolerance, const ir::program& plain, const ir::program& scheduled, const call_graph& on,
                         std::span<const program_input> inputs) {
  sequence<ir::value_id> of_plain, of_scheduled;
  std::vector<std::string> names;
  for (const ir::label& l : ir::sorted_by_value(plain.names, &ir::label::at, plain.size())) {
    const ir::value_id other = value_named(scheduled, l.name);
    if (other == ir::no_value || !are_alike(plain, l.at, scheduled, other)) continue;
    of_plain.push_back(l.at);
    of_scheduled.push_back(other);
    names.emplace_back(l.name.view());
  }
  if (names.empty()) return {};
  const std::vector<any_tensor> a = runnable(showing(plain, of_plain))(on, inputs),
                                b = runnable(showing(scheduled, of_scheduled))(on, inputs);
  for (std::size_t k = 0; k < names.size(); ++k) {
    numbers_by_name left, right;
    add(left, names[k], a[k]);
    add(right, names[k], b[k]);
    if (schedule_check found = compared(left, right); found.worst > tolerance) return found;
  }
  return {};
}

void is_off(const schedule_check& found, double tolerance, const schedule_check& first) {
  std::ostringstream why;
  why << "verify_schedule: " << found.where << " is " << found.scheduled << " as scheduled and " << found.plain
      << " plainly, off by " << found.worst << " of its largest number; tolerated are " << tolerance;
  if (!first.where.empty())
    why << "; the first named value that is off is " << first.where << ", with " << first.scheduled << " and "
        << first.plain;
  throw error(why.str());
}

}  // namespace detail

schedule_check verify_programs(double tolerance, const ir::program& plain, const ir::program& scheduled,
                               const call_graph& on, std::span<const program_input> inputs) {
  if (!detail::have_same_inputs(plain, scheduled))
    throw error("verify_schedule: the scheduled program has other inputs than the plain one, or in another order");
  if (!detail::have_same_outputs(plain, scheduled))
    throw error(
        "verify_schedule: the scheduled program has other outputs than the plain one, in number, space, type "
        "or shape");
  const detail::numbers_by_name expected = numbers_of(plain, on, inputs), given = numbers_of(scheduled, on, inputs);
  for (std::size_t k = 0; k < std::max(expected.size(), given.size()); ++k) {
    const std::string of_plain = k < expected.size() ? expected[k].first : "",
                      of_scheduled = k < given.size() ? given[k].first : "";
    if (of_plain == of_scheduled) continue;
    const bool is_lost = of_scheduled.empty() || (!of_plain.empty() && of_plain < of_scheduled);
    throw error("verify_schedule: there is no " + (is_lost ? of_plain : of_scheduled) + " of the " +
                (is_lost ? "scheduled" : "plain") + " program: nothing there depends on it");
  }
  const schedule_check found = detail::compared(expected, given);
  if (found.worst > tolerance)
    detail::is_off(found, tolerance, detail::first_off(tolerance, plain, scheduled, on, inputs));
  return found;
}

}  // namespace stg
