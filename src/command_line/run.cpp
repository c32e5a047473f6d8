// stg run: a model's outputs for a graph and its inputs.
#include <cmath>     // isfinite
#include <optional>  // optional
#include <sstream>   // ostringstream

#include <stg/data/npy.hpp>  // write_npy
#include <stg/data/npz.hpp>  // write_npz

#include "answer.hpp"      // answer
#include "model_call.hpp"  // model_call
#include "tool.hpp"        // add_command

namespace stg::command_line {

namespace {

struct run_options {
  call_words call{};
  std::vector<std::string> outputs{};
  bool as_json = false;
};

/// Where outputs go: one file of all, or a file for some.
struct destinations {
  std::string all{};                                          // .npz
  std::vector<std::pair<std::size_t, std::string>> of_one{};  // .npy
};

std::string names_of(const door::signature& s) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < s.outputs.size(); ++k) names.push_back(name_of_output(s, k));
  return joined(names);
}
std::optional<std::size_t> output_of(const door::signature& s, const std::string& name) {
  for (std::size_t k = 0; k < s.outputs.size(); ++k)
    if (name_of_output(s, k) == name) return k;
  return {};
}

destinations destinations_of(const run_options& asked, const door::signature& s) {
  destinations found;
  for (const std::string& word : asked.outputs) {
    const std::size_t at = word.find('=');
    const std::string path = at == std::string::npos ? word : word.substr(at + 1);
    if (at == std::string::npos && path.ends_with(".npz")) {
      found.all = path;
      continue;
    }
    if (!path.ends_with(".npy"))
      throw wrong_usage("--output takes FILE.npy, NAME=FILE.npy or FILE.npz for all outputs, not " + word);
    if (at == std::string::npos && s.outputs.size() != 1)
      throw wrong_usage("the model has several outputs, " + names_of(s) + "; write --output NAME=" + path +
                        ", or a file .npz for all");
    const auto k = at == std::string::npos ? std::optional<std::size_t>(0) : output_of(s, word.substr(0, at));
    if (!k) throw error("the model has no output '" + word.substr(0, at) + "'; it gives " + names_of(s));
    found.of_one.emplace_back(*k, path);
  }
  return found;
}

/// A type that NumPy has: bfloat16 becomes float.
any_tensor for_numpy(any_tensor values) {
  if (const auto* const narrow = std::get_if<tensor<bfloat16>>(&values)) return narrow->to<float>();
  return values;
}

void write_results(const destinations& to, const door::signature& s, const std::vector<any_tensor>& results) {
  const auto each = [](const any_tensor& values, const auto& f) {
    std::visit(
        [&]<class T>(const tensor<T>& t) {
          if constexpr (!std::is_same_v<T, bfloat16>) f(t);
        },
        values);
  };
  for (const auto& one : to.of_one) each(results[one.first], [&](const auto& t) { write_npy(one.second, t); });
  if (to.all.empty()) return;
  std::vector<npz_array> arrays;
  for (std::size_t k = 0; k < results.size(); ++k)
    each(results[k], [&](const auto& t) { arrays.emplace_back(name_of_output(s, k), t); });
  write_npz(to.all, arrays);
}

std::int64_t not_finite(const any_tensor& values) {
  return std::visit(
      []<class T>(const tensor<T>& t) {
        std::int64_t count = 0;
        if constexpr (!std::is_integral_v<T>)
          for (const T value : t) count += !std::isfinite(static_cast<double>(static_cast<float>(value)));
        return count;
      },
      values);
}

void run(const run_options& asked) {
  const model_call call(asked.call);
  const destinations to = destinations_of(asked, call.signature());
  std::vector<any_tensor> results = call.run(runnable(call.program()));
  for (any_tensor& one : results) one = for_numpy(std::move(one));
  write_results(to, call.signature(), results);
  answer all;
  std::vector<json_object> outputs;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::string name = name_of_output(call.signature(), k);
    std::string type(name_of(call.signature().outputs[k].type));
    const dimensions shape = std::visit([](const auto& t) { return t.shape(); }, results[k]);
    const std::int64_t wrong = not_finite(results[k]);
    json_object one;
    one.add("name", name).add("type", type).add("shape", shape);
    one.add("not_finite", wrong);
    std::string file = to.all;
    for (const auto& [number, path] : to.of_one)
      if (number == k) file = path;
    if (file.empty()) one.add_null("file");
    else one.add("file", file);
    outputs.push_back(one);
    all.title(name + ": " + type + ' ' + to_string(shape) + (file.empty() ? "" : ", written to " + file) +
              (wrong > 0 ? ", " + std::to_string(wrong) + " numbers are not finite" : ""));
    if (!file.empty()) continue;
    std::ostringstream text;
    std::visit([&](const auto& t) { text << t << '\n'; }, results[k]);
    all.text += text.str();
  }
  all.json.add("outputs", outputs);
  print(all, asked.as_json);
}

}  // namespace

void add_run(tool& to) {
  add_command<run_options>(
      to, "run", "a model's outputs for a graph and its inputs",
      "stg run gcn --graph cora --input x=@features --output out.npy",
      [](CLI::App& command, run_options& o) {
        add_call_options(command, o.call);
        command
            .add_option("-o,--output", o.outputs,
                        "FILE.npy, NAME=FILE.npy for one of several outputs, FILE.npz for all; without it they are "
                        "printed")
            ->type_name("[NAME=]PATH")
            ->allow_extra_args(false)
            ->take_all();
        add_json(command, o.as_json);
      },
      run);
}

}  // namespace stg::command_line
