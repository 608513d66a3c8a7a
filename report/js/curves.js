// SPDX-License-Identifier: Apache-2.0
// Metrics over the axis of the page: marks with error bars, what models and bounds say as lines. A mark is
// full where a point converged, a cross where it ended at a limit, and open where it is saturated, as in
// pictures for papers; saturated points stand above the frame, a row for each curve, or at their value where
// it means something.
import {element, addSection, formatNumber, shortened} from "./dom.js";
import {figure, plot, pointerTip, valueAxis} from "./chart.js";
import {choose, check, curveName, isConverged, verdictWord} from "./picker.js";
import {classFigures} from "./classes.js";
import {curveColour, curveMark} from "./theme.js";
import {axisUnit, inBrackets, timeUnit} from "./units.js";

const LOG_FACTOR = 20; // as in the SVG: latencies that span more get a logarithmic axis
const GROWS = new Set(["latency", "message latency", "population", "latency deviation"]); // once saturated

// The rows of a metric and what theory says of it, each in its own unit. x: another metric for the axis.
function gather(report, shown, {name, of = "", by = "", index = 0}, x) {
    const measured = [],
        saturated = [],
        models = [],
        bounds = [];
    const several = report.results.some(result => result.metrics.some(m => m.name === "accepted" && m.of !== "")),
        bounded = !several || name !== "accepted"; // the bound is one of all classes in their proportion
    for (const result of report.results) {
        const metric = result.metric(name, of, by, index),
            place = x && (result.metric(x, of) ?? result.metric(x));
        const theory = result.metrics.filter(
            m => by === "" && m.name === name && m.of === of && (m.by === "model" || (m.by === "bound" && bounded)),
        );
        for (const point of result.points) {
            const at = place ? place.value(point.i) : point.x;
            if (!shown.has(point.curve) || !Number.isFinite(at)) continue;
            const cell = metric?.cell(point.i),
                row = {x: at, point, curve: point.curve};
            if (point.saturated && (!cell || GROWS.has(name))) saturated.push(row);
            else if (cell && Number.isFinite(cell.value))
                measured.push({...row, y: cell.value, lo: cell.lo, hi: cell.hi, cell, unit: cell.unit});
            for (const m of theory) {
                const said = m.cell(point.i);
                if (said && Number.isFinite(said.value))
                    (m.by === "model" ? models : bounds).push({
                        ...row,
                        y: said.value,
                        unit: said.unit,
                        method: said.method.replace(/^(model|bound): /, ""),
                    });
            }
        }
    }
    return {measured, saturated, models, bounds};
}

// Rows in the unit of the axis; those that have no such unit are left out.
function inUnit(rows, name, factor) {
    const mine = rows.filter(row => timeUnit(row.unit).name === name);
    const scaled = mine.map(row => {
        const by = timeUnit(row.unit).tick * factor;
        return {...row, y: row.y * by, lo: row.lo * by, hi: row.hi * by};
    });
    return d3.sort(scaled, row => row.x);
}

// Everything a figure of this metric needs, in one unit.
export function curveRows(report, shown, what, x = null) {
    const found = gather(report, shown, what, x),
        all = [...found.measured, ...found.models, ...found.bounds];
    const base = all.length ? timeUnit(all[0].unit).name : "",
        alike = rows => rows.filter(row => timeUnit(row.unit).name === base),
        usual = alike(found.measured).length ? found.measured : all;
    const most = d3.max(alike(usual), row => row.y * timeUnit(row.unit).tick) ?? 0,
        {name, factor} = axisUnit(base, most);
    const [measured, models, bounds] = ["measured", "models", "bounds"].map(kind => inUnit(found[kind], base, factor));
    const walls = what.name === "latency" && !what.of && report.home ? loadWalls(report, shown) : [],
        [from, to] = d3.extent([...measured, ...found.saturated, ...models], row => row.x);
    return {
        walls: walls.filter(wall => wall.x >= from && wall.x <= to),
        measured,
        models,
        bounds: shared(bounds),
        ceiling: what.name === "accepted",
        saturated: found.saturated,
        unit: name,
        left: all.length - measured.length - models.length - bounds.length,
    };
}

