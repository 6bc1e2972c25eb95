// SQLite keeps a double bit for bit, and counts.
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace {

TEST(Sqlite, GivesBackTheSameDouble) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db, "select 1 + 1, ?", -1, &statement, nullptr), SQLITE_OK);
  const double third = 1.0 / 3.0;
  sqlite3_bind_double(statement, 1, third);
  ASSERT_EQ(sqlite3_step(statement), SQLITE_ROW);
  EXPECT_EQ(sqlite3_column_int(statement, 0), 2);
  EXPECT_EQ(sqlite3_column_double(statement, 1), third);
  sqlite3_finalize(statement);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
}

}  // namespace
