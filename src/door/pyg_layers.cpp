// Convolutions and Linear layers of PyG: names, and which way their tensors lie.
#include "pyg_layers.hpp"  // describe

#include <algorithm>  // sort
#include <charconv>   // from_chars

namespace stg::nn::pyg {

namespace {

/// Whether a text is a number of a layer in a Sequential.
bool is_place(const std::string& text, int& place) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), place);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Tensor k of those that lie along the first axis.
values slice_at(const values& t, std::int64_t k) { return t.row(k).clone(); }

void describe_attention(io file, const std::string& name, values& of) { file.need(name, of, form::one_more); }

/// (out, in + more) there, two matrices here.
void describe_two(io file, const std::string& name, values& first, values& second, const std::string& bias, values& b) {
  if (file.is_reading()) {
    const values both = transposed(file.read(name, 2));
    const std::int64_t all = both.extent(0), in = first.extent(0);
    file.check(in <= all, name, "has fewer columns than the layer has inputs");
    second = rows(both, in, all - in);
    first = rows(both, 0, in);
  } else {
    std::vector<values> parts;
    parts.push_back(transposed(first));
    parts.push_back(transposed(second));
    file.write(name, side_by_side(parts));
  }
  file.bias(bias, b, last_extent(first));
}

}  // namespace

void describe_linear(io file, const std::string& name, weights::linear& of) {
  file.matrix(name + ".weight", of.W);
  file.bias(name + ".bias", of.bias, last_extent(of.W));
}

void describe_linear_if_there(io file, const std::string& name, weights::linear& of) {
  if (file.is_reading() ? file.has(name + ".weight") : !is_empty(of.W)) describe_linear(file, name, of);
}

void describe_terms(io file, const std::string& name, std::vector<values>& of) {
  if (file.is_reading()) {
    do of.emplace_back(), file.matrix(name + '.' + std::to_string(of.size() - 1) + ".weight", of.back());
    while (file.has(name + '.' + std::to_string(of.size()) + ".weight"));
  } else {
    for (std::size_t k = 0; k < of.size(); ++k) file.matrix(name + '.' + std::to_string(k) + ".weight", of[k]);
  }
}

void describe(io file, weights::linear& of) {
  file.matrix("weight", of.W);
  file.bias("bias", of.bias, last_extent(of.W));
}

void describe(io file, weights::mlp& of) {
  if (file.is_reading()) {
    for (const std::string& text : file.parts_behind("")) {
      int place = 0;
      if (is_place(text, place) && file.has(text + ".weight")) of.places.push_back(place);
    }
    std::sort(of.places.begin(), of.places.end());
    file.check(!of.places.empty(), "0.weight", "is missing; expected a Sequential with Linear layers");
    of.layers.resize(of.places.size());
  }
  file.check(of.places.size() == of.layers.size(), "0.weight", "is one of layers without places; give each its place");
  for (std::size_t k = 0; k < of.layers.size(); ++k) describe_linear(file, std::to_string(of.places[k]), of.layers[k]);
}

void describe(io file, weights::gcn_conv& of) {
  file.matrix("lin.weight", of.W);
  file.bias("bias", of.bias, last_extent(of.W));
}

void describe(io file, weights::sgc& of) {
  file.matrix("lin.weight", of.W);
  file.bias("lin.bias", of.bias, last_extent(of.W));
}

void describe(io file, weights::cheb_conv& of) {
  describe_terms(file, "lins", of.W);
  file.bias("bias", of.bias, last_extent(of.W[0]));
}

void describe(io file, weights::tag_conv& of) {
  describe_terms(file, "lins", of.W);
  file.bias("bias", of.bias, last_extent(of.W[0]));
}

