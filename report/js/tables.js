// SPDX-License-Identifier: Apache-2.0
// All points, one a row, and all metrics.
import {element, addSection, formatNumber, percentileName} from "./dom.js";
import {dataTable} from "./table.js";
import {curveName, isConverged} from "./picker.js";
import {axisUnit, timeUnit} from "./units.js";

// The metrics that the points' table has columns for.
const measures = [
    ["offered ρ", "offered rho"],
    ["offered load", "offered load"],
    ["offered rate", "offered rate"],
    ["accepted", "accepted"],
    ["latency", "latency"],
    ...[50000, 90000, 99000, 99900, 99990].map(index => [
        percentileName(index),
        "latency",
        "percentile",
        index,
    ]),
    ["cut-through", "cut-through"],
    ["hops", "hops"],
];

// Classes have columns of their own, behind those of all together.
const classMeasures = classes =>
    classes.length > 1
        ? classes.flatMap(of => ["accepted", "latency"].map(name => [`${name}, ${of}`, name, "", 0, of]))
        : [];

// The mean latency in the middle of all: it decides the unit of all columns of times.
const middleLatency = report =>
    d3.median(report.points, point => {
        const cell = report.results[point.r].metric("latency")?.cell(point.i);
        return cell && cell.value * timeUnit(cell.unit).tick;
    }) ?? 0;

function metricColumns(report, classes) {
    const usual = middleLatency(report);
    return [...measures, ...classMeasures(classes)].flatMap(([title, name, by = "", index = 0, of = ""]) => {
        const metrics = report.results.map(result => result.metric(name, of, by, index));
        if (!metrics.some(Boolean)) return [];
        const raw = i => metrics[report.points[i].r]?.cell(report.points[i].i);
        const first = report.points.findIndex((_, i) => raw(i)),
            base = first < 0 ? "" : timeUnit(raw(first).unit).name;
        const {name: unit, factor} = axisUnit(base, usual);
        const cell = i => {
            const found = raw(i),
                {name, tick} = timeUnit(found?.unit),
                by = name === base ? tick * factor : tick;
            return found && {value: found.value * by, lo: found.lo * by, hi: found.hi * by, unit: found.unit};
        };
        const own = i => (cell(i) && timeUnit(cell(i).unit).name !== base ? ` ${timeUnit(cell(i).unit).name}` : "");
        const column = {
            name: title,
            unit: unit === "fraction" || unit === title ? "" : unit,
            number: true,
            value: i => cell(i)?.value ?? NaN,
            text: i => formatNumber(cell(i)?.value, cell(i)?.lo, cell(i)?.hi) + own(i),
        };
        if (name !== "latency" || by) return [column];
        const half = i => (cell(i)?.hi - cell(i)?.lo) / 2;
        return [
            column,
            {
                name: "±",
                number: true,
                value: half,
                text: i => (half(i) > 0 ? formatNumber(Number(half(i).toPrecision(2))) : ""),
            },
        ];
    });
}

function pointTable({report, classes}) {
    const {points} = report,
        paths = [...new Set(report.results.flatMap(result => result.vary))];
    const value = (path, i) => points[i].vary[report.results[points[i].r].vary.indexOf(path)] ?? "";
    const number = text => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
    const vary = paths.map(path => ({
        name: path || "point",
        text: i => value(path, i),
        value: i => number(value(path, i)),
    }));
    const file = {name: "results", text: i => report.results[points[i].r].name, value: i => points[i].r};
    const verdict = {
        name: "verdict",
        text: i => points[i].verdict,
        value: i => points[i].verdict,
        mark: i => `verdict ${isConverged(points[i]) ? "good" : points[i].saturated ? "bad" : "told"}`,
    };
    return dataTable("Points", points.length, [
        ...(report.results.length > 1 ? [file] : []),
        ...vary,
        verdict,
        ...metricColumns(report, classes),
    ]);
}

// One row for each metric of each point: which point, which metric.
function metricTable(report) {
    const owners = [],
        which = [];
    report.points.forEach((point, p) =>
        report.results[point.r].metrics.forEach((metric, m) => {
            if (metric.row(point.i) >= 0) {
                owners.push(p);
                which.push(m);
            }
        }),
    );
    const at = k => {
        const point = report.points[owners[k]];
        return {point, metric: report.results[point.r].metrics[which[k]]};
    };
    const cell = k => at(k).metric.cell(at(k).point.i);
    const text = (name, of) => ({name, text: of, value: of});
    const amount = (name, of, show) => ({name, number: true, text: show, value: of});
    return dataTable("Metrics", which.length, [
        text("curve", k => curveName(report, at(k).point.curve)),
        amount(
            "at",
            k => at(k).point.x,
            k => formatNumber(at(k).point.x),
        ),
        text("metric", k => at(k).metric.name),
        text("class", k => at(k).metric.of),
        text("by", k =>
            at(k).metric.by === "percentile"
                ? percentileName(at(k).metric.index)
                : at(k).metric.by
                  ? `${at(k).metric.by} ${at(k).metric.index}`
                  : "",
        ),
        amount(
            "value",
            k => cell(k).value,
            k => formatNumber(cell(k).value, cell(k).lo, cell(k).hi),
        ),
        amount(
            "from",
            k => cell(k).lo,
            k => formatNumber(cell(k).lo),
        ),
        amount(
            "to",
            k => cell(k).hi,
            k => formatNumber(cell(k).hi),
        ),
        amount(
            "n",
            k => cell(k).n,
            k => formatNumber(cell(k).n),
        ),
        text("unit", k => cell(k).unit),
        text("method", k => cell(k).method),
    ]);
}

// The long one is made when it is opened.
export function addTables(view) {
    const {report} = view;
    const box = element("div");
    const details = element(
        "details",
        {ontoggle: () => box.firstChild || box.append(metricTable(report))},
        element("summary", {}, "All metrics"),
        box,
    );
    addSection("points", "Points", pointTable(view), details);
}
