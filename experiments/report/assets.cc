// The assembler reads the files: no literal of two megabytes for the compiler, no path to them in the program.
#include "experiments/report/assets.h"

#define TREAD_EMBED(symbol, file)                                                                        \
  extern "C" const char tread_##symbol##_begin[], tread_##symbol##_end[];                                \
  asm(".section .rodata\n.global tread_" #symbol "_begin\n.global tread_" #symbol "_end\ntread_" #symbol \
      "_begin:\n.incbin \"" file "\"\ntread_" #symbol                                                    \
      "_end:\n"                                                                                          \
      ".byte 0\n.previous\n");

TREAD_EMBED(page_html, TREAD_REPORT_ASSETS "/page.html")
TREAD_EMBED(page_css, TREAD_REPORT_ASSETS "/page.css")
TREAD_EMBED(page_js, TREAD_REPORT_ASSETS "/page.js")
TREAD_EMBED(replay_js, TREAD_REPORT_ASSETS "/replay.js")
TREAD_EMBED(plotly_js, TREAD_REPORT_LIBRARIES "/plotly.js.gz")
TREAD_EMBED(meshcat_js, TREAD_REPORT_LIBRARIES "/meshcat.js.gz")

namespace tread {

std::string_view ReportAsset(std::string_view name) {
  const struct {
    std::string_view name;
    const char *begin, *end;
  } assets[] = {
      {"page.html", tread_page_html_begin, tread_page_html_end},
      {"page.css", tread_page_css_begin, tread_page_css_end},
      {"page.js", tread_page_js_begin, tread_page_js_end},
      {"replay.js", tread_replay_js_begin, tread_replay_js_end},
      {"plotly.js.gz", tread_plotly_js_begin, tread_plotly_js_end},
      {"meshcat.js.gz", tread_meshcat_js_begin, tread_meshcat_js_end},
  };
  for (const auto& asset : assets) {
    if (asset.name == name) return {asset.begin, static_cast<std::size_t>(asset.end - asset.begin)};
  }
  return {};
}

}  // namespace tread
