// The benchmarks' main: Google Benchmark's own, and --markdown, which prints each family TABLE/ROW/COLUMN as a table of labels.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace tread {
namespace {

class MarkdownReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const std::string& name = run.run_name.function_name;  // without /manual_time and the like
      const std::size_t first = name.find('/'), second = name.find('/', first + 1);
      if (second == std::string::npos) continue;
      Table& table = Named(name.substr(0, first));
      const std::string row = name.substr(first + 1, second - first - 1), column = name.substr(second + 1);
      Add(row, &table.rows);
      Add(column, &table.columns);
      table.cells[{row, column}] = run.error_occurred ? "-" : run.report_label;
    }
  }

  void Finalize() override {
    for (const Table& table : tables_) {
      std::printf("| %s |", table.name.c_str());
      for (const std::string& column : table.columns) std::printf(" %s |", column.c_str());
      std::printf("\n|---|");
      for (std::size_t i = 0; i < table.columns.size(); ++i) std::printf("---|");
      for (const std::string& row : table.rows) {
        std::printf("\n| `%s` |", row.c_str());
        for (const std::string& column : table.columns) {
          const auto cell = table.cells.find({row, column});
          std::printf(" %s |", cell == table.cells.end() ? "" : cell->second.c_str());
        }
      }
      std::printf("\n\n");
    }
  }

 private:
  struct Table {
    std::string name;
    std::vector<std::string> rows, columns;  // in the order of their first run
    std::map<std::pair<std::string, std::string>, std::string> cells;
  };
  static void Add(const std::string& name, std::vector<std::string>* names) {
    if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(name);
  }
  Table& Named(const std::string& name) {
    for (Table& table : tables_) {
      if (table.name == name) return table;
    }
    tables_.push_back({name, {}, {}, {}});
    return tables_.back();
  }

  std::vector<Table> tables_;
};

}  // namespace
}  // namespace tread

int main(int argc, char** argv) {
  char** end =
      std::remove_if(argv, argv + argc, [](char* word) { return std::strcmp(word, "--markdown") == 0; });
  const bool markdown = end != argv + argc;
  argc = static_cast<int>(end - argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  if (markdown) {
    tread::MarkdownReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
  } else {
    benchmark::RunSpecifiedBenchmarks();
  }
}
