// Gradients of a program against central differences of it, both interpreted in double.
#include <stg/call/check_gradients.hpp>

#include <algorithm>  // max
#include <cmath>      // abs, isfinite, isnan
#include <numeric>    // iota
#include <ostream>    // ostream
#include <random>     // mt19937_64, uniform_real_distribution
#include <sstream>    // ostringstream
#include <utility>    // pair, swap

#include <stg/base/error.hpp>             // error
#include <stg/codegen/draft/made.hpp>     // differentiated
#include <stg/codegen/interpreter.hpp>    // interpret_all
#include <stg/runtime/sparse_tensor.hpp>  // sparse_view

namespace stg {

namespace {

using oracle::array;

template <class T> array numbers_of(const void* data, std::int64_t n) {
  const T* const from = static_cast<const T*>(data);
  array all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(static_cast<double>(from[i]));
  return all;
}
/// A matrix of which some numbers are stored.
template <class T> array dense_numbers_of(const void* data, const dimensions& shape) {
  const sparse_rows<T>& rows = static_cast<const sparse_view<T>*>(data)->by_row;
  array all(static_cast<std::size_t>(shape.size()));
  for (std::int64_t r = 0; r < rows.count; ++r)
    for (std::int64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k)
      all[static_cast<std::size_t>(r * shape[1] + rows.index[k])] = static_cast<double>(rows.value[k]);
  return all;
}
array numbers_of(const bound_input& in, scalar_type type, bool sparse) {
  const std::int64_t n = in.shape.size();
  switch (type) {
    case scalar_type::f64:
      return sparse ? dense_numbers_of<double>(in.data, in.shape) : numbers_of<double>(in.data, n);
    case scalar_type::i32:
      return numbers_of<std::int32_t>(in.data, n);
    case scalar_type::boolean:
      return numbers_of<bool>(in.data, n);
    case scalar_type::bf16:
      return numbers_of<bfloat16>(in.data, n);
    case scalar_type::f16:
      return numbers_of<float16>(in.data, n);
    case scalar_type::f32:
    case scalar_type::real:
      break;
  }
  return sparse ? dense_numbers_of<float>(in.data, in.shape) : numbers_of<float>(in.data, n);
}

std::string name_of_input(const ir::program& p, int entry) { return std::string(p.inputs[entry].name.view()); }

/// What a call binds, for the interpreter.
oracle::environment environment_of(const ir::program& p, const graph& on, std::span<const bound_input> inputs) {
  std::vector<std::int64_t> extents(static_cast<std::size_t>(p.extents.size()));
  bind_inputs(view_of(p), on, inputs, extents, host);
  oracle::environment env;
  for (int i = 0; i < p.extents.size(); ++i) {
    const ir::polynomial& e = p.extents[i];
    if (e.count == 1 && e.terms[0].degree == 1 && e.terms[0].coefficient == 1)
      env.extents[std::string(e.terms[0].factors[0].view())] = extents[static_cast<std::size_t>(i)];
  }
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const int entry = s.entry();
    env.inputs[name_of_input(p, entry)] =
        numbers_of(inputs[static_cast<std::size_t>(entry)], s.type, p.inputs[entry].sparse);
  }
  return env;
}

/// The comparison of one program.
class comparison {
 public:
  comparison(const ir::program& canonical, const graph& over, std::span<const bound_input> bound,
             const sequence<int>& outputs, const gradient_check_options& options)
      : on(over), inputs(bound), provided(outputs), how(options), random(options.seed) {
    env = environment_of(canonical, on, inputs);
    env.seed = how.seed;
    p = canonical;
  }

  gradient_check run(const sequence<int>& entries) {
    const std::vector<array> outputs = oracle::interpret(p, on, env), gradients = train(entries, outputs);
    env.held = &detached;
    oracle::interpret(p, on, env);
    for (int k = 0; k < entries.size(); ++k) compare(entries[k], gradients[static_cast<std::size_t>(k)]);
    return result;
  }

