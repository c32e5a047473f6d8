// The page of a program that is a value, from the plan that a call of it runs.
#include <stg/call/program_page.hpp>

#include <utility>  // move

#include <stg/call/memory.hpp>            // launch_for
#include <stg/call/report.hpp>            // page, write_whole_file
#include <stg/call/runnable.hpp>          // runnable
#include <stg/codegen/draft/backend.hpp>  // draft
#include <stg/codegen/draft/plan.hpp>     // workspace
#include <stg/codegen/frame.hpp>          // call_sizes, find_in_place, measure
#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg {

void write_page(const std::string& path, const ir::program& p) try {
  const drafts::made_program made(runnable(p).planned());
  const std::vector<std::int64_t> extents(static_cast<std::size_t>(made.program.extents.size()) + 1, 1);
  const sequence<kind_rows> kinds = detail::rows_of_kinds(made.program.kinds, nullptr);
  detail::call_sizes any{1, 1, extents.data()};
  any.kinds = kinds.data();

  detail::compiled_programs all;
  all.threads = threads();
  all.inference.program = made.program;
  all.inference.buffers.resize(static_cast<std::size_t>(made.data.size));
  std::vector<unsigned char> in_place(static_cast<std::size_t>(made.data.output_count));
  detail::measure(made.data, any, 0, all.inference.buffers);
  detail::find_in_place(made.data, all.inference.buffers, in_place.data());
  for (int k = 0; k < made.data.output_count; ++k)
    if (in_place[static_cast<std::size_t>(k)])
      all.in_callers_tensors.push_back(made.data.root(made.data.outputs[k].at));
  all.inference_bytes.values = place(all.inference.buffers);
  all.inference_bytes.workspace = drafts::workspace(made, detail::launch_for(draft(), any));
  detail::write_whole_file(path, detail::page(path, p, all, nullptr));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
