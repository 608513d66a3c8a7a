// SPDX-License-Identifier: Apache-2.0
// Metrics over the load: marks with error bars, what models and bounds say as lines of the same
// colour, saturated points as open marks above the frame, a row for each curve.
import {element, addSection, formatNumber, shortened} from "./dom.js";
import {figure, plot, valueAxis} from "./chart.js";
import {choose, check, curveName} from "./picker.js";
import {curveColour, curveMark} from "./theme.js";

const LOG_FACTOR = 20; // as in the SVG: latencies that span more get a logarithmic axis
const GROWS = new Set(["latency", "message latency", "population", "latency deviation"]); // once saturated

// Everything a figure of this metric needs. x: the axis, or another metric's value.
export function curveRows(report, shown, {name, of = "", by = "", index = 0}, x = null) {
    const measured = [],
        saturated = [],
        models = [],
        bounds = [];
    let unit = "";
    for (const result of report.results) {
        const metric = result.metric(name, of, by, index),
            place = x && result.metric(x);
        const theory =
            by === ""
                ? result.metrics.filter(
                      m => m.name === name && m.of === of && (m.by === "model" || m.by === "bound"),
                  )
                : [];
        for (const point of result.points) {
            const at = place ? place.value(point.i) : point.x;
            if (!shown.has(point.curve) || !Number.isFinite(at)) continue;
            const cell = metric?.cell(point.i),
                row = {x: at, point, curve: point.curve};
            unit ||= cell?.unit ?? "";
            if (point.saturated && (!cell || GROWS.has(name))) saturated.push(row);
            else if (cell && Number.isFinite(cell.value))
                measured.push({...row, y: cell.value, lo: cell.lo, hi: cell.hi, cell});
            for (const m of theory) {
                const said = m.cell(point.i);
                unit ||= said?.unit ?? "";
                if (said && Number.isFinite(said.value))
                    (m.by === "model" ? models : bounds).push({...row, y: said.value, method: said.method});
            }
        }
    }
    const byPlace = (a, b) => a.x - b.x;
    return {
        walls: x || name === "latency" ? loadWalls(report, shown, x) : [],
        measured: measured.sort(byPlace),
        saturated,
        models: models.sort(byPlace),
        bounds: bounds.sort(byPlace),
        unit,
    };
}

// Where no load can be carried any more, by curve: upright lines, on axes that grow with the load.
function loadWalls(report, shown, x) {
    const walls = new Map();
    for (const result of report.results) {
        const bound = result.metric("accepted", "", "bound", 0),
            offered = result.metric("offered load"),
            place = x && result.metric(x);
        for (const point of bound && offered ? result.points : []) {
            const cell = bound.cell(point.i),
                at = place ? place.value(point.i) : point.x,
                wall = (at * cell?.value) / offered.value(point.i);
            if (!shown.has(point.curve) || !Number.isFinite(wall)) continue;
            const known = walls.get(point.curve) ?? {x: wall, curve: point.curve, same: true};
            known.same &&= Math.abs(known.x - wall) <= 1e-6 * wall;
            walls.set(point.curve, known);
        }
    }
    return [...walls.values()].filter(wall => wall.same);
}

