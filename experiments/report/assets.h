// The files a report page is made of, held in the program itself: our own (assets/) and the two libraries, compressed.
#pragma once

#include <string_view>

namespace tread {

// "page.html", "page.css", "page.js", "replay.js"; "plotly.js.gz", "meshcat.js.gz", which are empty in a build without them.
std::string_view ReportAsset(std::string_view name);

}  // namespace tread
