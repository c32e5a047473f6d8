// test: draft programs_at_run_time
// verify at run time: every rule has a broken program, samples keep all rules, and nothing makes it throw.
#include "../static/pass/broken.hpp"   // examples
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/ir/print.hpp>         // to_text
#include <stg/analysis/verify.hpp>  // verify

#include <gtest/gtest.h>  // TEST

#include <random>  // mt19937
#include <set>     // set

namespace stg {
namespace {

using pass::finding;
using pass::verify;

TEST(verify, finds_what_is_broken_by_hand) {
  std::set<op::rule> found;
  for (const broken::example& e : broken::examples) {
    const ir::program p = e.program();
    const finding f = verify(p);
    EXPECT_EQ(f.what, e.what) << ir::to_text(p);
    EXPECT_EQ(f.at, e.at) << ir::to_text(p);
    found.insert(f.what);
  }
  for (int i = 0; i <= static_cast<int>(op::rule::member_is_in_range); ++i)
    EXPECT_TRUE(found.contains(static_cast<op::rule>(i))) << "no example breaks rule " << i;
}

TEST(verify, finds_nothing_in_the_samples) {
  test::for_each_traced([](const test::traced_sample& sample) {
    const ir::program p = sample.program;
    EXPECT_EQ(verify(p), finding()) << sample.name << "\n" << ir::to_text(p);
  });
}

TEST(verify, finds_every_change_of_a_space_a_type_or_a_shape) {
  test::for_each_traced([](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = sample.program;
    for (int i = 0; i < p.statements.size(); ++i) {
      const op::info& known = op::info_of(p.statements[i].code);
      if (known.kind == op::category::source) continue;
      ir::program q = p;
      ir::statement& s = q.statements[i];
      if (s.code != ir::opcode::broadcast_to) {
        s.where = s.where == ir::space::vertex ? ir::space::edge : ir::space::vertex;
        EXPECT_NE(verify(q), finding()) << "space of " << i << "\n" << ir::to_text(q);
      }
      if (s.code != ir::opcode::cast) {
        q = p;
        q.statements[i].type = s.type == f64 ? f32 : f64;
        EXPECT_NE(verify(q), finding()) << "type of " << i << "\n" << ir::to_text(q);
      }
      q = p;
      q.statements[i].dims.rank == 0 ? q.statements[i].dims.push(ir::extent(17))
                                     : void(q.statements[i].dims.axes[0].code = 17);
      const bool free = p.statements[i].code == ir::opcode::slice || p.statements[i].code == ir::opcode::pad ||
                        p.statements[i].code == ir::opcode::broadcast_to;
      EXPECT_TRUE(free || verify(q) != finding()) << "shape of " << i << "\n" << ir::to_text(q);
    }
  });
}

TEST(verify, never_throws) {
  std::mt19937 random(3);
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  test::for_each_traced([&](const test::traced_sample& sample) {
    const ir::program p = sample.program;
    for (int round = 0; round < 2000; ++round) {
      ir::program q = p;
      for (int change = below(3); change >= 0; --change) {
        ir::statement& s = q.statements[static_cast<std::size_t>(below(q.size()))];
        switch (below(8)) {
          case 0:
            s.code = static_cast<ir::opcode>(below(ir::opcode_count));
            break;
          case 1:
            s.where = ir::domain(static_cast<ir::space>(below(3)), below(4) == 0 ? below(3) : 0);
            break;
          case 2:
            s.type = static_cast<scalar_type>(below(4));
            break;
          case 3:
            s.dims.rank = below(ir::shape::max_rank + 1);
            break;
          case 4:
            s.dims.axes[below(ir::shape::max_rank)].code = below(12) - 6;
            break;
          case 5:
            s.operands[below(3)] = below(q.size() + 6) - 3;
            break;
          case 6:
            s.attribute_ = below(40) - 20;
            break;
          default:
            s.axis_ = below(8) - 2;
            break;
        }
      }
      if (!q.outputs.empty() && below(10) == 0) q.outputs[0].at = below(q.size() + 6) - 3;
      ASSERT_NO_THROW(verify(q)) << sample.name;
    }
  });
}

}  // namespace
}  // namespace stg
