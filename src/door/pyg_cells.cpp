// Cells of PyTorch and of PyG-T, whose gates are joined, and normalisations and readouts.
#include "pyg_layers.hpp"  // describe

#include <utility>  // move

namespace stg::nn::pyg {

namespace {

/// Widths of gates, joined side by side: tensors NAME of each gate, in the order of nn/.
class gates {
 public:
  gates(io file, std::vector<std::string> letters) : file_(file), letters_(std::move(letters)) {}

  /// matrices(file, letter, W) describes one gate's; all of them are one tensor here.
  template <class Each> void join(values& all, const Each& each) {
    std::vector<values> parts(letters_.size());
    if (!file_.is_reading()) split(all, parts);
    for (std::size_t k = 0; k < letters_.size(); ++k) each(file_, letters_[k], parts[k]);
    if (file_.is_reading()) all = side_by_side(parts);
  }
  /// The same of the terms of a polynomial, conv_x_i.lins.0.weight, …
  template <class Name> void join_terms(std::vector<values>& all, const Name& name) {
    if (file_.is_reading()) {
      std::vector<values> terms;
      describe_terms(file_, name(letters_[0]) + ".lins", terms);
      all.resize(terms.size());
    }
    for (std::size_t k = 0; k < all.size(); ++k)
      join(all[k], [&](io file, const std::string& letter, values& W) {
        file.matrix(name(letter) + ".lins." + std::to_string(k) + ".weight", W);
      });
  }
  /// Biases that are added up here: the first name of a gate gets all of them on the way back, the others zeros.
  template <class Names> void join_biases(values& all, std::int64_t hidden, const Names& names) {
    std::vector<values> parts(letters_.size());
    if (!file_.is_reading()) split(all, parts);
    for (std::size_t k = 0; k < letters_.size(); ++k) {
      bool is_first = true;
      for (const std::string& name : names(letters_[k])) {
        add_up(name, parts[k], hidden, is_first);
        is_first = false;
      }
    }
    if (file_.is_reading()) all = side_by_side(parts);
  }