function tip(report, row) {
    const {cell} = row,
        half = (cell?.hi - cell?.lo) / 2;
    const value = cell
        ? `${formatNumber(row.y, row.lo, row.hi)}${half > 0 ? ` ± ${formatNumber(half)}` : ""} ${cell.unit}`
        : `${formatNumber(row.y)} (${row.method})`;
    return `${curveName(report, row.curve)}\nat ${formatNumber(row.x)}: ${value}${row.point.saturated ? "\nsaturated" : ""}`;
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

export function drawCurves(report, rows, {width, xLabel, yLabel, logarithmic, diagonal, yDomain}) {
    if (rows.measured.length + rows.models.length + rows.bounds.length === 0)
        return rows.saturated.length ? "Every point shown is saturated." : "No curve is shown.";
    const domain = yDomain ?? frame(rows, logarithmic),
        levels = [...new Set(rows.saturated.map(row => row.curve))].sort(d3.ascending);
    const all = [...rows.measured, ...rows.saturated, ...rows.models];
    const xs = d3.extent(all, row => row.x),
        stroke = row => curveColour(row.curve);
    const line = {x: "x", y: "y", z: row => `${row.curve} ${row.method}`, stroke, clip: true};
    const bars = rows.measured.filter(row => Number.isFinite(row.lo) && Number.isFinite(row.hi));
    const row = Math.min(14, 120 / levels.length),
        usual = Math.round(Math.min(420, Math.max(260, width * 0.58)));
    return plot(width, {
        height: Math.round(usual + row * levels.length),
        marginTop: 24 + row * levels.length,
        x: {
            label: xLabel,
            domain: [xs[0] > 0 && xs[0] <= 0.3 * xs[1] ? 0 : xs[0], xs[1]],
            nice: false,
            inset: 6,
        },
        y: valueAxis(yLabel, logarithmic, domain),
        color: {type: "identity"},
        marks: [
            Plot.ruleY([domain[0]], {stroke: "var(--rule)"}),
            diagonal
                ? Plot.line(
                      [
                          [0, 0],
                          [xs[1], xs[1]],
                      ],
                      {stroke: "var(--rule)", strokeWidth: 1, clip: true},
                  )
                : null,
            Plot.ruleX(
                rows.walls.filter(wall => wall.x >= xs[0] && wall.x <= xs[1]),
                {x: "x", stroke, strokeDasharray: "1 5", strokeLinecap: "round", strokeWidth: 2},
            ),
            Plot.line(rows.bounds, {...line, strokeDasharray: "1 5", strokeLinecap: "round", strokeWidth: 2}),
            Plot.line(rows.models, {...line, strokeDasharray: "7 4"}),
            Plot.line(rows.measured, {
                x: "x",
                y: "y",
                z: "curve",
                stroke,
                strokeOpacity: 0.55,
                strokeWidth: 1.5,
            }),
            Plot.link(bars, {
                x1: "x",
                x2: "x",
                y1: logarithmic ? row => Math.max(row.lo, domain[0]) : "lo",
                y2: "hi",
                stroke,
                markerStart: "tick",
                markerEnd: "tick",
            }),
            Plot.dot(rows.measured, {
                x: "x",
                y: "y",
                stroke,
                symbol: row => curveMark(row.curve),
                r: 3.2,
                fill: row => (row.point.saturated ? "var(--paper)" : curveColour(row.curve)),
            }),
            ...levels.map((curve, level) =>
                Plot.dot(
                    rows.saturated.filter(row => row.curve === curve),
                    {
                        x: "x",
                        frameAnchor: "top",
                        dy: -10 - row * level,
                        stroke: curveColour(curve),
                        fill: "var(--paper)",
                        symbol: curveMark(curve),
                        r: 3.2,
                    },
                ),
            ),
            levels.length
                ? Plot.text(["saturated"], {
                      frameAnchor: "top-right",
                      dy: -16 - row * levels.length,
                      fill: "var(--faint)",
                  })
                : null,
            Plot.tip(
                [...rows.measured, ...rows.models, ...rows.bounds],
                Plot.pointer({
                    x: "x",
                    y: "y",
                    title: row => tip(report, row),
                    fill: "var(--raised)",
                    stroke: "var(--rule)",
                }),
            ),
        ],
    });
}

function metricFigure(report, legend, title, what, options) {
    let logarithmic = null;
    const box = element("span");
    const drawn = figure(
        title,
        width => {
            const rows = curveRows(report, legend.shown, what(), options.x);
            logarithmic ??= options.log && isWide(rows);
            if (options.log && !box.firstChild)
                box.append(
                    check("log scale", logarithmic, on => {
                        logarithmic = on;
                        drawn.update();
                    }),
                );
            const unit = rows.unit && rows.unit !== "fraction" ? ` (${rows.unit})` : "";
            const name = options.yLabel ?? what().name;
            return drawCurves(report, rows, {
                width,
                logarithmic,
                diagonal: options.diagonal,
                xLabel: options.xLabel ?? report.axis,
                yLabel: shortened(`${name}${unit}`, 64),
            });
        },
        {controls: [...(options.controls ?? []), box], note: options.note},
    );
    legend.onChange(drawn.update);
    return drawn;
}

// Each method that a model or bound names, once.
function theoryNote(report) {
    const methods = new Set();
    for (const result of report.results)
        for (const metric of result.metrics)
            if (metric.by === "model" || metric.by === "bound")
                for (const point of result.points) methods.add(metric.cell(point.i)?.method);
    return methods.size
        ? `Dashed lines are models, dotted ones bounds: ${[...methods].filter(Boolean).join("; ")}.`
        : null;
}

// Any other metric of the whole network over the load.
function anyMetric(report, legend) {
    const others = new Map();
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
    const drawn = metricFigure(report, legend, "Any metric", () => list[chosen], {
        log: true,
        controls: [
            choose(
                "Metric",
                list.map(label),
                i => {
                    chosen = i;
                    drawn.update();
                },
                chosen,
            ),
        ],
    });
    return drawn.node;
}

export function addCurves(report, legend) {
    if (new Set(report.points.map(point => point.x).filter(Number.isFinite)).size < 2) return;
    const has = name =>
        report.results.some(result =>
            result.metrics.some(metric => metric.name === name && metric.of === ""),
        );
    const load = report.results.every(result => result.metric("offered load"));
    const note = theoryNote(report);
    const latency = metricFigure(report, legend, "Latency over load", () => ({name: "latency"}), {
        log: true,
        yLabel: "mean latency",
        note,
    });
    const accepted = metricFigure(report, legend, "Accepted over offered load", () => ({name: "accepted"}), {
        x: load ? "offered load" : null,
        xLabel: load ? "offered load (fraction of injection bandwidth)" : report.axis,
        yLabel: "accepted load",
        diagonal: load,
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
            anyMetric(report, legend),
        ),
    );
}
