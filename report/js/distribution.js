// SPDX-License-Identifier: Apache-2.0
// How latency is spread: percentiles over the load, the tail in nines, histograms beside a model's.
import {element, addSection, formatNumber, logTicks, percentileName, shortened, tickText} from "./dom.js";
import {figure, leftMargin, plot} from "./chart.js";
import {choose, curveName} from "./picker.js";
import {curveColour, curveMark, palette} from "./theme.js";
import {inTime} from "./units.js";

const BINS = 64,
    NINES = 6;

const LABEL_GAP = 0.055; // of the frame's height, so that labels at the ends of curves do not overlap

// The rows with the places of their labels: from the top down, each moved if the one above is too near.
function apart(rows, [least, most]) {
    const step = Math.pow(most / least, LABEL_GAP);
    let above = Infinity;
    return d3
        .sort(rows, row => -row.y)
        .map(row => ({...row, label: (above = Math.min(row.y, above / step))}));
}

// Percentiles of one curve over the load.
function percentileFigure(report) {
    const curves = [...new Set(report.points.map(point => point.curve))];
    let curve = curves[0];
    const drawn = figure(
        "Percentiles of latency",
        width => {
            const rows = [];
            let unit = "";
            for (const result of report.results)
                for (const metric of result.metrics.filter(
                    m => m.name === "latency" && m.of === "" && m.by === "percentile",
                ))
                    for (const point of result.points.filter(p => p.curve === curve && !p.saturated)) {
                        const cell = metric.cell(point.i);
                        if (cell && cell.value > 0 && Number.isFinite(point.x)) {
                            rows.push({
                                x: point.x,
                                y: cell.value,
                                lo: cell.lo,
                                hi: cell.hi,
                                index: metric.index,
                            });
                            unit ||= cell.unit;
                        }
                    }
            if (rows.length === 0) return "No point of this curve has percentiles.";
            rows.sort((a, b) => a.x - b.x);
            const levels = d3.sort(new Set(rows.map(row => row.index))),
                stroke = row => palette[levels.indexOf(row.index) % 8];
            const last = d3
                .rollups(
                    rows,
                    group => group.at(-1),
                    row => row.index,
                )
                .map(([, row]) => row);
            return plot(width, {
                marginRight: 64,
                x: {label: report.axis, inset: 6},
                color: {type: "identity"},
                y: {
                    label: `latency (${shortened(unit)})`,
                    type: "log",
                    ticks: logTicks(d3.extent(rows, row => row.y)),
                    tickFormat: tickText,
                    grid: true,
                },
                marks: [
                    Plot.line(rows, {x: "x", y: "y", z: "index", stroke, strokeWidth: 1.5}),
                    Plot.link(
                        rows.filter(row => row.lo > 0 && Number.isFinite(row.hi)),
                        {x1: "x", x2: "x", y1: "lo", y2: "hi", stroke},
                    ),
                    Plot.dot(rows, {x: "x", y: "y", fill: stroke, r: 2.5}),
                    Plot.text(apart(last, d3.extent(rows, row => row.y)), {
                        x: "x",
                        y: "label",
                        text: row => percentileName(row.index),
                        dx: 9,
                        textAnchor: "start",
                        fill: "currentColor",
                    }),
                    Plot.tip(
                        rows,
                        Plot.pointer({
                            x: "x",
                            y: "y",
                            title: row =>
                                `${percentileName(row.index)} of the packets\nbelow ${formatNumber(row.y, row.lo, row.hi)} at ${formatNumber(row.x)}`,
                            fill: "var(--raised)",
                            stroke: "var(--rule)",
                        }),
                    ),
                ],
            });
        },
        {
            controls:
                curves.length > 1
                    ? [
                          choose(
                              "Curve",
                              curves.map(c => curveName(report, c)),
                              i => {
                                  curve = curves[i];
                                  drawn.update();
                              },
                          ),
                      ]
                    : [],
        },
    );
    return drawn.node;
}

// The percentiles of a point as shares of packets above a value.
function percentilesOf(result, point) {
    return result.metrics
        .filter(m => m.name === "latency" && m.of === "" && m.by === "percentile" && m.index < 100000)
        .map(m => ({cell: m.cell(point.i), y: 1 - m.index / 100000}))
        .filter(({cell}) => cell && Number.isFinite(cell.value))
        .map(({cell, y}) => ({
            x: cell.value,
            lo: cell.lo,
            hi: cell.hi,
            unit: cell.unit,
            y,
            curve: point.curve,
        }));
}

// What is known at one place of the axis: [{curve, array, model, percentiles}] of the shown curves.
function histogramsAt(report, shown, x) {
    return report.results.flatMap(result => {
        const points = result.points.filter(
            point => shown.has(point.curve) && Object.is(point.x, x) && !point.saturated,
        );
        return points.flatMap(point => {
            const of = result.arrays.filter(
                array => array.point === point.i && array.table === "histogram" && array.of === "",
            );
            const [array, model] = ["latency", "latency model"].map(name => {
                const found = of.find(a => a.name === name);
                return found && inTime(found);
            });
            return [{curve: point.curve, array, model, percentiles: percentilesOf(result, point)}];
        });
    });
}