 private:
  void split(const values& all, std::vector<values>& parts) const {
    const std::int64_t width = last_extent(all) / static_cast<std::int64_t>(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = columns(all, static_cast<std::int64_t>(k) * width, width);
  }
  /// One of a gate's biases, (hidden), or (1, hidden) of those whose name begins with b_.
  void add_up(const std::string& name, values& sum, std::int64_t hidden, bool is_first) {
    const form as = name.starts_with("b_") ? form::one_more : form::same;
    if (!file_.is_reading()) {
      values zeros({hidden});
      return file_.need(name, is_first ? sum : zeros, as);
    }
    values one({hidden});
    if (file_.has(name)) file_.need(name, one, as);
    if (is_first) sum = std::move(one);
    else add(sum, one);
  }

  io file_;
  std::vector<std::string> letters_;
};

using names = std::vector<std::string>;
const names gru_letters{"r", "z", "h"}, lstm_letters{"i", "f", "c", "o"};

}  // namespace

void describe_lstm(io file, weights::lstm& of, const std::string& behind) {
  file.matrix("weight_ih" + behind, of.I);
  file.matrix("weight_hh" + behind, of.S);
  const std::string first = "bias_ih" + behind, second = "bias_hh" + behind;
  file.bias(first, of.bias, last_extent(of.I));
  values more = values(of.bias.shape());
  file.bias(second, more, last_extent(of.I));
  if (file.is_reading()) add(of.bias, more);
}

namespace {
/// "_l0" of an LSTM, nothing of an LSTMCell: of written ones as of an LSTM.
std::string behind_names(io file) { return file.is_reading() && file.has("weight_ih") ? "" : "_l0"; }
void describe_gru(io file, weights::gru& of, const std::string& behind) {
  file.matrix("weight_ih" + behind, of.I);
  file.matrix("weight_hh" + behind, of.S);
  file.bias("bias_ih" + behind, of.bias, last_extent(of.I));
  file.bias("bias_hh" + behind, of.b_state, last_extent(of.S));
}
}  // namespace

void describe(io file, weights::lstm& of) { describe_lstm(file, of, behind_names(file)); }
void describe(io file, weights::gru& of) { describe_gru(file, of, behind_names(file)); }

void describe(io file, weights::gated_graph& of) {
  if (file.is_reading()) {
    const values all = file.read("weight", 3);
    for (std::int64_t k = 0; k < all.extent(0); ++k) of.W.push_back(all.row(k).clone());
  } else {
    std::vector<const values*> parts;
    for (const values& W : of.W) parts.push_back(&W);
    file.write("weight", stacked(parts));
  }
  describe_gru(file.within("rnn"), of.cell, "");
}

namespace {

/// Blocks (a, b) on the diagonal of (3 a, 3 b), and back.
values on_diagonal(const std::vector<values>& blocks) {
  const std::int64_t a = blocks[0].extent(0), b = blocks[0].extent(1);
  values all({3 * a, 3 * b});
  for (std::int64_t k = 0; k < 3; ++k)
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t j = 0; j < b; ++j) all(k * a + i, k * b + j) = blocks[static_cast<std::size_t>(k)](i, j);
  return all;
}
/// x W, rows of one by a matrix: what a bias of a convolution adds to a gate.
values times(const values& x, const values& W) {
  values y({W.extent(1)});
  for (std::int64_t i = 0; i < W.extent(0); ++i)
    for (std::int64_t j = 0; j < W.extent(1); ++j) y(j) += x(i) * W(i, j);
  return y;
}

void read_tgcn(io file, weights::tgcn& of) {
  std::vector<values> W, F, S, b;
  for (const std::string& letter : gru_letters) {
    weights::gcn_conv conv;
    describe(file.within("conv_" + letter), conv);
    weights::linear linear;
    describe_linear(file, "linear_" + letter, linear);
    const std::int64_t hidden = last_extent(linear.W), features = last_extent(conv.W);
    file.check(linear.W.extent(0) == features + hidden, "linear_" + letter + ".weight",
               "has another width than [convolution, state]");
    F.push_back(rows(linear.W, 0, features));
    S.push_back(rows(linear.W, features, hidden));
    add(linear.bias, times(conv.bias, F.back()));
    W.push_back(std::move(conv.W));
    b.push_back(std::move(linear.bias));
    file.check(F[0].shape() == F.back().shape() && S[0].shape() == S.back().shape(), "linear_" + letter + ".weight",
               "has another shape than linear_r.weight");
  }
  of.W = side_by_side(W);
  of.F = on_diagonal(F);
  of.N = std::move(S[2]);
  S.pop_back();
  of.S = side_by_side(S);
  of.bias = side_by_side(b);
}

void write_tgcn(io file, weights::tgcn& of) {
  const std::int64_t hidden = last_extent(of.N), features = last_extent(of.W) / 3;
  for (std::int64_t k = 0; k < 3; ++k) {
    const std::string& letter = gru_letters[static_cast<std::size_t>(k)];
    const values block = rows(of.F, k * features, features);
    weights::gcn_conv conv{columns(of.W, k * features, features), values({features})};
    describe(file.within("conv_" + letter), conv);
    std::vector<values> both;
    both.push_back(transposed(columns(block, k * hidden, hidden)));
    both.push_back(transposed(k < 2 ? columns(of.S, k * hidden, hidden) : of.N.clone()));
    file.write("linear_" + letter + ".weight", side_by_side(both));
    file.write("linear_" + letter + ".bias", columns(of.bias, k * hidden, hidden));
    for (std::int64_t i = 0; i < block.extent(0); ++i)
      for (std::int64_t j = 0; j < block.extent(1); ++j)
        file.check(j / hidden == k || block(i, j) == 0, "linear_" + letter + ".weight",
                   "has no place for F, whose gates are no blocks of their own; TGCN keeps gates apart");
  }
}

}  // namespace

void describe(io file, weights::tgcn& of) { file.is_reading() ? read_tgcn(file, of) : write_tgcn(file, of); }

void describe(io file, weights::gconv_gru& of) {
  const auto of_x = [](const std::string& letter) { return "conv_x_" + letter; };
  const auto of_h = [](const std::string& letter) { return "conv_h_" + letter; };
  gates all(file, gru_letters), two(file, {"r", "z"}), candidate(file, {"h"});
  all.join_terms(of.I, of_x);
  two.join_terms(of.S, of_h);
  candidate.join_terms(of.N, of_h);
  all.join_biases(of.bias, last_extent(of.I[0]) / 3, [&](const std::string& letter) {
    return names{of_x(letter) + ".bias", of_h(letter) + ".bias"};
  });
}

void describe(io file, weights::gconv_lstm& of) {
  const auto of_x = [](const std::string& letter) { return "conv_x_" + letter; };
  const auto of_h = [](const std::string& letter) { return "conv_h_" + letter; };
  gates all(file, lstm_letters);
  all.join_terms(of.I, of_x);
  all.join_terms(of.S, of_h);
  const std::int64_t hidden = last_extent(of.I[0]) / 4;
  all.join_biases(of.bias, hidden, [&](const std::string& letter) {
    return names{"b_" + letter, of_x(letter) + ".bias", of_h(letter) + ".bias"};
  });
  if (file.is_reading()) of.p = values({3, hidden});
  std::int64_t row = 0;
  for (const char* name : {"w_c_i", "w_c_f", "w_c_o"}) {
    values part = of.p.row(row).clone();
    file.need(name, part, form::one_more);
    of.p.row(row++).assign(part);
  }
}

void describe(io file, weights::gc_lstm& of) {
  const auto of_h = [](const std::string& letter) { return "conv_" + letter; };
  gates all(file, lstm_letters);
  all.join(of.I, [](io from, const std::string& letter, values& W) {
    from.need("W_" + letter, W);
    from.check_rank("W_" + letter, W, 2);
  });
  all.join_terms(of.S, of_h);
  all.join_biases(of.bias, last_extent(of.I) / 4, [&](const std::string& letter) {
    return names{"b_" + letter, of_h(letter) + ".bias"};
  });
}

namespace {

/// Four RGCNConv with bases of their own as one of four times the bases: those of gate k are 0 but for its columns.
void read_gates_of_relations(io file, const std::string& name, weights::rgcn_conv& of) {
  std::vector<weights::rgcn_conv> each(4);
  std::vector<values> self, coefficients, bases;
  for (std::size_t k = 0; k < 4; ++k) {
    describe(file.within(name + lstm_letters[k]), each[k]);
    self.push_back(std::move(each[k].W_self));
    coefficients.push_back(std::move(each[k].coefficients));
    file.check(each[k].bases.shape() == each[0].bases.shape(), name + lstm_letters[k] + ".weight",
               "has another shape than that of the first gate");
  }
  const std::int64_t count = each[0].bases.extent(0), in = each[0].bases.extent(1), out = each[0].bases.extent(2);
  of.W_self = side_by_side(self);
  of.coefficients = side_by_side(coefficients);
  of.bases = values({4 * count, in, 4 * out});
  for (std::int64_t k = 0; k < 4; ++k)
    for (std::int64_t b = 0; b < count; ++b)
      for (std::int64_t i = 0; i < in; ++i)
        for (std::int64_t j = 0; j < out; ++j)
          of.bases(k * count + b, i, k * out + j) = each[static_cast<std::size_t>(k)].bases(b, i, j);
}

void write_gates_of_relations(io file, const std::string& name, weights::rgcn_conv& of) {
  const std::int64_t count = of.bases.extent(0) / 4, out = last_extent(of.bases) / 4;
  for (std::int64_t k = 0; k < 4; ++k) {
    const std::string gate = name + lstm_letters[static_cast<std::size_t>(k)];
    const values bases = rows(of.bases, k * count, count);
    for (std::int64_t at = 0; at < bases.size(); ++at)
      file.check(at % (4 * out) / out == k || bases.data()[at] == 0, gate + ".weight",
                 "has no place for bases that several gates have in common; LRGCN keeps gates apart");
    weights::rgcn_conv one{
        columns(of.W_self, k * out, out), columns(bases, k * out, out), columns(of.coefficients, k * count, count), {}};
    describe(file.within(gate), one);
  }
}

}  // namespace

void describe(io file, weights::lrgcn& of) {
  const auto each = file.is_reading() ? read_gates_of_relations : write_gates_of_relations;
  each(file, "conv_x_", of.input);
  each(file, "conv_h_", of.state);
  gates(file, lstm_letters).join_biases(of.bias, last_extent(of.input.W_self) / 4, [](const std::string& letter) {
    return names{"conv_x_" + letter + ".bias", "conv_h_" + letter + ".bias"};
  });
}

void describe(io file, weights::dygr_encoder& of) {
  describe(file.within("conv_layer"), of.gated_graph);
  describe_lstm(file.within("recurrent_layer"), of.lstm, "_l0");
}

namespace {
void describe_batch_norm(io file, weights::batch_norm& of) {
  file.need("weight", of.gain);
  file.need("bias", of.bias);
  file.need("running_mean", of.mean);
  file.need("running_var", of.variance);
}
}  // namespace

void describe(io file, weights::mpnn_lstm& of) {
  describe(file.within("_convolution_1"), of.conv1);
  describe(file.within("_convolution_2"), of.conv2);
  describe_batch_norm(file.within("_batch_norm_1"), of.norm1);
  describe_batch_norm(file.within("_batch_norm_2"), of.norm2);
  describe_lstm(file.within("_recurrent_1"), of.lstm1, "_l0");
  describe_lstm(file.within("_recurrent_2"), of.lstm2, "_l0");
}

void describe(io file, weights::layer_norm& of) {
  file.need("weight", of.gain);
  file.need("bias", of.bias);
}

void describe(io file, weights::graph_norm& of) {
  file.need("weight", of.gain);
  file.need("bias", of.bias);
  file.need("mean_scale", of.alpha);
}

void describe(io file, weights::batch_norm& of) {
  // PyG's has PyTorch's as its module; PyTorch's own is read, too.
  const bool is_own = file.is_reading() && !file.has("module.running_mean");
  describe_batch_norm(is_own ? file : file.within("module"), of);
}

void describe(io file, weights::global_attention_pool& of) {
  describe_linear(file, "gate_nn", of.gate);
  describe_linear_if_there(file, "nn", of.nn);
}

void describe(io file, weights::set2set& of) { describe_lstm(file.within("lstm"), of.lstm, "_l0"); }

void describe(io file, weights::jumping_knowledge_lstm& of) {
  describe_lstm(file.within("lstm"), of.forward, "_l0");
  describe_lstm(file.within("lstm"), of.backward, "_l0_reverse");
  weights::linear score{std::move(of.score), values({1})};
  describe_linear(file, "att", score);
  of.score = std::move(score.W);
}

}  // namespace stg::nn::pyg
