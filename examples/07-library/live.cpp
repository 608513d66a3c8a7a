// SPDX-License-Identifier: Apache-2.0
// A live view in C++: progress while a point runs, its result as soon as it is there, and an end before its time
// when enough has been seen.
//
//     c++ -std=c++17 live.cpp -o live $(pkg-config --cflags --libs interweft)
#include <interweft/interweft.h>

#include <cstdio>
#include <cstring>

namespace
{

const char scenario[] = R"(
interweft: 1
topology: {kind: mesh, dims: [8, 8]}
traffic: {all: {pattern: uniform, length: 16 flits}}
measure: {half-width: 2%}
vary: {traffic.all.load: {from: 0.05, to: 0.45, step: 0.05}}
)";

struct View {
    int points = 0;
    bool enough = false;
};

weft_request request(void *user)
{
    return static_cast<View *>(user)->enough ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

void begins(void *, const weft_outline *outline)
{
    std::printf("%zu points, %u at a time\n", outline->missing,
                static_cast<unsigned>(outline->at_once));
}

void progress(void *, const weft_progress *now)
{
    std::fprintf(stderr, "\r%3.0f %%  %s: latency %.1f ± %.1f  ", 100 * now->whole, now->key,
                 now->latency, now->half_width);
}

void finished(void *user, const weft_point *point)
{
    View *view = static_cast<View *>(user);
    const weft_metric *latency = weft_point_metric(point, "latency", "", "", 0);
    view->points++;
    view->enough = view->points == 3 || point->saturated;
    std::printf("%s: %s, latency %.1f %s\n", point->key, point->verdict,
                latency ? latency->value : 0, latency ? latency->unit : "");
}

} // namespace

int main()
{
    View view;
    weft_error err;
    weft_study *study = nullptr;
    weft_study_options options = {};
    options.text = scenario;
    options.file = "live";
    options.results = WEFT_IN_MEMORY;
    options.jobs = 1;
    options.request = request;
    options.begins = begins;
    options.progress = progress;
    options.finished = finished;
    options.user = &view;
    weft_catalog *catalog = weft_catalog_create();
    weft_status status = weft_study_open(&options, catalog, &study, &err);
    if (status == WEFT_OK)
        status = weft_study_run(study, &err);
    if (status == WEFT_STOPPED && view.enough) {
        std::printf("\nenough after %d points, with Interweft %s\n", view.points, weft_version());
        status = WEFT_OK;
    }
    if (status != WEFT_OK)
        std::fprintf(stderr, "%s\n", err.text);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
    return status;
}