// Those in one unit: cycles and nanoseconds have no common axis.
function inOneUnit(found) {
    const unitOf = one => (one.array ?? one.model)?.unit ?? one.percentiles[0]?.unit,
        unit = found.map(unitOf).find(Boolean);
    return {unit, alike: found.filter(one => unitOf(one) === unit)};
}

// Share of the observations above each value: from the bins' upper ends.
function tail(array) {
    const total = d3.sum(array.y),
        rows = [];
    let below = 0;
    for (let i = 0; i < array.count - 1; i++) {
        below += array.y[i];
        if (total > below) rows.push({x: array.x[i + 1], y: (total - below) / total});
    }
    return [{x: array.x[0], y: 1}, ...rows];
}

// "99.9 %" at 1e-3.
function ninesName(share) {
    const nines = Math.round(-Math.log10(share));
    return nines === 0 ? "0 %" : nines === 1 ? "90 %" : `99${nines > 2 ? `.${"9".repeat(nines - 2)}` : ""} %`;
}

function drawTail(report, all_, width) {
    const {unit, alike: found} = inOneUnit(all_);
    const rows = found.flatMap(({curve, array, model}) =>
        [
            [array, false],
            [model, true],
        ].flatMap(([bins, isModel]) =>
            bins?.count > 1 ? tail(bins).map(row => ({...row, curve, isModel})) : [],
        ),
    );
    const dots = found.flatMap(one => one.percentiles),
        all = [...rows, ...dots];
    if (all.length === 0) return "No point at this load has a distribution.";
    const least = Math.max(10 ** -NINES, d3.min(all, row => row.y) * 0.7),
        ticks = d3
            .range(NINES + 1)
            .map(nines => 10 ** -nines)
            .filter(y => y >= least);
    const long = isLong(all.map(row => row.x)),
        span = d3.extent(all, row => row.x);
    const line = {x: "x", y: "y", z: "curve", stroke: row => curveColour(row.curve), clip: true};
    return plot(width, {
        x: {
            label: `latency (${shortened(unit)})`,
            type: long ? "log" : "linear",
            tickFormat: tickText,
            ticks: long ? logTicks(span) : Math.max(3, width / 90),
        },
        y: {
            label: "share of packets that are faster",
            labelArrow: "up",
            type: "log",
            domain: [1, least],
            grid: true,
            ticks,
            tickFormat: ninesName,
        },
        marginLeft: 72,
        color: {type: "identity"},
        marks: [
            Plot.line(
                rows.filter(row => !row.isModel),
                {...line, strokeWidth: 2, curve: "step-after"},
            ),
            Plot.line(
                rows.filter(row => row.isModel),
                {...line, strokeDasharray: "7 4"},
            ),
            Plot.link(
                dots.filter(row => Number.isFinite(row.lo) && (!long || row.lo > 0)),
                {
                    x1: "lo",
                    x2: "hi",
                    y1: "y",
                    y2: "y",
                    stroke: row => curveColour(row.curve),
                    markerStart: "tick",
                    markerEnd: "tick",
                    clip: true,
                },
            ),
            Plot.dot(dots, {
                x: "x",
                y: "y",
                r: 3,
                fill: row => curveColour(row.curve),
                symbol: row => curveMark(row.curve),
                clip: true,
            }),
            Plot.tip(
                all,
                Plot.pointer({
                    x: "x",
                    y: "y",
                    title: row =>
                        `${curveName(report, row.curve)}${row.isModel ? ", model" : ""}\n` +
                        `${Number((100 * (1 - row.y)).toPrecision(6))} % below ${formatNumber(row.x)}`,
                    fill: "var(--raised)",
                    stroke: "var(--rule)",
                }),
            ),
        ],
    });
}

const isLong = values => d3.min(values) > 0 && d3.max(values) > 30 * d3.min(values);

function quantile(array, share) {
    const total = d3.sum(array.y);
    let below = 0,
        i = -1;
    while (++i < array.count - 1 && (below += array.y[i]) < share * total);
    return array.x[i];
}

// Bins of equal width, or of equal ratio over a long range; whole ticks, because times are.
function displayEdges(arrays) {
    const tick = d3.min(arrays, a => a.tick),
        least = d3.min(arrays, a => a.x[0]) / tick,
        most = d3.max(arrays, a => quantile(a, 0.9985)) / tick + 1,
        step = Math.max(1, Math.ceil((most - least) / BINS));
    const edges = isLong([least, most])
        ? d3.range(BINS + 1).map(i => Math.round(least * (most / least) ** (i / BINS)))
        : d3.range(least, most + step, step);
    return [...new Set(edges)].map(edge => edge * tick);
}

