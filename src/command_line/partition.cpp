// stg partition: the parts of a graph as a folder that ranks read.
#include <stg/distributed/cut.hpp>           // cut
#include <stg/distributed/parts_folder.hpp>  // write_parts

#include "answer.hpp"        // answer
#include "graph_source.hpp"  // read_graph
#include "tool.hpp"          // add_command

namespace stg::command_line {

namespace {

struct partition_options {
  std::string name{}, path{}, by = "metis";
  graph_options graph{};
  std::int64_t parts = 0, seed = 1;
  bool as_json = false;
};

cut made(const graph& g, const partition_options& asked) {
  const int parts = static_cast<int>(asked.parts);
  if (asked.by == "metis") return cut::by_metis(g, parts, static_cast<std::uint64_t>(asked.seed));
  if (asked.by == "ranges") return cut::by_ranges(g, parts);
  const cut found = cut::of(g, read_npy_as<std::int32_t>(asked.by));
  if (found.parts() != parts && parts != 0)
    throw error("file " + asked.by + " has " + std::to_string(found.parts()) + " parts, not " + std::to_string(parts));
  return found;
}

/// Vertices of each part, and edges into them.
void add_parts(answer& to, const graph& g, const cut& of) {
  const auto count = static_cast<std::size_t>(of.parts());
  std::vector<std::int64_t> vertices(count), edges(count);
  const std::span<const std::int32_t> part_of = of.part_of(), degrees = g.in_degrees();
  for (std::size_t v = 0; v < part_of.size(); ++v) {
    ++vertices[static_cast<std::size_t>(part_of[v])];
    edges[static_cast<std::size_t>(part_of[v])] += degrees[v];
  }
  to.json.add("part_vertices", vertices).add("part_edges", edges);
  for (std::size_t k = 0; k < count; ++k)
    to.line("part " + std::to_string(k),
            std::to_string(vertices[k]) + " vertices, " + std::to_string(edges[k]) + " edges into them");
}

void write_rows(parts_folder& to, const graph_source& of) {
  if (of.data) {
    to.write("features", of.data->features).write("labels", of.data->labels);
    to.write("train", of.data->train).write("val", of.data->val).write("test", of.data->test);
  }
  if (of.weights) to.write("weights", of.graph.edge_values(of.weights->to<float>()));
}

void partition_graph(const partition_options& asked) {
  if (asked.parts == 0 && (asked.by == "metis" || asked.by == "ranges"))
    throw wrong_usage("partition needs --parts, the number of parts");
  const graph_source of = read_graph(asked.name, asked.graph);
  if (of.kinds) throw error("graph " + asked.name + " has several kinds; stg partition cuts graphs of one kind");
  const cut parts = made(of.graph, asked);
  parts_folder folder = write_parts(asked.path, parts);
  write_rows(folder, of);
  const cut::costs cost = parts.cost();
  const auto percent = [](double share) { return digits_for_reader(100 * share) + " %"; };
  answer all;
  all.json.add("name", asked.path).add("by", asked.by);
  all.title(asked.path + ": " + std::to_string(parts.parts()) + " parts of " + asked.name + ", by " + asked.by);
  all.json.add("parts", parts.parts());
  all.fact("vertices", "vertices", of.graph.vertices()).fact("edges", "edges", of.graph.edges());
  all.fact("cut edges", "cut_edges", cost.cut_edges, percent(cost.cut_edges) + " of edges join two parts");
  all.fact("halo rows", "halo_rows", cost.halo_rows,
           percent(cost.halo_rows) + " of vertices, in copies beside the own");
  all.fact("interior rows", "interior_rows", cost.interior_rows,
           percent(cost.interior_rows) + " of rows need no other part");
  all.fact("largest work", "largest_work", cost.largest_work, digits_for_reader(cost.largest_work) + " of the mean");
  add_parts(all, of.graph, parts);
  print(all, asked.as_json);
}

}  // namespace

void add_partition(tool& to) {
  add_command<partition_options>(
      to, "partition", "the parts of a graph, as a folder that ranks read", "stg partition cora parts --parts 4",
      [](CLI::App& command, partition_options& o) {
        command.add_option("graph", o.name, "data set, file or folder")->required()->type_name(a_graph);
        command.add_option("folder", o.path, "where the parts are written")->required()->type_name(a_path);
        add_number(command, "--parts", o.parts, 1, cut::blocks, "number of parts");
        command
            .add_option("--by", o.by,
                        "metis: few edges between parts; ranges: consecutive vertices; or a .npy file with the part "
                        "of each vertex")
            ->type_name("metis|ranges|PATH");
        add_number(command, "--seed", o.seed, 0, INT64_MAX, "another number, another cut by metis");
        add_json(command, o.as_json);
        add_graph_options(command, o.graph);
      },
      partition_graph);
}

}  // namespace stg::command_line