namespace {

/// Steps and stacks of ARMAConv's tensors: (steps, stacks, …).
void read_arma(io file, weights::arma_conv& of) {
  const values first = file.read("init_weight", 3), later = file.read("weight", 4), root = file.read("root_weight", 4);
  const std::int64_t stacks = first.extent(0), steps = root.extent(0), out = first.extent(2);
  const bool has_bias = file.has("bias");
  const values bias = has_bias ? file.read("bias", 4) : values({steps, stacks, 1, out});
  file.check(later.extent(1) == stacks, "weight", "has another number of stacks than init_weight");
  file.check(root.extent(1) == stacks, "root_weight", "has another number of stacks than init_weight");
  file.check(bias.shape() == dimensions({steps, stacks, 1, out}), "bias", "has shape " + to_string(bias.shape()));
  for (std::int64_t k = 0; k < stacks; ++k) {
    weights::arma_stack& stack = of.stacks.emplace_back();
    stack.W.push_back(slice_at(first, k));
    for (std::int64_t t = 0; t < later.extent(0); ++t) stack.W.push_back(slice_at(slice_at(later, t), k));
    for (std::int64_t t = 0; t < steps; ++t) {
      stack.V.push_back(slice_at(slice_at(root, t), k));
      stack.bias.push_back(as_shape(slice_at(slice_at(bias, t), k), {out}));
    }
  }
}

/// Value `of(stack)[t]` of all stacks, for each t from `begin` on: (steps, stacks, …).
template <class Of> values of_all(const std::vector<weights::arma_stack>& stacks, std::size_t begin, const Of& of) {
  std::vector<values> steps;
  for (std::size_t t = begin; t < of(stacks[0]).size(); ++t) {
    std::vector<const values*> all;
    for (const weights::arma_stack& stack : stacks) all.push_back(&of(stack).at(t));
    steps.push_back(stacked(all));
  }
  std::vector<const values*> all;
  for (const values& step : steps) all.push_back(&step);
  return stacked(all);
}

}  // namespace

void describe(io file, weights::arma_conv& of) {
  if (file.is_reading()) return read_arma(file, of);
  file.check(!of.stacks.empty() && of.stacks[0].W.size() > 1 && !of.stacks[0].V.empty(), "weight",
             "is that of no stack; give each stack two matrices W and one V at least");
  std::vector<const values*> first;
  for (const weights::arma_stack& stack : of.stacks) first.push_back(&stack.W.at(0));
  file.write("init_weight", stacked(first));
  file.write("weight", of_all(
                           of.stacks, 1, [](const auto& stack) -> auto& { return stack.W; }));
  file.write("root_weight", of_all(
                                of.stacks, 0, [](const auto& stack) -> auto& { return stack.V; }));
  if (of.stacks[0].bias.empty()) return;
  values bias = of_all(
      of.stacks, 0, [](const auto& stack) -> auto& { return stack.bias; });
  const dimensions shape{bias.extent(0), bias.extent(1), 1, last_extent(bias)};
  file.write("bias", as_shape(std::move(bias), shape));
}

void describe(io file, weights::gat_conv& of) {
  // Two matrices where sources and destinations have features of their own: of equal features they may be one.
  file.check(!file.is_reading() || file.has("lin.weight") || !file.has("lin_src.weight"), "lin.weight",
             "is missing, and lin_src.weight is there; expected a GATConv of one kind of vertices");
  file.matrix("lin.weight", of.W);
  describe_attention(file, "att_src", of.a_src);
  describe_attention(file, "att_dst", of.a_dst);
  file.may("lin_edge.weight", of.W_edge, form::transposed);
  file.may("att_edge", of.a_edge, form::one_more);
  file.may("res.weight", of.W_residual, form::transposed);
  if (file.is_reading() ? file.has("bias") : !is_empty(of.bias)) file.need("bias", of.bias);
  else if (file.is_reading()) of.bias = values({last_extent(of.W)});
}

void describe(io file, weights::gatv2_conv& of) {
  file.matrix("lin_l.weight", of.W_src);
  file.bias("lin_l.bias", of.b_src, last_extent(of.W_src));
  file.matrix("lin_r.weight", of.W_dst);
  file.bias("lin_r.bias", of.b_dst, last_extent(of.W_dst));
  describe_attention(file, "att", of.a);
  file.may("lin_edge.weight", of.W_edge, form::transposed);
  file.may("res.weight", of.W_residual, form::transposed);
  if (file.is_reading() ? file.has("bias") : !is_empty(of.bias)) file.need("bias", of.bias);
  else if (file.is_reading()) of.bias = values({last_extent(of.W_src)});
}

