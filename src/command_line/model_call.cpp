// Calls of models out of words.
#include "model_call.hpp"  // model_call

#include <charconv>    // from_chars
#include <filesystem>  // exists
#include <random>      // mt19937_64

#include <stg/data/npy.hpp>          // read_npy_as
#include <stg/data/npz.hpp>          // read_npz
#include <stg/data/safetensors.hpp>  // safetensors_file

#include "../codegen/with_type.hpp"  // with_element
#include "../runtime/data/word.hpp"  // in_quotes, real_number
#include "hdf5_files.hpp"            // hdf5_values
#include "tool.hpp"                  // wrong_usage

namespace stg::command_line {

namespace {

/// `name=value` in two.
std::pair<std::string, std::string> halves(const std::string& option, const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == word.size())
    throw wrong_usage(option + " takes NAME=VALUE, not " + detail::in_quotes(word));
  return {word.substr(0, at), word.substr(at + 1)};
}

template <class T> inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
/// The type by which files are read for T.
template <class T> using read_type = std::conditional_t<is_half<T>, float, T>;

/// The file, and the array in it that is named behind a colon, of `features.npz:x`.
std::pair<std::string, std::string> file_and_array(const std::string& value) {
  for (const char* ending : {".npz:", ".safetensors:", ".h5:", ".hdf5:"})
    if (const std::size_t at = value.find(ending); at != std::string::npos) {
      const std::size_t colon = at + std::string_view(ending).size() - 1;
      return {value.substr(0, colon), value.substr(colon + 1)};
    }
  return {value, {}};
}

/// The array to read if the line names none: the one of the input's name, or the only one.
std::string meant_of(const std::vector<std::string>& names, const std::string& input, const std::string& path) {
  for (const std::string& name : names)
    if (name == input) return name;
  if (names.size() == 1) return names.front();
  throw error("file " + path + " has no array " + detail::in_quotes(input) + "; name one, --input " + input + '=' +
              path + ":NAME");
}

std::vector<std::string> paths_in(const std::string& path) {
  std::vector<std::string> all;
  for (hdf5_dataset& d : datasets_of(path)) all.push_back(std::move(d.path));
  return all;
}

template <class T> tensor<T> read_values(const std::string& value, const std::string& input) {
  using R = read_type<T>;
  auto [path, array] = file_and_array(value);
  if (path.ends_with(".npz")) {
    const npz_file file = read_npz(path);
    if (array.empty()) array = meant_of(file.names(), input, path);
    return file.array_as<R>(array).template to<T>();
  }
  if (path.ends_with(".safetensors")) {
    const safetensors_file file(path);
    std::vector<std::string> names;
    for (const safetensors_entry& t : file.tensors()) names.push_back(t.name);
    if (array.empty()) array = meant_of(names, input, path);
    return file.read_as<R>(array).template to<T>();
  }
  if (is_hdf5(path)) {
    if (array.empty()) array = meant_of(paths_in(path), input, path);
    return hdf5_values<R>(path, array).template to<T>();
  }
  if (path.ends_with(".npy")) return read_npy_as<R>(path).template to<T>();
  throw error("input '" + input + "': " + path +
              " is no array; give a .npy, .npz, .safetensors or .h5 file, @features, " + "a number, or random");
}

bool is_number(const door::value& v) { return v.where == "graph" && v.extents.empty() && v.steps.empty(); }

/// An array of the element type of an input: calls f(T).
template <class F> any_tensor made_for(const door::value& v, const F& f) {
  any_tensor made;
  codegen::with_element(v.type, [&](auto element) { made = f(element); });
  return made;
}

/// Reals in [-1, 1), the same for each seed; whole numbers are 0, truths true.
template <class T> tensor<T> drawn(const dimensions& shape, std::mt19937_64& source) {
  auto made = tensor<T>::for_overwrite(shape);
  for (std::int64_t i = 0; i < made.size(); ++i) {
    if constexpr (std::is_same_v<T, bool>) made.data()[i] = true;
    else if constexpr (std::is_integral_v<T>) made.data()[i] = 0;
    else made.data()[i] = static_cast<T>(static_cast<float>(static_cast<double>(source() >> 40) / (1 << 23) - 1));
  }
  return made;
}

std::string hint_for(const door::value& v, const graph_source& on) {
  std::string hint = "; write --input " + v.name + (is_number(v) ? "=NUMBER" : "=FILE.npy");
  if (on.data && v.where == "vertex" && is_real(v.type)) hint += ", or " + v.name + "=@features";
  return hint;
}

}  // namespace

bool is_model(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path at(path);
  if (!std::filesystem::is_directory(at, unknown)) return path.ends_with(".stg");
  return std::filesystem::exists(at / "program.stg", unknown) ||
         std::filesystem::exists(at / ".saved" / "program.stg", unknown);
}

door::signature whole_signature(const ir::program& p) {
  door::signature found = door::signature_of(p);
  found.is_over_sets = !p.kinds.empty();
  return found;
}

std::string name_of_output(const door::signature& of, std::size_t k) {
  if (!of.outputs[k].name.empty()) return of.outputs[k].name;
  return of.outputs.size() == 1 ? "output" : "output_" + std::to_string(k);
}

