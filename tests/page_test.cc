// Report pages: what Write leaves in the file. How it looks is tests/report_test.sh's matter, in a browser.
#include "experiments/report/page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tread {
namespace {

using Json = nlohmann::json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();

std::string Written(const Page& page) {
  const std::string path = testing::TempDir() + "page_test.html";
  page.Write(path);
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

Json Data(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = html.find(open) + open.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

int Count(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

Plot Single(const Axis& y, std::vector<double> values) {
  Line line{.name = "a", .x = {}, .y = std::move(values), .low = {}, .high = {}};
  for (std::size_t i = 0; i < line.y.size(); ++i) line.x.push_back(0.001 * static_cast<double>(i));
  return {.title = "A plot", .note = "", .x = {"time", "s"}, .y = y, .lines = {line}};
}

// The values of an array of the page: numbers, or base64 of float32.
std::vector<float> Values(const Json& data, const Json& array) {
  if (array.is_array()) {
    std::vector<float> out;
    for (const Json& value : array) out.push_back(value.is_null() ? NAN : value.get<float>());
    return out;
  }
  const std::string text = data["arrays"][array.get<std::size_t>()];
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    word = word << 6 | static_cast<std::uint32_t>(digits.find(c));
    if ((bits += 6) < 8) continue;
    bytes += static_cast<char>(word >> (bits -= 8) & 255);
  }
  std::vector<float> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), 4 * out.size());
  return out;
}

class PageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Page::Unavailable().empty()) GTEST_SKIP() << Page::Unavailable();
  }
  Page page_{"Title", "Subtitle"};
};

TEST_F(PageTest, HasHeadingsTablesAndFigures) {
  page_.Heading("First part");
  page_.Text("Some text.");
  page_.Add(Table{"Results", "A note", {"backend", "error [m/s]"}, {{"ncp_pgs", "0.1"}, {"raisim", "0.2"}}});
  page_.Add(Single({"velocity", "m/s"}, {1, 2, 3}));
  page_.Add(HeatMap{"Map", "", "m", {"on", ""}, {"tuned on", ""}, {"a", "b"}, {"c"}, {{1, kNan}}});
  page_.Download("data.csv", "a,b\n1,2\n");
  const std::string html = Written(page_);
  EXPECT_EQ(Count(html, "<h1>Title</h1>"), 1);
  EXPECT_EQ(Count(html, "<a href=\"#part-1\">First part</a>"), 1);
  EXPECT_EQ(Count(html, "<h2 id=\"part-1\">First part</h2>"), 1);
  EXPECT_EQ(Count(html, "<th scope=\"row\">raisim</th><td>0.2</td>"), 1);
  EXPECT_EQ(Count(html, "<figure class=\"plot\""), 2);
  EXPECT_EQ(Count(html, "{{"), 0);
  const Json data = Data(html);
  EXPECT_EQ(data["items"].size(), 2u);
  EXPECT_EQ(data["items"][0]["y"]["unit"], "m/s");
  EXPECT_EQ(data["items"][0]["lines"][0]["y"], Json({1.0, 2.0, 3.0}));
  EXPECT_TRUE(data["items"][1]["values"][0][1].is_null());
  EXPECT_EQ(data["downloads"][0]["content"], "a,b\n1,2\n");
}

TEST_F(PageTest, NothingFromOutsideIsMarkup) {
  const std::string bad = "</script><script>alert(1)</script><!-- \"&";
  Page page(bad, bad);
  page.Heading(bad);
  page.Text(bad);
  page.Add(Table{bad, bad, {bad}, {{bad}}});
  Plot plot = Single({bad, bad}, {1});
  plot.title = plot.lines[0].name = bad;
  page.Add(plot);
  page.Download(bad, bad);
  const std::string html = Written(page), plain = Written(Page("a", "b"));
  EXPECT_EQ(Count(html, "<script"), Count(plain, "<script"));
  EXPECT_EQ(Count(html, "</script"), Count(plain, "</script"));
  EXPECT_EQ(Count(html, "alert(1)&lt;/script&gt;") > 0, true);
  EXPECT_EQ(Data(html)["items"][0]["lines"][0]["name"], bad);
  EXPECT_EQ(Data(html)["downloads"][0]["content"], bad);
}