// One line for what bounds several curves alike; it has none of their colours.
function shared(bounds) {
    const lines = d3.groups(bounds, row => `${row.curve} ${row.method}`).map(([, rows]) => rows);
    const same = d3.groups(lines, rows => JSON.stringify(rows.map(row => [row.x, row.y.toPrecision(9), row.method])));
    return same.flatMap(([, [rows, ...more]], line) =>
        rows.map(row => ({...row, line, curve: more.length ? undefined : row.curve, of: 1 + more.length})),
    );
}

// Where no load can be carried any more, by curve: upright lines, on axes that grow with the load.
function loadWalls(report, shown) {
    const walls = new Map();
    for (const result of report.results) {
        const bound = result.metric("accepted", "", "bound", 0),
            offered = result.metric("offered load");
        if (result.metrics.some(m => m.name === "accepted" && m.of !== "")) continue;
        for (const point of bound && offered ? result.points : []) {
            const cell = bound.cell(point.i),
                wall = (point.x * cell?.value) / offered.value(point.i);
            if (!shown.has(point.curve) || !Number.isFinite(wall)) continue;
            const known = walls.get(point.curve) ?? {x: wall, curve: point.curve, same: true};
            known.same &&= Math.abs(known.x - wall) <= 1e-6 * wall;
            walls.set(point.curve, known);
        }
    }
    const lasting = [...walls.values()].filter(wall => wall.same);
    return d3
        .groups(lasting, wall => wall.x.toPrecision(6))
        .map(([, [wall, ...more]]) => ({...wall, curve: more.length ? undefined : wall.curve}));
}

const lineColour = row => (row.curve === undefined ? "var(--ink)" : curveColour(row.curve));

function tip(report, unit, row) {
    const half = (row.hi - row.lo) / 2,
        said = unit && unit !== "fraction" ? ` ${unit}` : "";
    const value = row.cell
        ? `${formatNumber(row.y, row.lo, row.hi)}${half > 0 ? ` ± ${formatNumber(+half.toPrecision(2))}` : ""}${said}`
        : `${formatNumber(row.y)}${said} (${row.method})`;
    const name = row.curve === undefined ? `${row.of} curves` : curveName(report, row.curve);
    return `${name}\nat ${formatNumber(row.x)}: ${value}${row.cell ? `\n${row.point.verdict}` : ""}`;
}

// The frame fits what is measured; models may leave it at the top.
function frame(rows, logarithmic) {
    const base = rows.measured.length ? rows.measured : [...rows.models, ...rows.bounds];
    const least = d3.min(base, row => row.y),
        most = d3.max(base, row => (Number.isFinite(row.hi) ? row.hi : row.y));
    const near = rows.bounds.map(row => row.y).filter(y => y > least / 2 && y < most * 1.5);
    const low = Math.min(least, ...near),
        high = Math.max(most, ...near);
    return logarithmic ? [low * 0.9, high * 1.12] : [Math.min(0, low), high > 0 ? high * 1.04 : 1];
}

export function isWide(rows) {
    const [least, most] = d3.extent(rows.measured, row => row.y);
    return least > 0 && most > LOG_FACTOR * least;
}

// A single place gets room around it, so that it has a tick of its own.
function xDomain(xs) {
    if (xs[0] === xs[1]) return xs[0] === 0 ? [-1, 1] : d3.extent([xs[0] * 0.5, xs[0] * 1.5]);
    // an offered load may be 0.8999…, and 0.9 has its tick all the same
    const [from, to] = xs.map(x => Number(x.toPrecision(12)));
    return [from > 0 && from <= 0.3 * to ? 0 : from, to];
}

// Which state of a point its mark shows.
const markFill = row => (isConverged(row.point) ? curveColour(row.curve) : "var(--paper)");
const markSymbol = row =>
    isConverged(row.point) || row.point.saturated ? curveMark(row.curve) : "times";

// As in the SVG: zero-load latency is dotted, a throughput bound dash-dotted.
const DOTTED = {strokeDasharray: "1 5", strokeLinecap: "round", strokeWidth: 2};
const DASH_DOTTED = {strokeDasharray: "10 4 2 4", strokeWidth: 1.5};

// Models, bounds and the loads that cannot be carried, as lines without marks.
function theoryMarks(rows, walls, faded) {
    const z = row => row.line ?? `${row.curve} ${row.method}`,
        line = {x: "x", y: "y", z, stroke: lineColour, strokeOpacity: faded, clip: true};
    return [
        Plot.ruleX(walls, {x: "x", stroke: lineColour, strokeOpacity: faded, ...DASH_DOTTED}),
        Plot.line(rows.bounds, {...line, ...(rows.ceiling ? DASH_DOTTED : DOTTED)}),
        Plot.line(rows.models, {...line, strokeDasharray: "7 4"}),
    ];
}