void add_call_options(CLI::App& command, call_words& words) {
  command.add_option("model", words.model, "folder of stg::save_model, or file of a program, NAME.stg")
      ->required()
      ->type_name(a_model);
  command.add_option("-g,--graph", words.graph, "data set, file or folder of a graph")->required()->type_name(a_graph);
  command
      .add_option("-i,--input", words.inputs,
                  "NAME=VALUE: a file .npy, .npz[:ARRAY], .safetensors[:TENSOR] or .h5[:DATASET], a number, random, or "
                  "of a data set "
                  "@features, @labels, @train, @val, @test, @weights")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--parameters", words.parameters, "a folder of .npy files, or a .safetensors file")
      ->type_name(a_path);
  command.add_option("--extent", words.extents, "NAME=N: size of a named extent of a random input")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->take_all();
  add_number(command, "--seed", words.seed, 0, INT64_MAX, "of random inputs and of masks in training");
  add_threads(command);
  add_graph_options(command, words.of_graph);
}

void add_trial_options(CLI::App& command, call_words& words) {
  command.add_flag("--training", words.trains, "a step of training, of a loss: forward and gradient");
  command.add_flag("--random", words.draws, "draw the inputs that are not given");
}

model_call::model_call(const call_words& words)
    : words_(words),
      model_(read_stored_model(words.model, words.parameters)),
      signature_(whole_signature(model_.program)),
      on_(read_graph(words.graph, words.of_graph)),
      graph_(on_.kinds ? call_graph(*on_.kinds) : call_graph(on_.graph)) {
  for (const std::string& word : words.inputs) take(word);
  if (words.draws) draw_missing();
  check_missing();
}

bool model_call::is_given(const std::string& name) const {
  for (const std::string& one : names_)
    if (one == name) return true;
  return false;
}

const graph& model_call::edges_of(const door::value& v) const {
  if (v.of.empty() != !on_.kinds)
    throw error(v.of.empty() ? "the model is of one kind of vertices; give a plain graph"
                             : "the model reads relation '" + v.of +
                                   "'; give a folder of a graph of several kinds, as stg::write_graphs writes it");
  return v.of.empty() ? on_.graph : on_.kinds->relation(v.of);
}

template <class T> void model_call::place_tensor(const door::value& v, tensor<T> values) {
  if (v.is_sparse) {
    const auto add = [&](const auto& sparse) {
      inputs_.emplace_back(std::string_view(names_.back()), sparse);
      sparse_of_.emplace_back(v.name, sparse.entries());
    };
    if constexpr (std::is_same_v<T, float>) add(sparse_.emplace_back(stg::sparse(values)));
    else if constexpr (std::is_same_v<T, double>) add(sparse_f64_.emplace_back(stg::sparse(values)));
    return;
  }
  if (v.where == "edge") {  // from the order of the edge list
    const graph& edges = edges_of(v);
    values = v.steps.empty() ? edges.edge_values(values).values() : edges.edge_steps(values).values();
  }
  inputs_.emplace_back(std::string_view(names_.back()), dense_.emplace_back(std::move(values)));
}
void model_call::place(const door::value& v, any_tensor values) {
  names_.push_back(v.name);
  std::visit([&](auto& t) { place_tensor(v, std::move(t)); }, values);
}

any_tensor model_call::from_data_set(const door::value& v, const std::string& what) const {
  const auto taken = [&](const auto& from) {
    return made_for(v, [&](auto element) { return from.template to<decltype(element)>(); });
  };
  if (what == "weights" && on_.weights) return taken(*on_.weights);
  if (what == "weights") throw error("graph " + on_.name + " has no weights of edges; give a file of them");
  if (!on_.data) throw error("graph " + on_.name + " is no data set and has no " + what + "; give a file of them");
  if (what == "features") return taken(on_.data->features);
  if (what == "labels") return taken(on_.data->labels);
  if (what == "train") return taken(on_.data->train);
  if (what == "val") return taken(on_.data->val);
  if (what == "test") return taken(on_.data->test);
  throw wrong_usage("a data set has @features, @labels, @train, @val, @test and @weights, not @" + what);
}

void model_call::take(const std::string& word) {
  const std::pair<std::string, std::string> two = halves("--input", word);
  const std::string &name = two.first, &value = two.second;
  const door::value* const v = signature_.input(name);
  if (v == nullptr) {
    std::string all;
    for (const door::value& one : signature_.inputs) all += (all.empty() ? "" : ", ") + one.name;
    throw error("model " + words_.model + " has no input " + detail::in_quotes(name) + "; it reads " + all);
  }
  if (is_given(name)) throw error("input '" + name + "' is given twice; give it once");
  if (value[0] == '@') return place(*v, from_data_set(*v, value.substr(1)));
  if (value == "random") {
    std::mt19937_64 source(static_cast<std::uint64_t>(words_.seed) + inputs_.size());
    return place(*v, made_for(*v, [&](auto element) { return drawn<decltype(element)>(shape_of(*v), source); }));
  }
  if (const std::optional<double> number = detail::real_number(value)) {
    if (!is_number(*v))
      throw error("input '" + name + "' is " + v->spelled() + " and no single number; give a file of it");
    return place(*v,
                 made_for(*v, [&](auto element) { return tensor<double>::full({}, *number).to<decltype(element)>(); }));
  }
  place(*v, made_for(*v, [&](auto element) { return read_values<decltype(element)>(value, name); }));
}

