// find_placed: what some unit has to compute, who reads which value, and where both are of one row.
#include "../pass/symbols.hpp"

#include <stg/analysis/readings.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>

namespace stg {

constexpr ir::program written(auto program) { return pass::dce(pass::cse(trace(program))); }
constexpr pass::placed_values found(auto program) { return pass::find_placed(written(program)); }
constexpr ir::value_id first_of(const ir::program& p, ir::opcode code) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == code) return i;
  return ir::no_value;
}
/// Whether the first value of an operation is placed.
constexpr bool places(auto program, ir::opcode code) {
  return found(program).is_placed[first_of(written(program), code)];
}
constexpr int readings_of(auto program) { return found(program).readings.size(); }
constexpr int input_readings_of(auto program) { return found(program).input_readings.size(); }
/// Of the readings, those within one row.
constexpr int rows_of(auto program) {
  int n = 0;
  for (const pass::reading& r : found(program).readings) n += r.row;
  return n;
}

// What is read along edges is read once, however many messages it is in.
constexpr auto squared = [](auto v) {
  auto e = v.in_edges();
  auto near = e.src(stg::exp(v(x)));
  return sum(near * near * e.src(stg::exp(v(x))));
};
static_assert(readings_of(squared) == 1 && rows_of(squared) == 0);
// At the end that owns the edges it is of the row of the sum.
static_assert(rows_of([](auto v) { return sum(v.in_edges().dst(stg::exp(v(x)))); }) == 1);
static_assert(rows_of([](auto v) { return sum(v.out_edges().dst(stg::exp(v(x)))); }) == 0);

// A product's row, a number of the graph and what they are read for are computed one after the other.
static_assert(readings_of([](auto v) { return relu(matmul(v(x), W)); }) == 1);
static_assert(rows_of([](auto v) { return relu(matmul(v(x), W)); }) == 0);
static_assert(rows_of([](auto v) { return v(x) + stg::exp(v(scalar<"s">)); }) == 0);
static_assert(rows_of([](auto v) { return stg::exp(stg::sin(v(x))); }) == 1);
static_assert(rows_of([](auto v) { return v(x) + stg::exp(stg::sin(v(scalar<"s">))); }) == 1, "that of both numbers");

// Sorted by what is made, in the order in which they were found.
constexpr bool are_sorted() {
  sequence<pass::reading> all;
  for (const pass::reading& r : {pass::reading{2, 0}, pass::reading{2, 1}, pass::reading{1, 0}}) all.push_back(r);
  const pass::sorted_readings readers(all, &pass::reading::made, 3);
  return readers[0].size() == 2 && readers[0].first[0].reader == 2 && readers[0].first[1].reader == 1 &&
         readers[1].size() == 1 && readers[1].first[0].reader == 2 && readers[2].size() == 0;
}
static_assert(are_sorted());

// Rows of inputs: of what is computed per vertex, and of inputs alone.
static_assert(input_readings_of([](auto v) { return stg::exp(v(x)) + v(y); }) == 2);
static_assert(input_readings_of([](auto v) { return matmul(v(x), W); }) == 0, "a product reads all rows");
static_assert(input_readings_of([](auto v) { return v(x) * 2.0; }) == 1, "a constant is none");
static_assert(input_readings_of([](auto v) { return sum(v.in_edges().dst(x)); }) == 0, "an aggregate is not moved");

// A product reads a constant's rows where they lie; the mask of a sparse product that masks nothing is no value.
constexpr auto words = sparse_feature<"words", 4>;
constexpr int placed(auto program) {
  int n = 0;
  for (const unsigned char is : found(program).is_placed) n += is;
  return n;
}
static_assert(places([](auto v) { return matmul(v(x), full<f32, 4, 2>(0.5)); }, ir::opcode::broadcast_to));
static_assert(placed([](auto v) { return matmul(v(words), full<f32, 4, 2>(0.5)); }) == 2);
static_assert(!places([](auto v) { return v(x) + full<f32, 4>(0.5); }, ir::opcode::constant));

// The steps of a scan read their arguments from memory; their results read nothing, since the steps are one with them.
constexpr bool reads_in_steps() {
  const ir::program p = written([](auto v) {
    return scan<3>(
        v, [](auto v, auto h) { return h * v(y); }, tanh(v(x)));
  });
  const pass::placed_values values = pass::find_placed(p);
  return values.readings.size() == 1 && p[values.readings[0].reader].code == ir::opcode::scan &&
         p[values.readings[0].made].code == ir::opcode::tanh && !values.readings[0].row &&
         values.is_placed[first_of(p, ir::opcode::result)] && values.is_placed[first_of(p, ir::opcode::tanh)];
}
static_assert(reads_in_steps());

// A mask is drawn by whoever reads a row of it, what moves parts of rows as well.
constexpr ir::program part_of_mask() {
  ir::program p = written([](auto v) { return slice<0, 2>(dropout(v(x), 0.5)); });
  p.statements[first_of(p, ir::opcode::slice)].operands[0] = first_of(p, ir::opcode::keep_mask);
  return p;
}
static_assert(!pass::find_placed(part_of_mask()).is_placed[first_of(part_of_mask(), ir::opcode::keep_mask)]);

}  // namespace stg
