// The functions of from_pyg and to_pyg.
#include "pyg_layers.hpp"  // describe

#include <utility>  // as_const

#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg::nn {

namespace pyg {

namespace {

/// A vertex set of HGTConv: keys, queries and messages are one Linear there.
void describe_set(io file, const std::string& name, weights::hgt_set& of) {
  const std::string joined = "kqv_lin.lins." + name;
  weights::linear* const parts[] = {&of.key, &of.query, &of.message};
  weights::linear all;
  if (file.is_reading()) {
    describe_linear(file, joined, all);
    const std::int64_t width = last_extent(all.W) / 3;
    for (std::int64_t k = 0; k < 3; ++k)
      *parts[k] = {columns(all.W, k * width, width), columns(all.bias, k * width, width)};
  } else {
    std::vector<values> W, b;
    for (const weights::linear* part : parts) W.push_back(part->W.clone()), b.push_back(part->bias.clone());
    all = {side_by_side(W), side_by_side(b)};
    describe_linear(file, joined, all);
  }
  describe_linear(file, "out_lin.lins." + name, of.out);
  if (file.is_reading()) {
    of.skip = file.read("skip." + name, 1);
    file.check(of.skip.size() == 1, "skip." + name, "has " + std::to_string(of.skip.size()) + " numbers; expected one");
    of.skip = as_shape(std::move(of.skip), {});
  } else {
    file.write("skip." + name, as_shape(of.skip.clone(), {1}));
  }
}

/// Matrices of all heads and relations lie in one tensor, those of head h and relation r at h · relations + r.
void describe_matrices(io file, const std::string& name, weights::hgt_conv& of, values weights::hgt_edges::*member,
                       const std::vector<std::string>& relations) {
  const auto count = static_cast<std::int64_t>(relations.size());
  values all;
  if (file.is_reading()) {
    all = file.read(name, 3);
    file.check(count > 0 && all.extent(0) % count == 0, name,
               "has " + std::to_string(all.extent(0)) + " matrices, no multiple of the " + std::to_string(count) +
                   " relations that are given");
  } else {
    const values& one = of.relations.at(relations[0]).*member;
    all = values({count * one.extent(0), one.extent(1), one.extent(2)});
  }
  const std::int64_t heads = all.extent(0) / count;
  for (std::int64_t r = 0; r < count; ++r) {
    values& mine = of.relations[relations[static_cast<std::size_t>(r)]].*member;
    if (file.is_reading()) mine = values({heads, all.extent(1), all.extent(2)});
    for (std::int64_t h = 0; h < heads; ++h)
      if (file.is_reading()) mine.row(h).assign(all.row(h * count + r));
      else all.row(h * count + r).assign(mine.row(h));
  }
  if (!file.is_reading()) file.write(name, std::move(all));
}

}  // namespace

void describe_hgt(io file, weights::hgt_conv& of, const std::vector<std::string>& relations) {
  file.check(!relations.empty(), "k_rel.weight", "is that of relations; give their names, in the order of the model");
  if (file.is_reading())
    for (const std::string& set : file.parts_behind("kqv_lin.lins.")) of.sets[set];
  for (auto& [name, set] : of.sets) describe_set(file, name, set);
  describe_matrices(file, "k_rel.weight", of, &weights::hgt_edges::W, relations);
  describe_matrices(file, "v_rel.weight", of, &weights::hgt_edges::V, relations);
  for (const std::string& relation : relations)
    file.need("p_rel." + relation, of.relations[relation].prior, form::one_more);
}

}  // namespace pyg

// A description that writes changes nothing of what it is given.
#define STG_READS_LAYER(layer)                                                                \
  weights::layer from_pyg::layer(const safetensors_file& file, const std::string& name) try { \
    weights::layer of;                                                                        \
    pyg::describe(pyg::io(file, name), of);                                                   \
    return of;                                                                                \
  } catch (const std::bad_alloc&) {                                                           \
    detail::no_memory();                                                                      \
  }
#define STG_WRITES_LAYER(layer)                                                                         \
  void to_pyg::layer(safetensors_writer& file, const std::string& name, const weights::layer& of) try { \
    pyg::describe(pyg::io(file, name), const_cast<weights::layer&>(of));                                \
  } catch (const std::bad_alloc&) {                                                                     \
    detail::no_memory();                                                                                \
  }
STG_EACH_LAYER_OF_PYG(STG_READS_LAYER)
STG_EACH_LAYER_OF_PYG(STG_WRITES_LAYER)
#undef STG_READS_LAYER
#undef STG_WRITES_LAYER

weights::hgt_conv from_pyg::hgt_conv(const safetensors_file& file, const std::string& name,
                                     const std::vector<std::string>& relations) try {
  weights::hgt_conv of;
  pyg::describe_hgt(pyg::io(file, name), of, relations);
  return of;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void to_pyg::hgt_conv(safetensors_writer& file, const std::string& name, const weights::hgt_conv& of,
                      const std::vector<std::string>& relations) try {
  pyg::describe_hgt(pyg::io(file, name), const_cast<weights::hgt_conv&>(of), relations);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg::nn
