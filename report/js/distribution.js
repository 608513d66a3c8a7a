// SPDX-License-Identifier: Apache-2.0
// How latency is spread: percentiles over the axis, the tail in nines, histograms beside a model's.
import {element, addSection, formatNumber, logTicks, percentileName, shortened, tickText} from "./dom.js";
import {figure, leftMargin, plot, pointerTip} from "./chart.js";
import {choose, curveName} from "./picker.js";
import {classChoice} from "./legend.js";
import {curveColour, curveMark, palette} from "./theme.js";
import {axisUnit, inTime, timeUnit} from "./units.js";

const BINS = 64,
    NINES = 6,
    ABOVE = 10; // packets above a percentile, so that it is more than a few of the slowest

const LABEL_GAP = 0.055; // of the frame's height, so that labels at the ends of curves do not overlap

// The rows with the places of their labels: from the top down, each moved if the one above is too near.
function apart(rows, [least, most]) {
    const step = Math.pow(most / least, LABEL_GAP);
    let above = Infinity;
    return d3
        .sort(rows, row => -row.y)
        .map(row => ({...row, label: (above = Math.min(row.y, above / step))}));
}

// The percentiles of latency of a class that the packets counted support, in cycles or ns.
function percentilesOf(result, point, of) {
    return result.metrics
        .filter(m => m.name === "latency" && m.of === of && m.by === "percentile" && m.index < 100000)
        .map(m => ({cell: m.cell(point.i), index: m.index}))
        .filter(({cell}) => cell && Number.isFinite(cell.value))
        .filter(({cell, index}) => !(cell.n > 0) || cell.n * (1 - index / 100000) >= ABOVE)
        .map(({cell, index}) => {
            const {name, tick} = timeUnit(cell.unit);
            return {
                value: cell.value * tick,
                lo: cell.lo * tick,
                hi: cell.hi * tick,
                unit: name,
                index,
                point,
                curve: point.curve,
            };
        });
}

const scaledBy = (rows, factor, member) =>
    rows.map(row => ({...row, [member]: row.value * factor, lo: row.lo * factor, hi: row.hi * factor}));

function drawPercentiles(view, curve, width, zoom) {
    const {report} = view;
    const found = report.points
        .filter(point => point.curve === curve && !point.saturated && Number.isFinite(point.x))
        .flatMap(point => percentilesOf(report.results[point.r], point, view.of))
        .filter(row => row.value > 0);
    if (found.length === 0) return "No point of this curve has percentiles.";
    const base = found[0].unit,
        mine = found.filter(row => row.unit === base),
        {name: unit, factor} = axisUnit(base, d3.max(mine, row => row.value));
    const rows = d3.sort(
        scaledBy(mine, factor, "y").map(row => ({...row, x: row.point.x})),
        row => row.x,
    );
    const levels = d3.sort(new Set(rows.map(row => row.index))),
        stroke = row => palette[levels.indexOf(row.index) % 8],
        [least, most] = d3.extent(rows, row => row.y),
        domain = [least * 0.9, most * 1.12],
        [from, to] = d3.extent(rows, row => row.x);
    const inside = row =>
        !zoom || (row.x >= zoom.x[0] && row.x <= zoom.x[1] && row.y >= zoom.y[0] && row.y <= zoom.y[1]);
    const last = d3
        .rollups(
            rows.filter(inside),
            group => group.at(-1),
            row => row.index,
        )
        .map(([, row]) => row);
    return plot(width, {
        zoom,
        marginRight: 64,
        x: {
            label: shortened(report.axis, Math.floor(width / 7)),
            inset: 6,
            domain: from === to ? d3.extent([from * 0.5, from * 1.5 || 1]) : [from, to],
            ticks: Math.max(3, width / 80),
        },
        color: {type: "identity"},
        y: {label: `latency (${shortened(unit)})`, type: "log", domain},
        marks: [
            Plot.line(rows, {x: "x", y: "y", z: "index", stroke, strokeWidth: 1.5}),
            Plot.link(
                rows.filter(row => row.lo > 0 && Number.isFinite(row.hi)),
                {x1: "x", x2: "x", y1: "lo", y2: "hi", stroke, clip: true},
            ),
            Plot.dot(rows, {x: "x", y: "y", fill: stroke, r: 2.5}),
            Plot.text(apart(last, zoom?.y ?? domain), {
                x: "x",
                y: "label",
                text: row => percentileName(row.index),
                dx: 9,
                textAnchor: "start",
                fill: "currentColor",
                clip: false,
            }),
            pointerTip(
                rows.filter(inside),
                row =>
                    `${percentileName(row.index)} of the packets\n` +
                    `below ${formatNumber(row.y, row.lo, row.hi)} ${unit} at ${formatNumber(row.x)}\n` +
                    row.point.verdict,
            ),
        ],
    });
}