void describe(io file, weights::transformer_conv& of) {
  const auto linear = [&](const std::string& name, values& W, values& b) {
    file.matrix(name + ".weight", W);
    file.bias(name + ".bias", b, last_extent(W));
  };
  linear("lin_query", of.W_query, of.b_query);
  linear("lin_key", of.W_key, of.b_key);
  linear("lin_value", of.W_value, of.b_value);
  linear("lin_skip", of.W_self, of.b_self);
  file.may("lin_edge.weight", of.W_edge, form::transposed);
  file.may("lin_beta.weight", of.W_beta, form::transposed);
}

void describe(io file, weights::sage_conv& of) {
  file.matrix("lin_l.weight", of.W_neighbours);
  file.bias("lin_l.bias", of.bias, last_extent(of.W_neighbours));
  file.matrix("lin_r.weight", of.W_self);
  describe_linear_if_there(file, "lin", of.project);
}

void describe(io file, weights::graph_conv& of) {
  file.matrix("lin_rel.weight", of.W_neighbours);
  file.bias("lin_rel.bias", of.bias, last_extent(of.W_neighbours));
  file.matrix("lin_root.weight", of.W_self);
}

namespace {
/// GINConv's eps is one number on an axis.
void describe_eps(io file, values& eps) {
  if (file.is_reading()) {
    eps = file.has("eps") ? file.read("eps", 1) : values({1});
    file.check(eps.size() == 1, "eps", "has " + std::to_string(eps.size()) + " numbers; expected one");
    eps = as_shape(std::move(eps), {});
  } else if (!is_empty(eps)) {
    file.write("eps", as_shape(eps.clone(), {1}));
  }
}
}  // namespace

void describe(io file, weights::gin_conv& of) {
  describe(file.within("nn"), of.mlp);
  describe_eps(file, of.eps);
}

void describe(io file, weights::gine_conv& of) {
  describe(file.within("nn"), of.mlp);
  describe_eps(file, of.eps);
  describe_linear_if_there(file, "lin", of.edge);
}

void describe(io file, weights::edge_conv& of) { describe(file.within("nn"), of.mlp); }

namespace {
void describe_tower(io file, const std::string& at, weights::pna_tower& of, bool has_edges) {
  const std::string pre = "pre_nns." + at + ".0.", post = "post_nns." + at + ".0.";
  if (file.is_reading()) {
    const values all = transposed(file.read(pre + "weight", 2));
    const std::int64_t parts = has_edges ? 3 : 2, in = all.extent(0) / parts;
    file.check(all.extent(0) == in * parts, pre + "weight",
               "has shape of no [x_i, x_j" + std::string(has_edges ? ", u]" : "]"));
    of.W_dst = rows(all, 0, in);
    of.W_src = rows(all, in, in);
    if (has_edges) of.W_edge = rows(all, 2 * in, in);
  } else {
    std::vector<values> parts;
    parts.push_back(transposed(of.W_dst));
    parts.push_back(transposed(of.W_src));
    if (has_edges) parts.push_back(transposed(of.W_edge));
    file.write(pre + "weight", side_by_side(parts));
  }
  file.bias(pre + "bias", of.bias, last_extent(of.W_dst));
  file.matrix(post + "weight", of.U);
  file.bias(post + "bias", of.b_u, last_extent(of.U));
}
}  // namespace

void describe(io file, weights::pna_conv& of) {
  describe_linear_if_there(file, "edge_encoder", of.edge);
  if (file.is_reading()) do
      of.towers.emplace_back();
    while (file.has("pre_nns." + std::to_string(of.towers.size()) + ".0.weight"));
  for (std::size_t k = 0; k < of.towers.size(); ++k)
    describe_tower(file, std::to_string(k), of.towers[k], !is_empty(of.edge.W));
  describe_linear(file, "lin", of.last);
  file.may("aggr_module.avg_deg_lin", of.mean_degree);
  if (file.is_reading()) {
    of.delta = file.read("aggr_module.avg_deg_log", 1);
    file.check(of.delta.size() == 1, "aggr_module.avg_deg_log", "is no number");
    of.delta = as_shape(std::move(of.delta), {});
  } else {
    file.write("aggr_module.avg_deg_log", as_shape(of.delta.clone(), {1}));
  }
}

