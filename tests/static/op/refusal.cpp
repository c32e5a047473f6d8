// An operation that refuses a gradient carries the sentence that says so.
#include <stg/op/list.hpp>  // refuses_in_words

namespace {

struct forgotten : stg::op::pointwise<stg::ir::opcode::floor, 1> {
  static constexpr int refused_operands = 1;
};
struct in_words : forgotten {
  STG_REFUSES_GRADIENT("in_words, which has none", "in_words(detach(x))");
};
static_assert(!stg::op::refuses_in_words<forgotten>);
static_assert(stg::op::refuses_in_words<in_words>);
static_assert(sizeof(in_words::refusal<false>) > 0);  // where nobody asks, nothing is said

#define STG_IN_WORDS(word) static_assert(stg::op::refuses_in_words<stg::op::word>);
STG_OPERATIONS(STG_IN_WORDS)
#undef STG_IN_WORDS

}  // namespace