TEST_F(PageTest, AsksNothingFromANetwork) {
  page_.Add(Single({"velocity", "m/s"}, {1, 2}));
  const std::string html = Written(page_);
  for (const char* what : {" src=", "<link", "@import", "url("}) EXPECT_EQ(Count(html, what), 0) << what;
  EXPECT_EQ(Count(html, "default-src 'none'"), 1);
}

TEST_F(PageTest, LogarithmicAxesLeaveOutAndCount) {
  page_.Add(Single({"eps", "N", true}, {1e-3, 0, -1, kInf, kNan, 1e-6}));
  const Json item = Data(Written(page_))["items"][0];
  EXPECT_EQ(item["lines"][0]["y"], Json({1e-3, nullptr, nullptr, nullptr, nullptr, 1e-6}));
  EXPECT_NE(item["note"].get<std::string>().find("3 values"), std::string::npos) << item["note"];
}

TEST_F(PageTest, LongLinesKeepTheirExtremesAndGaps) {
  std::vector<double> y(20000);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(0.001 * static_cast<double>(i));
  y[7777] = 25;
  y[12345] = -13;
  for (std::size_t i = 15000; i < 16000; ++i) y[i] = kNan;
  page_.Add(Single({"force", "N"}, y));
  const Json data = Data(Written(page_)), line = data["items"][0]["lines"][0];
  const std::vector<float> t = Values(data, line["x"]), f = Values(data, line["y"]);
  ASSERT_EQ(t.size(), f.size());
  EXPECT_LE(f.size(), kMostPoints);
  EXPECT_GT(f.size(), kMostPoints / 2);
  float low = 0, high = 0;
  long gaps = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    gaps += std::isnan(f[i]);
    if (f[i] == 25) {
      EXPECT_NEAR(t[i], 7.777, 0.01);
    }
    if (f[i] > high) high = f[i];
    if (f[i] < low) low = f[i];
  }
  EXPECT_EQ(high, 25);
  EXPECT_EQ(low, -13);
  EXPECT_NEAR(static_cast<double>(gaps), 0.05 * static_cast<double>(f.size()), 4);
  EXPECT_EQ(Count(data["items"][0]["note"], "smallest and largest of every 10"), 1);
}

TEST_F(PageTest, EqualArraysAreKeptOnce) {
  std::vector<double> y(1000, 1.0), z(1000, 2.0);
  page_.Add(Single({"a", "N"}, y));
  page_.Add(Single({"b", "N"}, z));
  EXPECT_EQ(Data(Written(page_))["arrays"].size(), 3u);  // time, y, z
}

TEST_F(PageTest, RefusesWhatDoesNotFitTogether) {
  Plot plot = Single({"a", "N"}, {1, 2, 3});
  plot.lines[0].x.pop_back();
  EXPECT_THROW(page_.Add(plot), std::invalid_argument);
  EXPECT_THROW(page_.AddCustom("nonsense", "x", "{}"), std::invalid_argument);
}

TEST_F(PageTest, IsWrittenWholeOrNotAtAll) {
  EXPECT_THROW(page_.Write(testing::TempDir() + "no/such/folder/page.html"), std::runtime_error);
  std::filesystem::create_directories(testing::TempDir() + "page_test_folder.html/x");
  EXPECT_THROW(page_.Write(testing::TempDir() + "page_test_folder.html"), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(testing::TempDir() + "page_test_folder.html.partial"));
  std::filesystem::remove_all(testing::TempDir() + "page_test_folder.html");
}

}  // namespace
}  // namespace tread