void describe(io file, weights::res_gated_conv& of) {
  file.matrix("lin_skip.weight", of.W_self);
  file.bias("bias", of.bias, last_extent(of.W_self));
  const bool has_edges =
      file.is_reading() ? file.read("lin_key.weight", 2).extent(1) > of.W_self.extent(0) : !is_empty(of.G_edge);
  const auto linear = [&](const std::string& name, values& W, values& b) {
    file.matrix(name + ".weight", W);
    file.bias(name + ".bias", b, last_extent(W));
  };
  if (!has_edges) {
    linear("lin_key", of.G_dst, of.b_dst);
    linear("lin_query", of.G_src, of.b_src);
    linear("lin_value", of.W_value, of.b_value);
    return;
  }
  values more = file.is_reading() ? values() : values(of.G_edge.shape());  // of queries; of keys is G_edge
  if (file.is_reading())
    for (values* W : {&of.G_dst, &of.G_src, &of.W_value}) *W = values(of.W_self.shape());  // how many inputs are x's
  describe_two(file, "lin_key.weight", of.G_dst, of.G_edge, "lin_key.bias", of.b_dst);
  describe_two(file, "lin_query.weight", of.G_src, more, "lin_query.bias", of.b_src);
  describe_two(file, "lin_value.weight", of.W_value, of.W_edge, "lin_value.bias", of.b_value);
  if (file.is_reading()) add(of.G_edge, more);
}

namespace {
/// A film has β, then γ, in one matrix.
void describe_film(io file, const std::string& lin, const std::string& film, weights::film& of) {
  file.matrix(lin, of.W);
  const std::int64_t out = last_extent(of.W);
  if (!file.is_reading()) {
    std::vector<values> parts;
    parts.push_back(of.beta.clone());
    parts.push_back(of.gamma.clone());
    file.write(film + ".weight", transposed(side_by_side(parts)));
    if (is_empty(of.b_beta)) return;
    std::vector<values> biases;
    biases.push_back(of.b_beta.clone());
    biases.push_back(of.b_gamma.clone());
    return file.write(film + ".bias", side_by_side(biases));
  }
  const values both = transposed(file.read(film + ".weight", 2));
  file.check(last_extent(both) == 2 * out, film + ".weight", "has another width than two of " + lin);
  of.beta = columns(both, 0, out);
  of.gamma = columns(both, out, out);
  if (!file.has(film + ".bias")) return;
  const values bias = file.read(film + ".bias", 1);
  of.b_beta = columns(bias, 0, out);
  of.b_gamma = columns(bias, out, out);
}
}  // namespace

void describe(io file, weights::film_conv& of) {
  describe_film(file, "lin_skip.weight", "film_skip", of.self);
  if (file.is_reading()) do
      of.relations.emplace_back();
    while (file.has("lins." + std::to_string(of.relations.size()) + ".weight"));
  for (std::size_t k = 0; k < of.relations.size(); ++k)
    describe_film(file, "lins." + std::to_string(k) + ".weight", "films." + std::to_string(k), of.relations[k]);
}

void describe(io file, weights::rgcn_conv& of) {
  file.need("root", of.W_self);
  file.need("weight", of.bases);
  if (file.is_reading()) file.check_rank("weight", of.bases, 3), file.check_rank("root", of.W_self, 2);
  if (file.is_reading() && !file.has("comp")) {
    of.coefficients = values({of.bases.extent(0), of.bases.extent(0)});
    for (std::int64_t r = 0; r < of.bases.extent(0); ++r) of.coefficients(r, r) = 1;
  } else {
    file.may("comp", of.coefficients);
  }
  file.bias("bias", of.bias, last_extent(of.W_self));
}

void describe(io file, weights::han_conv& of) {
  if (file.is_reading()) {
    for (const std::string& set : file.parts_behind("proj.")) of.project[set];
    for (const std::string& relation : file.parts_behind("lin_src.")) of.relations[relation];
  }
  for (auto& [set, linear] : of.project) describe_linear(file, "proj." + set, linear);
  for (auto& [relation, attention] : of.relations) {
    describe_attention(file, "lin_src." + relation, attention.a_src);
    describe_attention(file, "lin_dst." + relation, attention.a_dst);
  }
  describe_linear(file, "k_lin", of.told);
  file.need("q", of.asks, form::one_more);
}

}  // namespace stg::nn::pyg
