// results.sqlite: table runs (one row per run), table columns (name, is_timing), table axes (key, place, value).
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "experiments/sweep/sweep_results.h"
#include "experiments/sweep/whole_file.h"

namespace tread {
namespace {

std::string Quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

class Database {
 public:
  explicit Database(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) Fail();
  }
  ~Database() { sqlite3_close(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void Do(const std::string& sql) {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) Fail();
  }

  // insert into TABLE values (...), for every row.
  void Insert(const std::string& table, const std::vector<std::vector<SweepCell>>& rows) {
    if (rows.empty()) return;
    std::string marks;
    for (std::size_t i = 0; i < rows[0].size(); ++i) marks += i > 0 ? ",?" : "?";
    sqlite3_stmt* raw = nullptr;
    const std::string sql = "insert into " + table + " values (" + marks + ")";
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) Fail();
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) Bind(raw, static_cast<int>(i) + 1, row[i]);
      if (sqlite3_step(raw) != SQLITE_DONE || sqlite3_reset(raw) != SQLITE_OK) Fail();
    }
  }

 private:
  void Bind(sqlite3_stmt* statement, int place, const SweepCell& cell) {
    int result = SQLITE_OK;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
      result = sqlite3_bind_int64(statement, place, *integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      result = sqlite3_bind_double(statement, place, *real);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
      result =
          sqlite3_bind_text(statement, place, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
    } else {
      result = sqlite3_bind_null(statement, place);
    }
    if (result != SQLITE_OK) Fail();
  }
  [[noreturn]] void Fail() const {
    throw std::runtime_error(std::string("results.sqlite: ") + sqlite3_errmsg(db_));
  }

  sqlite3* db_ = nullptr;
};

}  // namespace

void WriteSweepSqlite(const SweepTable& table, const SweepPlan& plan, const std::string& path) {
  const std::string partial = PartialName(path);
  std::filesystem::remove(partial);
  {
    Database db(partial);
    db.Do("pragma journal_mode = off");  // nobody sees the file before it is whole
    std::string columns;
    for (const std::string& column : table.columns) columns += (columns.empty() ? "" : ", ") + Quoted(column);
    db.Do("begin; create table runs (" + columns + ")");
    db.Do("create table columns (name text, is_timing integer)");
    db.Do("create table axes (key text, place integer, value text)");
    db.Insert("runs", table.rows);
    std::vector<std::vector<SweepCell>> names, values;
    for (const std::string& column : table.columns)
      names.push_back({column, static_cast<std::int64_t>(IsTimingColumn(column))});
    for (const SweepAxis& axis : plan.axes) {
      for (std::size_t i = 0; i < axis.values.size(); ++i)
        values.push_back({axis.key, static_cast<std::int64_t>(i), axis.values[i]});
    }
    db.Insert("columns", names);
    db.Insert("axes", values);
    db.Do("commit");
  }
  ReplaceByPartial(path);
}

}  // namespace tread
