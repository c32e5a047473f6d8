// stg info: what a graph, a data set, a model or a file of arrays holds.
#include <algorithm>   // minmax_element, sort
#include <filesystem>  // file_size

#include <stg/call/stored_model.hpp>         // read_stored_model
#include <stg/data/npz.hpp>                  // read_npz
#include <stg/data/safetensors.hpp>          // safetensors_file
#include <stg/distributed/parts_folder.hpp>  // read_parts
#include <stg/door/signature.hpp>            // signature_of

#include "../runtime/data/npy_open.hpp"  // open
#include "../runtime/data/word.hpp"      // in_quotes
#include "answer.hpp"                    // answer
#include "graph_source.hpp"              // read_graph
#include "hdf5_files.hpp"                // datasets_of
#include "model_call.hpp"                // is_model, whole_signature
#include "tool.hpp"                      // add_command

namespace stg::command_line {

namespace {

struct info_options {
  std::string what{}, parameters{};
  graph_options graph{};
  bool as_json = false, data_sets = false;
};

// ---- graphs ----

/// Facts about edges that are not looked up but counted.
struct edge_counts {
  std::int64_t loops = 0, parallel = 0, isolated = 0;
  bool is_symmetric = true;
};

edge_counts counted(const graph& g) {
  edge_counts found;
  const edge_list list = g.edge_list();
  std::vector<std::int64_t> there, back;
  for (std::size_t e = 0; e < list.src.size(); ++e) {
    const std::int64_t src = list.src[e], dst = list.dst[e];
    found.loops += src == dst;
    there.push_back(src << 32 | dst);
    back.push_back(dst << 32 | src);
  }
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  for (std::size_t e = 1; e < there.size(); ++e) found.parallel += there[e] == there[e - 1];
  found.is_symmetric = there == back;
  const auto in = g.in_degrees(), out = g.out_degrees();
  for (std::size_t v = 0; v < in.size(); ++v) found.isolated += in[v] == 0 && out[v] == 0;
  return found;
}

void add_degrees(answer& to, std::string_view label, const std::string& name, std::span<const std::int32_t> degrees) {
  if (degrees.empty()) return;
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  to.json.add("least_" + name, std::int64_t{*least}).add("most_" + name, std::int64_t{*most});
  to.line(label, std::to_string(*least) + " to " + std::to_string(*most));
}

void add_graph(answer& to, const graph& g) {
  to.fact("vertices", "vertices", g.vertices()).fact("edges", "edges", g.edges());
  if (g.vertices() > 0) {
    const double mean = static_cast<double>(g.edges()) / static_cast<double>(g.vertices());
    to.fact("mean degree", "mean_degree", mean, digits_for_reader(mean));
  }
  add_degrees(to, "in-degrees", "in_degree", g.in_degrees());
  add_degrees(to, "out-degrees", "out_degree", g.out_degrees());
  const edge_counts counts = counted(g);
  to.fact("self-loops", "self_loops", counts.loops);
  to.fact("parallel edges", "parallel_edges", counts.parallel);
  to.fact("isolated", "isolated_vertices", counts.isolated);
  to.fact("symmetric", "symmetric", counts.is_symmetric, counts.is_symmetric ? "yes" : "no");
}

std::int64_t count_of(const tensor<bool>& mask) { return std::count(mask.begin(), mask.end(), true); }

void add_data(answer& to, const node_classification& data) {
  const std::int64_t columns = data.features.extent(1);
  const std::int64_t filled =
      std::count_if(data.features.begin(), data.features.end(), [](float value) { return value != 0; });
  std::string shown = std::to_string(columns);
  if (data.features.size() > 0)
    shown += ", " + digits_for_reader(100.0 * static_cast<double>(filled) / static_cast<double>(data.features.size())) +
             " % not 0";
  to.fact("features", "features", columns, shown).json.add("features_not_0", filled);
  to.fact("classes", "classes", std::int64_t{data.classes});
  const std::int64_t train = count_of(data.train), val = count_of(data.val), test = count_of(data.test);
  to.json.add("train", train).add("val", val).add("test", test);
  to.line("splits",
          "train " + std::to_string(train) + ", val " + std::to_string(val) + ", test " + std::to_string(test));
}

void add_weights(answer& to, const tensor<double>& weights) {
  if (weights.size() == 0) return;
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  to.json.add("least_weight", *least).add("most_weight", *most);
  to.line("weights", digits_for_reader(*least) + " to " + digits_for_reader(*most));
}

void add_kinds(answer& to, const graphs& all) {
  std::vector<json_object> sets, relations;
  for (const std::string& set : all.vertex_sets()) {
    sets.push_back(json_object().add("name", set).add("vertices", all.vertices(set)));
    to.line("vertex set", set + ": " + std::to_string(all.vertices(set)) + " vertices");
  }
  for (const relation_names& one : all.relations()) {
    const std::int64_t edges = all.relation(one.name).edges();
    relations.push_back(json_object()
                            .add("name", one.name)
                            .add("source", one.source)
                            .add("destination", one.destination)
                            .add("edges", edges));
    to.line("relation", one.name + ": " + std::to_string(edges) + " edges, " + one.source + " to " + one.destination);
  }
  to.json.add("vertex_sets", sets).add("relations", relations);
}

answer about_graph(const info_options& asked) {
  const graph_source found = read_graph(asked.what, asked.graph);
  answer all;
  const char* const kind = found.data ? "data set" : found.kinds ? "graph of several kinds" : "graph";
  all.json.add("kind", kind).add("name", found.name).add("format", found.format).add("place", found.place);
  all.title(found.name + ": " + kind + ", " + found.format + ", " + found.place);
  if (found.kinds) {
    add_kinds(all, *found.kinds);
    return all;
  }
  add_graph(all, found.graph);
  if (found.graphs_inside != 1) all.fact("graphs", "graphs", found.graphs_inside);
  if (found.data) add_data(all, *found.data);
  if (found.weights) add_weights(all, *found.weights);
  if (!found.ids.empty()) {
    const std::vector<std::string> first(found.ids.begin(),
                                         found.ids.begin() + std::min<std::ptrdiff_t>(3, std::ssize(found.ids)));
    all.json.add("first_ids", first);
    std::string shown;
    for (const std::string& id : first) shown += (shown.empty() ? "" : ", ") + detail::in_quotes(id);
    all.line("ids", shown + (found.ids.size() > first.size() ? ", …" : ""));
  }
  return all;
}

// ---- models ----

json_object as_json(const door::value& v) {
  json_object made;
  made.add("name", v.name).add("where", v.where).add("type", name_of(v.type)).add("shape", v.spelled());
  if (!v.of.empty()) made.add("of", v.of);
  return made.add("trained", v.is_trained).add("sparse", v.is_sparse);
}

answer about_model(const info_options& asked) {
  const stored_model model = read_stored_model(asked.what, asked.parameters);
  const door::signature said = whole_signature(model.program);
  answer all = answer_about("model", asked.what, "model");
  std::vector<json_object> inputs, parameters, outputs;
  std::int64_t bytes = 0, numbers = 0;
  for (const door::value& v : said.inputs) {
    const auto found = model.parameters.find(v.name);
    if (found == model.parameters.end()) {
      inputs.push_back(as_json(v));
      all.line(v.is_trained ? "parameter" : "input", v.name + ": " + v.spelled() + (v.is_trained ? ", no file" : ""));
      continue;
    }
    const auto [shape, own] = std::visit(
        [](const auto& t) { return std::pair<dimensions, std::int64_t>(t.shape(), t.bytes()); }, found->second);
    bytes += own;
    numbers += shape.size();
    parameters.push_back(as_json(v).add("stored_shape", shape).add("bytes", own));
    all.line("parameter", v.name + ": " + v.spelled() + ", stored " + to_string(shape));
  }
  for (std::size_t k = 0; k < said.outputs.size(); ++k) {
    outputs.push_back(as_json(said.outputs[k]).add("file_name", name_of_output(said, k)));
    all.line("output", name_of_output(said, k) + ": " + said.outputs[k].spelled());
  }
  all.json.add("inputs", inputs).add("parameters", parameters).add("outputs", outputs);
  all.fact("statements", "statements", std::int64_t{model.program.size()});
  all.json.add("numbers", numbers).add("bytes", bytes).add("draws", said.draws);
  all.line("parameters", std::to_string(numbers) + " numbers, " + bytes_for_reader(static_cast<double>(bytes)));
  return all;
}

// ---- arrays ----

answer about_safetensors(const std::string& path) {
  const safetensors_file file(path);
  answer all = answer_about("safetensors", path, "safetensors");
  std::vector<json_object> tensors;
  std::int64_t bytes = 0;
  for (const safetensors_entry& t : file.tensors()) {
    bytes += t.end - t.begin;
    tensors.push_back(json_object()
                          .add("name", t.name)
                          .add("type", name_of(t.type))
                          .add("shape", t.shape)
                          .add("bytes", t.end - t.begin));
    std::string shape;
    for (const std::int64_t n : t.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
    all.line("tensor", t.name + ": " + std::string(name_of(t.type)) + " (" + shape + ')');
  }
  json_object texts;
  for (const auto& [name, text] : file.metadata().texts) {
    texts.add(name, text);
    all.line("metadata", detail::in_quotes(name) + ": " + detail::in_quotes(text));
  }
  all.json.add("tensors", tensors).add("metadata", texts);
  all.fact("bytes", "bytes", bytes, bytes_for_reader(static_cast<double>(bytes)));
  return all;
}

answer about_npz(const std::string& path) {
  const npz_file file = read_npz(path);
  answer all = answer_about("npz", path, "npz");
  std::vector<json_object> arrays;
  for (const std::string& name : file.names()) {
    const dimensions shape = file.shape(name);
    arrays.push_back(json_object().add("name", name).add("type", file.type(name)).add("shape", shape));
    all.line("array", name + ": " + file.type(name) + ' ' + to_string(shape));
  }
  all.json.add("arrays", arrays);
  return all;
}

answer about_npy(const std::string& path) {
  const npy::header head = npy::open(path).header;
  const std::string type(npy::name_of(head.type));
  answer all = answer_about("npy", path, "npy");
  all.json.add("type", type).add("shape", head.shape);
  all.line("array", type + ' ' + to_string(head.shape));
  return all;
}

answer about_hdf5(const std::string& path) {
  answer all = answer_about("hdf5", path, "hdf5");
  std::vector<json_object> datasets;
  for (const hdf5_dataset& d : datasets_of(path)) {
    json_object one = json_object().add("path", d.path);
    if (d.why.empty()) one.add("type", d.type).add("shape", d.shape);
    else one.add("why", d.why);
    datasets.push_back(std::move(one));
    all.line("dataset", d.path + ": " + (d.why.empty() ? d.type + ' ' + to_string(d.shape) : "no tensor"));
  }
  all.json.add("datasets", datasets);
  return all;
}

answer about_parts(const std::string& path) {
  const parts_folder parts = read_parts(path);
  answer all = answer_about("parts", path, "parts of a graph");
  all.fact("vertices", "vertices", parts.vertices()).fact("edges", "edges", parts.edges());
  all.fact("parts", "parts", std::int64_t{parts.parts()});
  return all;
}

bool is_of_graph(const std::string& path) {
  const npz_file file = read_npz(path);
  return file.has("edge_index") || file.has("adj_indptr") || file.has("node_features");
}

answer about(const info_options& asked) {
  const std::string& what = asked.what;
  if (asked.graph.from.empty()) {
    std::error_code unknown;
    const bool is_folder = std::filesystem::is_directory(what, unknown);
    if (is_model(what)) return about_model(asked);
    if (is_folder && std::filesystem::exists(std::filesystem::path(what) / "parts.npy", unknown))
      return about_parts(what);
    if (what.ends_with(".safetensors")) return about_safetensors(what);
    if (is_hdf5(what) && !is_folder) return about_hdf5(what);
    if (what.ends_with(".npy") && !is_folder) return about_npy(what);
    if (what.ends_with(".npz") && !is_folder && !is_of_graph(what)) return about_npz(what);
  }
  return about_graph(asked);
}

void list_data_sets(bool as_json) {
  answer all;
  for (const std::string& name : names_of_data_sets()) all.title(name);
  all.json.add("data_sets", names_of_data_sets());
  print(all, as_json);
}

}  // namespace

void add_info(tool& to) {
  add_command<info_options>(
      to, "info", "what a graph, a data set, a model or a file of arrays holds", "stg info cora",
      [](CLI::App& command, info_options& o) {
        command.add_option("what", o.what, "data set, graph, model, .safetensors, .npz, .npy or folder of parts")
            ->type_name(a_graph);
        command.add_option("--parameters", o.parameters, "of a model: a folder of .npy files, or a .safetensors file")
            ->type_name(a_path);
        command.add_flag("--data-sets", o.data_sets, "list the data sets that are found");
        add_json(command, o.as_json);
        add_graph_options(command, o.graph);
      },
      [](const info_options& o) {
        if (o.data_sets) return list_data_sets(o.as_json);
        if (o.what.empty()) throw wrong_usage("info needs a name; stg info --data-sets lists data sets");
        print(about(o), o.as_json);
      });
}

}  // namespace stg::command_line
