// SPDX-License-Identifier: Apache-2.0
// What was run, with which version, when and where; and what reproductions concluded.
import {element, addSection, download, fileName, formatNumber, shortened} from "./dom.js";
import {metricsCsv} from "./data.js";
import {isConverged, verdictWord} from "./picker.js";
import {dataTable} from "./table.js";

const distinct = values => [...new Set(values.filter(value => value !== ""))];

function duration(seconds) {
    if (!(seconds > 0)) return "–";
    return seconds < 90
        ? `${formatNumber(Number(seconds.toPrecision(3)))} s`
        : seconds < 5400
          ? `${(seconds / 60).toFixed(1)} min`
          : `${(seconds / 3600).toFixed(1)} h`;
}

function fact(name, value) {
    return value ? [element("dt", {}, name), element("dd", {}, value)] : [];
}

const few = texts =>
    texts.length > 3 ? `${texts.slice(0, 3).join(", ")} and ${texts.length - 3} more` : texts.join(", ");

function card(result) {
    const {points} = result,
        saturated = points.filter(point => point.saturated).length;
    const times = distinct(points.map(point => point.finished)).sort();
    const peak = d3.max(points, point => point.peak) / 2 ** 20;
    return element(
        "article",
        {class: "card"},
        element("h3", {}, result.title || result.name),
        element(
            "dl",
            {},
            fact("file", result.name),
            fact(
                "points",
                saturated ? `${points.length}, ${saturated} of them saturated` : String(points.length),
            ),
            fact("varied", result.vary.filter(Boolean).join(", ")),
            fact("finished", times.length > 1 ? `${times[0]} to ${times.at(-1)}` : times[0]),
            fact("by", few(distinct(points.map(point => `Interweft ${point.version}`)))),
            fact("built with", few(distinct(points.map(point => point.build)))),
            fact("on", few(distinct(points.map(point => point.host)))),
            fact("took", duration(d3.sum(points, point => point.wall))),
            fact("memory", peak > 0 ? `at most ${formatNumber(Number(peak.toPrecision(3)))} MiB` : ""),
        ),
    );
}

// "54 points, 2 saturated · 3 curves · run on 2026-11-15 by Interweft 0.1.0"
export function runLine(report) {
    const {points, curves, results} = report,
        saturated = points.filter(point => point.saturated).length;
    const many = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;
    const days = distinct(points.map(point => point.finished.slice(0, 10))).sort();
    const versions = distinct(points.map(point => point.version));
    return [
        `${many(points.length, "point")}${saturated ? `, ${saturated} saturated` : ""}`,
        many(curves.length, "curve"),
        results.length > 1 ? `${results.length} results files` : results[0].name.split("/").at(-1),
        `run ${days.length ? `on ${days[0]}${days.length > 1 ? ` to ${days.at(-1)}` : ""} ` : ""}by Interweft ${few(versions)}`,
    ].join(" · ");
}

// How the runs ended, as pills: "23 converged", "3 limit packets", "1 saturated".
export function verdictPills(report) {
    const count = d3.rollup(
        report.points.filter(point => point.verdict),
        group => group.length,
        verdictWord,
    );
    const shade = word => {
        const point = report.points.find(one => verdictWord(one) === word);
        return isConverged(point) ? "good" : point.saturated ? "bad" : "told";
    };
    return element(
        "p",
        {class: "tally", id: "verdict"},
        d3
            .sort(count, ([word]) => ["good", "told", "bad"].indexOf(shade(word)))
            .map(([word, n]) => element("span", {class: `pill ${shade(word)}`}, `${n} ${shortened(word)}`)),
    );
}

export function addSummary(report) {
    const left = d3.sum(report.results, result => result.left[0] + result.left[1]);
    addSection(
        "run",
        "What was run",
        element("div", {class: "cards"}, report.results.map(card)),
        left
            ? element(
                  "p",
                  {class: "note"},
                  `${left} distributions, series or sets of link loads were left out to keep ` +
                      "this page small; the results files hold them.",
              )
            : null,
        element(
            "p",
            {},
            element(
                "button",
                {
                    type: "button",
                    id: "csv",
                    onclick: () => download(fileName(report.title, ".csv"), "text/csv", metricsCsv(report)),
                },
                "All metrics as CSV",
            ),
        ),
    );
}

const shades = {
    agrees: "good",
    disagrees: "bad",
    explained: "told",
    unexplained: "told",
    refuted: "bad",
    undecided: "open",
    "not claimed": "open",
};

export function addVerdicts(report) {
    const rows = report.verdicts;
    if (rows.length === 0) return;
    const count = d3.rollup(
        rows,
        group => group.length,
        row => row.verdict,
    );
    const text = name => ({name, text: i => rows[i][name], value: i => rows[i][name]});
    addSection(
        "verdicts",
        "Verdicts",
        element(
            "p",
            {class: "tally"},
            [...count].map(([verdict, n]) =>
                element("span", {class: `pill ${shades[verdict] ?? ""}`}, `${n} ${verdict}`),
            ),
        ),
        dataTable("Verdicts", rows.length, [
            {...text("verdict"), mark: i => `verdict ${shades[rows[i].verdict] ?? ""}`},
            text("figure"),
            text("quantity"),
            text("where"),
            {
                name: "ours",
                number: true,
                text: i => formatNumber(rows[i].ours, rows[i].lo, rows[i].hi),
                value: i => rows[i].ours,
            },
            {
                name: "±",
                number: true,
                text: i => (rows[i].lo === null ? "" : formatNumber((rows[i].hi - rows[i].lo) / 2)),
                value: i => (rows[i].lo === null ? NaN : rows[i].hi - rows[i].lo),
            },
            {
                name: "theirs",
                number: true,
                text: i => formatNumber(rows[i].theirs),
                value: i => rows[i].theirs,
            },
            text("rule"),
            text("against"),
            text("printed"),
            text("reason"),
        ]),
    );
}
