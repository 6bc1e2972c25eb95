#include "experiments/report/page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "experiments/report/assets.h"
#include "experiments/report/page_text.h"
#include "experiments/summary.h"

namespace tread {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShort = 64;  // up to here arrays are written as numbers, with all digits
constexpr std::size_t kNarrow = 7;  // columns of a table that may stand beside another
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What an axis cannot show becomes nan; returns how many values that were.
long LeaveOut(const Axis& axis, std::vector<double>* values) {
  long count = 0;
  for (double& value : *values) {
    if (std::isnan(value) || (std::isfinite(value) && (!axis.log || value > 0))) continue;
    value = kNan;
    ++count;
  }
  return count;
}

// Groups of points that follow one another in x, each drawn as its smallest and its largest y, in the order they have in the group.
struct Groups {
  std::size_t size = 1;  // points per group; 1: all are drawn

  explicit Groups(const Line& line) {
    if (line.x.size() > kMostPoints && std::is_sorted(line.x.begin(), line.x.end()))
      size = (2 * line.x.size() + kMostPoints - 1) / kMostPoints;
  }

  template <typename Pick>  // (begin, end) -> the two indices drawn
  std::vector<std::size_t> Indices(std::size_t n, Pick pick) const {
    std::vector<std::size_t> indices;
    for (std::size_t begin = 0; begin < n; begin += size) {
      const std::pair<std::size_t, std::size_t> two = pick(begin, std::min(n, begin + size));
      indices.push_back(two.first);
      if (size > 1) indices.push_back(two.second);
    }
    return indices;
  }

  // Where y is smallest and largest; nan only where all are.
  std::vector<std::size_t> Extremes(const std::vector<double>& y) const {
    return Indices(y.size(), [&](std::size_t begin, std::size_t end) {
      std::size_t low = begin, high = begin;
      for (std::size_t i = begin; i < end; ++i) {
        if (std::isnan(y[low]) || y[i] < y[low]) low = i;
        if (std::isnan(y[high]) || y[i] > y[high]) high = i;
      }
      return std::pair(std::min(low, high), std::max(low, high));
    });
  }

  // The same abscissae for every line of one plot: the first and the middle point of a group.
  std::vector<std::size_t> Places(std::size_t n) const {
    return Indices(
        n, [](std::size_t begin, std::size_t end) { return std::pair(begin, begin + (end - begin) / 2); });
  }
};

template <typename T>
std::vector<T> Pick(const std::vector<T>& values, const std::vector<std::size_t>& indices) {
  std::vector<T> out;
  out.reserve(indices.size());
  for (const std::size_t i : indices) out.push_back(values[i]);
  return out;
}

const char* Name(Line::Style style) {
  constexpr const char* names[] = {"line", "steps", "markers", "both"};
  return names[static_cast<int>(style)];
}

Json AxisJson(const Axis& axis) {
  Json out{{"label", axis.label}, {"unit", axis.unit}, {"log", axis.log}};
  if (!axis.names.empty()) out["names"] = axis.names;
  return out;
}

std::string Joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

std::string Library(const std::string& name) {
  return "<script type=\"text/plain\" id=\"" + name + "\">" + Base64(ReportAsset(name + ".js.gz")) +
         "</script>\n";
}

}  // namespace

Page::Page(std::string title, std::string subtitle)
    : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Page::Heading(const std::string& text) {
  const std::string id = "part-" + std::to_string(std::count(contents_.begin(), contents_.end(), '\n') + 1);
  contents_ += "<li><a href=\"#" + id + "\">" + Escape(text) + "</a></li>\n";
  body_ += "<h2 id=\"" + id + "\">" + Escape(text) + "</h2>\n";
}

void Page::Text(const std::string& text) {
  body_ += "<p>" + Escape(text) + "</p>\n";
}

void Page::Add(const Table& table) {
  // a column in which a cell is long or no number is set to the left
  std::vector<bool> words(table.columns.size(), false);
  for (const auto& row : table.rows) {
    for (std::size_t j = 1; j < std::min(row.size(), words.size()); ++j)
      words[j] = words[j] || row[j].size() > 28 ||
                 (!row[j].empty() && row[j].find_first_of("0123456789-") == std::string::npos);
  }
  const auto cell = [&](const char* tag, const char* scope, std::size_t j, const std::string& text) {
    body_ += std::string("<") + tag + scope + (j < words.size() && words[j] ? " class=\"words\">" : ">") +
             Escape(text) + "</" + tag + ">";
  };
  body_ +=
      table.columns.size() > kNarrow ? "<section class=\"table\">\n" : "<section class=\"table narrow\">\n";
  if (!table.title.empty()) body_ += "<h3>" + Escape(table.title) + "</h3>\n";
  if (!table.note.empty()) body_ += "<p class=\"note\">" + Escape(table.note) + "</p>\n";
  body_ += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
           Escape(table.title.empty() ? "Table" : table.title) + "\"><table>\n<thead><tr>";
  for (std::size_t j = 0; j < table.columns.size(); ++j) cell("th", " scope=\"col\"", j, table.columns[j]);
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t j = 0; j < row.size(); ++j)
      cell(j == 0 ? "th" : "td", j == 0 ? " scope=\"row\"" : "", j, row[j]);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n</section>\n";
}

void Page::AddFigure(const std::string& kind, const std::string& title, const std::string& note,
                     const Json& data) {
  const std::string id = "figure-" + std::to_string(items_.size());
  body_ += "<figure class=\"" + kind + "\" id=\"" + id + "\" aria-labelledby=\"" + id +
           "-title\">\n<h3 id=\"" + id + "-title\">" + Escape(title) + "</h3>\n";
  if (!note.empty()) body_ += "<p class=\"note\">" + Escape(note) + "</p>\n";
  body_ += "</figure>\n";
  items_.push_back(Dump(data));
}