// What was measured: lines, intervals, marks.
function measuredMarks(rows, least, faded) {
    const stroke = lineColour,
        bars = rows.filter(row => Number.isFinite(row.lo) && Number.isFinite(row.hi));
    return [
        Plot.line(rows, {
            x: "x",
            y: "y",
            z: "curve",
            stroke,
            strokeOpacity: row => 0.6 * faded(row),
            strokeWidth: 1.5,
        }),
        Plot.link(bars, {
            x1: "x",
            x2: "x",
            y1: row => Math.max(row.lo, least),
            y2: "hi",
            stroke,
            strokeOpacity: faded,
            markerStart: "tick",
            markerEnd: "tick",
        }),
        Plot.dot(rows, {
            x: "x",
            y: "y",
            stroke,
            strokeOpacity: faded,
            fillOpacity: faded,
            symbol: markSymbol,
            r: row => (markSymbol(row) === "times" ? 4.2 : 3.2),
            fill: markFill,
        }),
    ];
}

// Open marks above the frame, a level of this many pixels for each curve.
function saturatedMarks(rows, levels, pixels, faded) {
    if (levels.length === 0) return [];
    return [
        ...levels.map((curve, level) =>
            Plot.dot(
                rows.filter(row => row.curve === curve),
                {
                    x: "x",
                    frameAnchor: "top",
                    dy: -10 - pixels * level,
                    stroke: curveColour(curve),
                    strokeOpacity: faded,
                    symbol: curveMark(curve),
                    r: 3.2,
                    fill: "var(--paper)",
                    clip: false,
                },
            ),
        ),
        Plot.text(["saturated"], {
            frameAnchor: "top-right",
            dy: -16 - pixels * levels.length,
            fill: "var(--faint)",
            clip: false,
        }),
    ];
}

// What was offered is accepted: a line from the origin.
const diagonalMark = most =>
    Plot.line(
        [
            [0, 0],
            [most, most],
        ],
        {stroke: "var(--rule)", strokeWidth: 1, clip: true},
    );

export function drawCurves(report, rows, {width, zoom, xLabel, yLabel, logarithmic, diagonal, lit = null}) {
    if (rows.measured.length + rows.models.length + rows.bounds.length === 0)
        return rows.saturated.length ? "Every point shown is saturated." : "No curve is shown.";
    const domain = frame(rows, logarithmic),
        all = [...rows.measured, ...rows.saturated, ...rows.models],
        xs = d3.extent(all.length ? all : rows.bounds, row => row.x);
    const inX = row => !zoom || (row.x >= zoom.x[0] && row.x <= zoom.x[1]),
        faded = row => (lit === null || row.curve === lit ? 1 : 0.1),
        walls = rows.walls.filter(inX);
    const levels = [...new Set(rows.saturated.map(row => row.curve))].sort(d3.ascending),
        pixels = Math.min(14, 120 / levels.length),
        usual = Math.round(Math.min(420, Math.max(260, width * 0.58)));
    return plot(width, {
        zoom,
        height: Math.round(usual + pixels * levels.length),
        marginTop: 28 + pixels * levels.length,
        marginRight: 24,
        x: {
            label: shortened(xLabel, Math.floor(width / 7)),
            domain: xDomain(xs),
            nice: false,
            inset: 6,
            ticks: Math.min(10, Math.max(3, width / 70)),
        },
        y: valueAxis(yLabel, logarithmic, domain),
        color: {type: "identity"},
        marks: [
            Plot.ruleY([domain[0]], {stroke: "var(--rule)"}),
            diagonal ? diagonalMark(xs[1]) : null,
            ...theoryMarks(rows, walls, faded),
            ...measuredMarks(rows.measured, logarithmic ? domain[0] : -Infinity, faded),
            ...saturatedMarks(rows.saturated.filter(inX), levels, pixels, faded),
            pointerTip([...rows.measured, ...rows.models, ...rows.bounds].filter(inX), row =>
                tip(report, rows.unit, row),
            ),
        ],
    });
}

