// test: draft programs_at_run_time
// What the plans of samples, layers and networks do, unit by unit: a pass that makes more sweeps, keeps more values or
// computes more on edges than it did is a failing test, though every number is right.
#include "golden.hpp"
#include "support/layers.hpp"          // for_each_layer
#include "support/networks.hpp"        // gcn_loss, gat_loss
#include "support/plan_text.hpp"       // plans_of, plan_text_with_steps
#include "support/scans.hpp"           // for_each_scan
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/pipeline.hpp>  // canonical

#include <string>       // string
#include <string_view>  // string_view

namespace stg {
namespace {

using text_of_program = std::string (*)(const std::string&, const ir::program&);

std::string plans_of(std::string_view name, const ir::program& written, text_of_program text_of = test::plan_text) {
  const ir::program p = pipeline::canonical(written);
  sequence<int> provided;
  for (int k = 0; k < p.outputs.size(); ++k)
    if (is_real(p[p.outputs[k].at].type)) provided.push_back(k);
  return "==== " + std::string(name) + " ====\n" + test::plans_of(p, provided, pass::trainable_inputs(p), text_of);
}

TEST(plans, of_samples_are_as_kept) {
  std::string text;
  test::for_each_traced([&](const test::traced_sample& sample) { text += plans_of(sample.name, sample.program); });
  EXPECT_TRUE(stg_test::equals_golden("plans.txt", text));
}
/// Programs of some fifty statements, whose units are many and whose gradients read what was saved.
TEST(plans, of_layers_are_as_kept) {
  std::string text;
  layers::for_each_layer([&](auto layer) { text += plans_of(layer.name, trace(layer.program)); });
  text += plans_of("network gcn", trace(test::networks::gcn_loss));
  text += plans_of("network gat", trace(test::networks::gat_loss));
  EXPECT_TRUE(stg_test::equals_golden("plans_of_layers.txt", text));
}

/// What a step saves, and what it makes anew; which results and carried values are left of it.
TEST(plans, of_scans_are_as_kept) {
  std::string text;
  scans::for_each_scan([&]<const auto & Program>(const char* name) {
    const ir::program traced = trace(Program);
    text += plans_of(name, traced, test::plan_text_with_steps) +
            test::plan_text_with_steps("as it was traced", pipeline::canonical(traced));
  });
  EXPECT_TRUE(stg_test::equals_golden("plans_of_scans.txt", text));
}

}  // namespace
}  // namespace stg