std::size_t Page::Keep(const std::vector<double>& values) {
  std::string text = Floats(values);
  const auto [at, isnew] = array_index_.emplace(std::move(text), arrays_.size());
  if (isnew) arrays_.push_back("\"" + at->first + "\"");
  return at->second;
}

Json Page::Array(const std::vector<double>& values) {
  if (values.size() > kShort) return Keep(values);
  return values;
}

void Page::Add(const Plot& plot) {
  long left_out = 0;
  std::size_t longest_group = 1;
  Json lines = Json::array();
  for (Line line : plot.lines) {
    if (line.y.size() != line.x.size() || (!line.low.empty() && line.low.size() != line.x.size()) ||
        line.high.size() != line.low.size() || (!line.notes.empty() && line.notes.size() != line.x.size()))
      throw std::invalid_argument("plot '" + plot.title + "', line '" + line.name + "': sizes differ");
    left_out += LeaveOut(plot.x, &line.x) + LeaveOut(plot.y, &line.y);
    LeaveOut(plot.y, &line.low);
    LeaveOut(plot.y, &line.high);
    const Groups groups(line);
    longest_group = std::max(longest_group, groups.size);
    const auto extremes = groups.Extremes(line.y), places = groups.Places(line.x.size());
    Json out{{"name", line.name}, {"style", Name(line.style)}, {"width", line.width}};
    out["x"] = Array(Pick(line.x, places));
    out["y"] = Array(Pick(line.y, extremes));
    if (!line.low.empty()) {
      out["low"] = Array(Pick(line.low, extremes));
      out["high"] = Array(Pick(line.high, extremes));
    }
    if (!line.notes.empty()) out["notes"] = Pick(line.notes, extremes);
    lines.push_back(std::move(out));
  }
  std::string note = plot.note;
  if (left_out > 0)
    note = Joined(
        note, std::to_string(left_out) + (plot.y.log || plot.x.log
                                              ? " values that are zero, negative or infinite are left out."
                                              : " infinite values are left out."));
  if (longest_group > 1)
    note = Joined(note, "Drawn: the smallest and largest of every " + std::to_string(longest_group) +
                            " values, at a time right to that many of them; the values themselves are in the "
                            "folder's CSV file.");
  AddFigure("plot", plot.title, note,
            {{"kind", "lines"},
             {"title", plot.title},
             {"note", note},
             {"x", AxisJson(plot.x)},
             {"y", AxisJson(plot.y)},
             {"lines", lines}});
}

void Page::Add(const HeatMap& map) {
  AddFigure("plot", map.title, map.note,
            {{"kind", "heatmap"},
             {"title", map.title},
             {"note", map.note},
             {"unit", map.unit},
             {"x", AxisJson(map.x)},
             {"y", AxisJson(map.y)},
             {"columns", map.columns},
             {"rows", map.rows},
             {"values", map.values}});
}

void Page::Download(const std::string& name, const std::string& content) {
  body_ += "<p><button type=\"button\" data-download=\"" + std::to_string(downloads_.size()) +
           "\">Download " + Escape(name) + "</button></p>\n";
  downloads_.push_back(Dump({{"name", name}, {"content", content}}));
}

void Page::AddCustom(const std::string& kind, const std::string& title, const std::string& json) {
  if (ReportAsset(kind + ".js").empty())
    throw std::invalid_argument("report section '" + kind + "': there is no such script");
  if (std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) kinds_.push_back(kind);
  AddFigure(kind, title, "",
            {{"kind", "custom"}, {"script", kind}, {"title", title}, {"data", Json::parse(json)}});
}

std::string Page::Unavailable() {
  return ReportAsset("plotly.js.gz").empty() ? "this tread was built without plotly.min.js and meshcat's "
                                               "main.min.js, which report pages need (CONTRIBUTING.md)"
                                             : "";
}

void Page::Write(const std::string& path) const {
  if (const std::string reason = Unavailable(); !reason.empty()) throw std::runtime_error(reason);
  const auto list = [](const std::vector<std::string>& parts) {
    std::string out = "[";
    for (const std::string& part : parts) out += (out.size() > 1 ? ",\n" : "") + part;
    return out + "]";
  };
  std::string script(ReportAsset("page.js"));
  for (const std::string& kind : kinds_) script += ReportAsset(kind + ".js");
  const std::string page =
      Fill(ReportAsset("page.html"),
           {{"title", Escape(title_)},
            {"subtitle", Escape(subtitle_)},
            {"version", Escape(ProgramVersion())},
            {"style", std::string(ReportAsset("page.css"))},
            {"contents",
             contents_.empty() ? "" : "<nav aria-label=\"Contents\"><ul>\n" + contents_ + "</ul></nav>\n"},
            {"body", body_},
            {"data", "{\"items\":" + list(items_) + ",\n\"arrays\":" + list(arrays_) +
                         ",\n\"downloads\":" + list(downloads_) + "}"},
            {"libraries", Library("plotly") + (kinds_.empty() ? "" : Library("meshcat"))},
            {"script", script}});
  const std::string partial = path + ".partial";
  std::ofstream out(partial, std::ios::binary);
  out << page;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(partial, path, error);
  if (!out || error) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw std::runtime_error(path + ": cannot be written" + (error ? ": " + error.message() : ""));
  }
}

}  // namespace tread