// Percentiles of the curve that is looked at.
function percentileFigure(view) {
    const {report} = view,
        box = element("span", {class: "controls"});
    const curveOf = () => view.point.curve;
    const controls = () => {
        const curves = [...new Set(view.points().map(point => point.curve))].sort(d3.ascending);
        box.replaceChildren(
            ...(curves.length > 1
                ? [
                      choose(
                          "Curve",
                          curves.map(c => curveName(report, c)),
                          i => {
                              const of = view.points().filter(point => point.curve === curves[i]);
                              const far = point => Math.abs(point.x - view.point.x);
                              view.select(of[d3.leastIndex(of, point => point.saturated + far(point)) ?? 0]);
                          },
                          curves.indexOf(curveOf()),
                      ),
                  ]
                : []),
        );
    };
    const drawn = figure("Percentiles of latency", (width, zoom) => drawPercentiles(view, curveOf(), width, zoom), {
        controls: [box],
        zoom: true,
    });
    const update = () => {
        controls();
        drawn.update();
    };
    view.onSelect(update);
    view.onChange(() => {
        drawn.reset();
        update();
    });
    controls();
    return drawn.node;
}

// What is known at one place of the axis: [{curve, array, model, percentiles}] of the shown curves.
function histogramsAt(view, shown, x) {
    return view.report.results.flatMap(result => {
        const points = result.points.filter(
            point => shown.has(point.curve) && Object.is(point.x, x) && !point.saturated,
        );
        return points.flatMap(point => {
            const mine = result.arrays.filter(
                array => array.point === point.i && array.table === "histogram" && array.of === view.of,
            );
            const [array, model] = ["latency", "latency model"].map(name => {
                const found = mine.find(a => a.name === name);
                return found && inTime(found);
            });
            const percentiles = percentilesOf(result, point, view.of).map(row => ({...row, y: 1 - row.index / 100000}));
            return [{curve: point.curve, array, model, percentiles}];
        });
    });
}

