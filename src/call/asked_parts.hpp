// What explanations of exchanges ask of: the steps of scans, and ranks that send nothing.
#pragma once

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

#include <stg/base/error.hpp>            // error
#include <stg/codegen/plan_data.hpp>     // plan_data
#include <stg/codegen/scan.hpp>          // step_program
#include <stg/runtime/communicator.hpp>  // communicator

#include "report_programs.hpp"  // planned_programs

namespace stg::detail {

/// The steps of a program's scans, as far as exchanges ask for them.
struct planned_steps {
  std::vector<std::unique_ptr<explained::program_with_plan>> programs{};
  std::vector<std::unique_ptr<planned_steps>> inner{};
  std::vector<codegen::plan_data> data{};
  std::vector<codegen::step_program> table{};

  explicit planned_steps(const ir::program& of) {
    data.reserve(explained::index(of.callees.size()));
    for (const ir::program& step : of.callees) {
      const auto& p =
          *programs.emplace_back(std::make_unique<explained::program_with_plan>(step, 0, std::vector<std::string>()));
      inner.push_back(std::make_unique<planned_steps>(step));
      data.push_back(codegen::data_over(p.p, p.plan, p.plan.sizes(), p.p.outputs.size()));
      codegen::step_program one;
      one.data = &data.back();
      one.steps = inner.back()->table.data();
      table.push_back(one);
    }
  }
};

/// A rank that is asked about and sends nothing.
class asked_rank final : public communicator {
 public:
  asked_rank(int number, int of) : rank_(number), size_(of) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  using communicator::send;
  void send(int, std::uint64_t, message_room) override { refuse(); }
  void expect(int, std::uint64_t, std::byte*, std::int64_t) override { refuse(); }
  void receive(int, std::uint64_t) override { refuse(); }
  void fail(std::string_view) noexcept override {}

 private:
  [[noreturn]] static void refuse() { throw error("stg internal: a part that is asked about runs"); }
  int rank_, size_;
};

}  // namespace stg::detail