void model_call::draw_missing() {
  for (const door::value& v : signature_.inputs)
    if (!is_given(v.name) && !model_.parameters.contains(v.name)) take(v.name + "=random");
}

void model_call::check_missing() const {
  for (const door::value& v : signature_.inputs)
    if (!is_given(v.name) && !model_.parameters.contains(v.name))
      throw error((v.is_trained ? "parameter '" : "input '") + v.name + "' is not given: " + v.spelled() +
                  (v.is_trained ? "; name its file, --parameters FILE" : hint_for(v, on_)));
}

std::int64_t model_call::extent_of(const std::string& name, const door::value& v) const {
  std::int64_t number = 0;
  if (const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
      wrong == std::errc() && end == name.data() + name.size())
    return number;
  for (const std::string& word : words_.extents) {
    const auto [of, size] = halves("--extent", word);
    if (of != name) continue;
    const auto [end, wrong] = std::from_chars(size.data(), size.data() + size.size(), number);
    if (wrong != std::errc() || end != size.data() + size.size() || number < 1)
      throw wrong_usage("--extent " + of + " takes a whole number from 1 on, not " + detail::in_quotes(size));
    return number;
  }
  // One that a parameter or an earlier input has by itself.
  for (const door::value& other : signature_.inputs)
    for (std::size_t axis = 0; axis < other.extents.size(); ++axis) {
      const auto found = model_.parameters.find(other.name);
      if (other.extents[axis] != name || found == model_.parameters.end()) continue;
      const dimensions shape = std::visit([](const auto& t) { return t.shape(); }, found->second);
      const int behind = static_cast<int>(other.extents.size() - axis);
      if (behind <= shape.rank()) return shape[shape.rank() - behind];
    }
  throw error("input '" + v.name + "' is to be drawn and its extent '" + name + "' has no size; write --extent " +
              name + "=16");
}

dimensions model_call::shape_of(const door::value& v) const {
  std::vector<std::int64_t> shape;
  if (!v.steps.empty()) shape.push_back(extent_of(v.steps, v));
  if (v.where == "edge") shape.push_back(edges_of(v).edges());
  if (v.where == "vertex") {
    if (!v.of.empty() && !on_.kinds) edges_of(v);  // which says what is missing
    shape.push_back(v.of.empty() ? on_.graph.vertices() : on_.kinds->vertices(v.of));
  }
  for (const std::string& extent : v.extents) shape.push_back(extent_of(extent, v));
  return dimensions(std::span<const std::int64_t>(shape));
}

any_tensor model_call::in_input_order(const door::value& v, any_tensor values) const {
  if (v.where != "edge") return values;
  const graph& edges = edges_of(v);
  return std::visit(
      [&]<class T>(tensor<T>& t) -> any_tensor {
        if (v.steps.empty())
          return edges.to_input_order(edge_values<T>::in_id_order(std::move(t), edges.edge_identity()));
        return edges.to_input_order(edge_steps<T>::in_id_order(std::move(t), edges.edge_identity()));
      },
      values);
}

sizes model_call::sizes_of_call() const {
  sizes found{.vertices = on_.graph.vertices(), .edges = on_.graph.edges()};
  const auto add = [&](const std::string& name, std::int64_t size) {
    for (const extent_size& known : found.extents)
      if (known.name.view() == name) return;
    found.extents.push_back({text(name), size});
  };
  for (const program_input& in : model_.with_parameters(inputs_)) {
    const door::value* const v = signature_.input(in.name);
    if (v == nullptr) continue;
    const dimensions& shape = in.bound.shape;
    if (!v->steps.empty()) add(v->steps, shape[0]);
    for (std::size_t axis = 0; axis < v->extents.size(); ++axis) {
      const int behind = static_cast<int>(v->extents.size() - axis);
      if (behind <= shape.rank()) add(v->extents[axis], shape[shape.rank() - behind]);
    }
  }
  for (const auto& one : sparse_of_) found.entries.push_back({text(one.first), one.second});
  return found;
}

std::vector<any_tensor> model_call::run(const runnable& made) const {
  std::vector<any_tensor> results = made(graph_, model_.with_parameters(inputs_));
  for (std::size_t k = 0; k < results.size(); ++k)
    results[k] = in_input_order(signature_.outputs[k], std::move(results[k]));
  return results;
}

double model_call::train(runnable_step& made) const { return made(graph_, model_.with_parameters(inputs_)).loss; }

trial::trial(const model_call& call) : call_(call) {
  if (call.words().trains) step_.emplace(call.program()).seed(static_cast<std::uint64_t>(call.words().seed));
  else layer_.emplace(call.program());
}

void trial::operator()() {
  if (step_) call_.train(*step_);
  else call_.run(*layer_);
}

}  // namespace stg::command_line