// Shares per unit of time in those bins, as corners of a staircase. What a bin counted is spread over
// its width; empty bins are left out of results, so a gap much wider than the one before is none.
function staircase(array, edges) {
    const {x, y, count} = array,
        total = d3.sum(y),
        sums = new Float64Array(edges.length - 1);
    for (let i = 0; i < count; i++) {
        const before = i > 0 ? x[i] - x[i - 1] : Infinity,
            after = i + 1 < count ? x[i + 1] - x[i] : Infinity;
        const width = after <= 2 * before ? after : before,
            end = x[i] + (Number.isFinite(width) ? width : array.tick);
        for (let k = Math.max(0, d3.bisectRight(edges, x[i]) - 1); k < sums.length && edges[k] < end; k++)
            sums[k] +=
                (y[i] * Math.max(0, Math.min(end, edges[k + 1]) - Math.max(x[i], edges[k]))) / (end - x[i]);
    }
    return Array.from(sums, (sum, k) => ({
        x: edges[k],
        x2: edges[k + 1],
        y: sum / total / (edges[k + 1] - edges[k]),
    }));
}

function drawHistogram(report, all_, width) {
    const {unit, alike: found} = inOneUnit(all_);
    const arrays = found.flatMap(({array, model}) => [array, model]).filter(array => array?.count > 0);
    if (arrays.length === 0) return "No point at this load has a histogram.";
    const edges = displayEdges(arrays),
        end = [{x: edges.at(-1), y: 0}];
    const steps = (name, dashed) =>
        found
            .filter(one => one[name]?.count > 0)
            .flatMap(one =>
                [...staircase(one[name], edges), ...end].map(row => ({...row, curve: one.curve, dashed})),
            );
    const measured = steps("array", false),
        models = steps("model", true);
    const long = isLong([edges[0], edges.at(-1)]),
        stroke = row => curveColour(row.curve);
    return plot(width, {
        x: {
            label: `latency (${shortened(unit)})`,
            type: long ? "log" : "linear",
            tickFormat: tickText,
            ticks: long ? logTicks([edges[0], edges.at(-1)]) : Math.max(3, width / 90),
        },
        y: {
            label: `share of packets per ${unit === "cycles" ? "cycle" : shortened(unit)}`,
            tickFormat: tickText,
            grid: true,
        },
        marginLeft: leftMargin([...measured, ...models].map(row => row.y)),
        color: {type: "identity"},
        marks: [
            Plot.areaY(measured, {
                x: "x",
                y1: 0,
                y2: "y",
                z: "curve",
                fill: stroke,
                fillOpacity: 0.13,
                curve: "step-after",
            }),
            Plot.line(measured, {x: "x", y: "y", z: "curve", stroke, curve: "step-after", strokeWidth: 1.5}),
            Plot.line(models, {
                x: row => (row.x2 ? (long ? Math.sqrt(row.x * row.x2) : (row.x + row.x2) / 2) : row.x),
                y: "y",
                z: "curve",
                stroke,
                strokeDasharray: "7 4",
                strokeWidth: 2,
            }),
            Plot.ruleY([0], {stroke: "var(--rule)"}),
        ],
    });
}

export function addDistribution(report, legend) {
    const has = report.results.some(
        result =>
            result.metric("latency", "", "percentile", 50000) ||
            result.metrics.some(m => m.name === "latency" && m.by === "percentile"),
    );
    const binned = new Set(
        report.results.flatMap((result, r) =>
            result.arrays
                .filter(a => a.table === "histogram" && a.name === "latency" && a.of === "" && a.count > 0)
                .map(a => `${r} ${a.point}`),
        ),
    );
    const points = report.points.filter(
        point => !point.saturated && (has || binned.has(`${point.r} ${point.i}`)),
    );
    const places = [...new Set(points.map(point => point.x))].sort(d3.ascending);
    if (points.length === 0) return;
    const usual = places.filter(
        x =>
            !binned.size ||
            points.some(point => Object.is(point.x, x) && binned.has(`${point.r} ${point.i}`)),
    );
    let place = usual[Math.floor(usual.length * 0.6)];
    const found = () => histogramsAt(report, legend.shown, place);
    const nines = figure("The tail of latency, in nines", width => drawTail(report, found(), width));
    const histogram = figure("Histogram of latency", width => drawHistogram(report, found(), width), {
        note: report.results.some(result => result.arrays.some(a => a.name === "latency model"))
            ? "Dashed: the distribution that a model gives."
            : null,
    });
    const update = () => [nines, histogram].forEach(one => one.update());
    legend.onChange(update);
    const picker =
        places.length > 1
            ? choose(
                  "Load",
                  places.map(x => formatNumber(x)),
                  i => {
                      place = places[i];
                      update();
                  },
                  places.indexOf(place),
              )
            : null;
    addSection(
        "latency",
        "Distribution of latency",
        element("div", {class: "controls"}, picker),
        element(
            "div",
            {class: "figures"},
            has && places.length > 1 ? percentileFigure(report) : null,
            nines.node,
            binned.size ? histogram.node : null,
        ),
    );
}