// Those in one unit: cycles and nanoseconds have no common axis. Times become ns, µs or ms by the longest.
function inOneUnit(found) {
    const unitOf = one => (one.array ?? one.model)?.unit ?? one.percentiles[0]?.unit,
        base = found.map(unitOf).find(Boolean),
        mine = found.filter(one => unitOf(one) === base);
    const most = d3.max(mine, one =>
        d3.max([one.array, one.model].filter(array => array?.count > 0), array => array.x[array.count - 1]) ??
        d3.max(one.percentiles, row => row.value),
    );
    const {name, factor} = axisUnit(base, most ?? 0);
    const scaled = array => array && {...array, x: array.x.map(x => x * factor), tick: array.tick * factor};
    return {
        unit: name ?? "",
        alike: mine.map(one => ({
            curve: one.curve,
            array: scaled(one.array),
            model: scaled(one.model),
            percentiles: scaledBy(one.percentiles.filter(row => row.unit === base), factor, "x"),
        })),
    };
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

function drawTail(report, all_, width, zoom) {
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
        [from, to] = d3.extent(all, row => row.x),
        span = long ? [from, to * 1.06] : [from, to + 0.02 * (to - from || 1)];
    const line = {x: "x", y: "y", z: "curve", stroke: row => curveColour(row.curve), clip: true};
    return plot(width, {
        zoom,
        x: {
            label: `latency (${shortened(unit)})`,
            type: long ? "log" : "linear",
            domain: span,
            ticks: long ? logTicks(span) : Math.max(3, width / 90),
        },
        y: {
            label: "share of packets that are faster",
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
            pointerTip(
                all,
                row =>
                    `${curveName(report, row.curve)}${row.isModel ? ", model" : ""}\n` +
                    `${Number((100 * (1 - row.y)).toPrecision(6))} % below ${formatNumber(row.x)} ${unit}`,
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

function drawHistogram(report, all_, width, zoom) {
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
        zoom,
        x: {
            label: `latency (${shortened(unit)})`,
            type: long ? "log" : "linear",
            domain: [edges[0], edges.at(-1)],
            ticks: long ? logTicks([edges[0], edges.at(-1)]) : Math.max(3, width / 90),
        },
        y: {
            label: `share of packets per ${unit === "cycles" ? "cycle" : shortened(unit)}`,
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

// Has a point percentiles, and has it bins?
function known(report) {
    const binned = new Set(
        report.results.flatMap((result, r) =>
            result.arrays
                .filter(a => a.table === "histogram" && a.name === "latency" && a.count > 0)
                .map(a => `${r} ${a.point}`),
        ),
    );
    const ranked = report.results.map(result =>
        result.metrics.filter(m => m.name === "latency" && m.by === "percentile"),
    );
    return {
        bins: point => binned.has(`${point.r} ${point.i}`),
        percentiles: point => ranked[point.r].some(m => m.row(point.i) >= 0),
    };
}

// The place on the axis whose distributions are drawn: that of the point that is looked at, if it has any.
function placePicker(view, points, update) {
    const box = element("span", {class: "controls"});
    const places = () => d3.sort(new Set(points().map(point => point.x)));
    let place = null;
    const follow = () => {
        const all = places();
        if (all.includes(view.point.x)) place = view.point.x;
        else if (!all.includes(place)) place = all[Math.floor(all.length * 0.6)];
        const label = /load/.test(view.report.axis) ? "Load" : "At";
        box.replaceChildren(
            ...(all.length > 1
                ? [
                      choose(
                          label,
                          all.map(x => formatNumber(x)),
                          i => {
                              const there = points().filter(point => point.x === all[i]);
                              view.select(there.find(point => point.curve === view.point.curve) ?? there[0]);
                          },
                          all.indexOf(place),
                      ),
                  ]
                : []),
        );
    };
    const changed = () => {
        follow();
        update();
    };
    view.onSelect(changed);
    view.onChange(changed);
    follow();
    return {
        node: box,
        get place() {
            return place;
        },
    };
}

export function addDistribution(view, legend) {
    const {report} = view,
        {bins, percentiles} = known(report);
    const points = () =>
        view.points().filter(point => !point.saturated && (bins(point) || percentiles(point)));
    if (points().length === 0) return;
    const found = () => histogramsAt(view, legend.shown, picker.place);
    const nines = figure("The tail of latency, in nines", (width, zoom) => drawTail(report, found(), width, zoom), {
        zoom: true,
    });
    const histogram = figure("Histogram of latency", (width, zoom) => drawHistogram(report, found(), width, zoom), {
        zoom: true,
        note: report.results.some(result => result.arrays.some(a => a.name === "latency model"))
            ? "Dashed: the distribution that a model gives."
            : null,
    });
    const update = () => [nines, histogram].forEach(one => one.update());
    const picker = placePicker(view, points, () => {
        [nines, histogram].forEach(one => one.reset());
        update();
    });
    legend.onChange(update);
    const over = view.axis && report.points.some(percentiles);
    addSection(
        "latency",
        "Distribution of latency",
        element("div", {class: "controls"}, picker.node, classChoice(view)),
        element(
            "div",
            {class: "figures"},
            over ? percentileFigure(view) : null,
            nines.node,
            report.points.some(bins) ? histogram.node : null,
        ),
    );
}