// What the marks and lines of a figure mean, as far as it has them.
function curveNote(rows) {
    const limited = new Set(
        rows.measured.filter(row => !isConverged(row.point) && !row.point.saturated).map(row => verdictWord(row.point)),
    );
    const methods = kind => [...new Set(rows[kind].map(row => row.method.replace(/, about$/, "")))].join(", ");
    const left = rows.left ? `${rows.left} values in other units are not drawn` : "";
    return [
        limited.size ? `× not converged (${[...limited].join(", ")})` : "",
        rows.saturated.length || rows.measured.some(row => row.point.saturated) ? "○ saturated" : "",
        rows.bounds.length ? `${rows.ceiling ? "dash-dotted" : "dotted"}: bound (${methods("bounds")})` : "",
        rows.walls.length ? "dash-dotted upright: greatest load that can be carried" : "",
        rows.models.length ? `dashed: model (${methods("models")})` : "",
        left,
    ]
        .filter(Boolean)
        .join(" · ");
}

function metricFigure(view, legend, title, what, options) {
    const {report} = view;
    let logarithmic = null,
        note = "";
    const box = element("span");
    const drawn = figure(
        title,
        (width, zoom) => {
            const x = options.x?.() ?? null,
                rows = curveRows(report, legend.shown, what(), x);
            logarithmic ??= options.log && isWide(rows);
            note = curveNote(rows);
            if (options.log && !box.firstChild)
                box.append(
                    check("log scale", logarithmic, on => {
                        logarithmic = on;
                        drawn.update();
                    }),
                );
            const name = options.yLabel ?? what().name,
                of = what().of ? ` of class ${what().of}` : "";
            return drawCurves(report, rows, {
                width,
                zoom,
                logarithmic,
                lit: legend.lit,
                diagonal: options.diagonal && x,
                xLabel: x ? `offered load${of} (fraction of injection bandwidth)` : report.axis,
                yLabel: shortened(`${name}${of}${inBrackets(rows.unit)}`, 64),
            });
        },
        {controls: [...(options.controls ?? []), box], note: () => note, zoom: true},
    );
    legend.onChange(drawn.update);
    view.onChange(change => {
        if (change !== "filter") drawn.reset();
        drawn.update();
    });
    return drawn;
}

// Any other metric over the axis, with those of the class that is looked at first.
function anyMetric(view, legend) {
    const {report} = view,
        others = new Map();
    for (const result of report.results)
        for (const {name, of, by, index} of result.metrics)
            if (
                by !== "model" &&
                by !== "bound" &&
                by !== "percentile" &&
                !name.startsWith("offered") &&
                !(by === "" && of === "" && (name === "latency" || name === "accepted"))
            )
                others.set(JSON.stringify([name, of, by, index]), {name, of, by, index});
    const list = [...others.values()];
    if (list.length === 0) return null;
    const label = ({name, of, by, index}) =>
        shortened(`${name}${by ? ` by ${by} ${index || ""}` : ""}${of ? `, class ${of}` : ""}`, 60);
    let chosen = Math.max(
        0,
        list.findIndex(metric => metric.name === "utilisation"),
    );
    const drawn = metricFigure(view, legend, "Any metric", () => list[chosen], {
        log: true,
        controls: [
            choose(
                "Metric",
                list.map(label),
                i => {
                    chosen = i;
                    drawn.reset();
                    drawn.update();
                },
                chosen,
            ),
        ],
    });
    return drawn.node;
}

export function addCurves(view, legend) {
    const {report} = view;
    if (!view.axis) return;
    const has = name => report.results.some(result => result.metrics.some(metric => metric.name === name));
    const load = report.results.every(result => result.metric("offered load"));
    const latency = metricFigure(view, legend, "Latency", () => ({name: "latency", of: view.of}), {
        log: true,
        yLabel: "mean latency",
    });
    const accepted = metricFigure(view, legend, "Accepted load", () => ({name: "accepted", of: view.of}), {
        x: () => (load && view.axis.home ? "offered load" : null),
        yLabel: "accepted load",
        diagonal: true,
    });
    addSection(
        "curves",
        "Curves",
        legend.node,
        element(
            "div",
            {class: "figures"},
            has("latency") ? latency.node : null,
            has("accepted") ? accepted.node : null,
            classFigures(view),
            anyMetric(view, legend),
        ),
    );
}