 private:
  /// A training step. Returns the gradients; what it gives beside them is compared with the outputs.
  std::vector<array> train(const sequence<int>& entries, const std::vector<array>& outputs) {
    const pass::differentiated step = drafts::differentiated(p, provided, entries);
    const std::vector<array> forward = oracle::interpret(step.forward, on, env);
    for (const int k : provided) {
      const auto at = static_cast<std::size_t>(k);
      compare_output(k, outputs[at], forward[at]);
      const ir::statement& s = p[p.outputs[k].at];
      const bool is_one_number = s.where == ir::space::graph && s.dims.is_scalar() && !s.is_sequence();
      array c(outputs[at].size(), 1);
      if (!is_one_number)
        for (double& x : c) x = std::uniform_real_distribution<double>(-1, 1)(random);
      cotangents.push_back(c);
    }
    oracle::environment read = env;
    read.inputs.clear();
    std::size_t cotangent = 0;
    for (int e = 0; e < step.connections.size(); ++e) {
      const pass::connection& from = step.connections[e];
      if (from.kind == pass::connection_kind::cotangent) read.entries[e] = cotangents[cotangent++];
      else if (from.kind == pass::connection_kind::input) read.entries[e] = env.inputs.at(name_of_input(p, from.index));
      else read.entries[e] = forward[static_cast<std::size_t>(from.index)];
    }
    return oracle::interpret(step.gradient, on, read);
  }
  void compare_output(int k, const array& written, const array& trained) {
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i] == trained[i] || (std::isnan(written[i]) && std::isnan(trained[i]))) continue;
      const double share = share_of(written[i], trained[i]);
      if (!(share <= 1))
        note({"output " + std::to_string(k), {static_cast<std::int64_t>(i)}, written[i], trained[i], true}, share);
    }
  }
  void note(const gradient_check::place& at, double share) {
    result.wrong += !(share <= 1);  // what is no number is wrong
    const bool is_worse = !std::isnan(result.share) && !(share <= result.share);
    if (!result.worst.value.empty() && !is_worse) return;
    result.share = share;
    result.worst = at;
  }
  double share_of(double expected, double found) const {
    return std::abs(found - expected) / (how.absolute + how.relative * std::abs(expected));
  }

  /// Σ ⟨c, y(above) − y(below)⟩ over how far the two are apart: few digits cancel.
  double difference(double& x) {
    const double at = x, by = how.step * std::max(1.0, std::abs(at));
    x = at + by;
    const double high = x;
    const std::vector<array> above = outputs_now();
    x = at - by;
    const double low = x;
    const std::vector<array> below = outputs_now();
    x = at;
    double sum = 0;
    for (std::size_t k = 0; k < cotangents.size(); ++k) {
      const std::size_t output = static_cast<std::size_t>(provided[static_cast<int>(k)]);
      for (std::size_t i = 0; i < cotangents[k].size(); ++i)
        sum += cotangents[k][i] * (above[output][i] - below[output][i]);
    }
    return sum / (high - low);
  }

  /// With what is detached as it was before anything was moved.
  std::vector<array> outputs_now() {
    detached.hold();
    return oracle::interpret(p, on, env);
  }

  std::vector<std::size_t> drawn_places(std::size_t n) {
    std::vector<std::size_t> places(n);
    std::iota(places.begin(), places.end(), std::size_t(0));
    const auto wanted = static_cast<std::size_t>(how.places);
    if (n <= wanted) return places;
    for (std::size_t i = 0; i < wanted; ++i)
      std::swap(places[i], places[i + static_cast<std::size_t>(random() % (n - i))]);
    places.resize(wanted);
    return places;
  }

  void compare(int entry, const array& gradient) {
    const std::string name = name_of_input(p, entry);
    array& numbers = env.inputs[name];
    result.numbers += std::ssize(numbers);
    for (const std::size_t i : drawn_places(numbers.size())) {
      const double expected = difference(numbers[i]), found = gradient[i];
      ++result.compared;
      note({name, index_of(i, inputs[static_cast<std::size_t>(entry)].shape), expected, found},
           share_of(expected, found));
    }
  }
  static std::vector<std::int64_t> index_of(std::size_t place, const dimensions& shape) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()));
    auto rest = static_cast<std::int64_t>(place);
    for (int a = shape.rank() - 1; a >= 0; --a) {
      index[static_cast<std::size_t>(a)] = rest % shape[a];
      rest /= shape[a];
    }
    return index;
  }

  ir::program p;
  const graph& on;
  std::span<const bound_input> inputs;
  sequence<int> provided;
  gradient_check_options how;
  std::mt19937_64 random;
  oracle::environment env;
  oracle::held_values detached;
  std::vector<array> cotangents;  // by provided output
  gradient_check result;
};

void check_options(const gradient_check_options& how) {
  for (const auto& [name, x] : {std::pair("step", how.step), std::pair("absolute", how.absolute)})
    if (!(x > 0) || !std::isfinite(x))
      throw error(std::string("check_gradients takes .") + name + " = " + std::to_string(x) + "; it is above 0");
  if (!(how.relative >= 0) || !std::isfinite(how.relative))
    throw error("check_gradients takes .relative = " + std::to_string(how.relative) + "; it is 0 or more");
  if (how.places < 1)
    throw error("check_gradients takes .places = " + std::to_string(how.places) + "; it is 1 or more");
}

}  // namespace

gradient_check detail::compare_gradients(const ir::program& canonical, const graph& on,
                                         std::span<const bound_input> inputs, const sequence<int>& provided,
                                         const sequence<int>& entries, const gradient_check_options& how) {
  check_options(how);
  return comparison(canonical, on, inputs, provided, how).run(entries);
}

std::string to_string(const gradient_check& c) {
  std::ostringstream out;
  out << c;
  return out.str();
}
std::ostream& operator<<(std::ostream& out, const gradient_check& c) {
  out << (c.worst.of_output ? "" : "gradient of ") << c.worst.value << " at (";
  for (std::size_t a = 0; a < c.worst.index.size(); ++a) out << (a > 0 ? ", " : "") << c.worst.index[a];
  out << "): found " << c.worst.found << (c.worst.of_output ? " in training, written " : ", central difference ")
      << c.worst.expected << "; ";
  if (c.passed()) out << "none of " << c.compared << " compared numbers is off, of " << c.numbers;
  else out << c.wrong << " of " << c.compared << " compared numbers are off, of " << c.numbers;
  return out;
}

}  // namespace stg
