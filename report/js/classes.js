// SPDX-License-Identifier: Apache-2.0
// The traffic classes of one curve beside each other: a line for each, named at its end.
import {formatNumber, shortened} from "./dom.js";
import {figure, plot, pointerTip} from "./chart.js";
import {curveName, isConverged} from "./picker.js";
import {palette} from "./theme.js";
import {axisUnit, inBrackets, timeUnit} from "./units.js";

// The values of a metric for every class along the curve that is looked at, in one unit. {rows, unit}
function classRows(view, name) {
    const rows = view.report.points
        .filter(point => point.curve === view.point.curve && Number.isFinite(point.x))
        .flatMap(point =>
            view.classes.map((of, k) => ({
                of,
                k,
                point,
                x: point.x,
                cell: view.report.results[point.r].metric(name, of)?.cell(point.i),
            })),
        )
        .filter(row => Number.isFinite(row.cell?.value) && !(name === "latency" && row.point.saturated));
    const base = rows.length ? timeUnit(rows[0].cell.unit).name : "",
        amount = (row, member) => row.cell[member] * timeUnit(row.cell.unit).tick;
    const {name: unit, factor} = axisUnit(base, d3.max(rows, row => amount(row, "value")) ?? 0);
    const scaled = rows.map(row => ({
        ...row,
        y: amount(row, "value") * factor,
        lo: amount(row, "lo") * factor,
        hi: amount(row, "hi") * factor,
    }));
    return {rows: d3.sort(scaled, row => row.x), unit};
}

// Heights of the labels at the ends of lines, from the top down, each at least a line below the one before.
function spread(ends, height, [low, high]) {
    const gap = (16 / height) * (high - low);
    let above = Infinity;
    return d3.sort(ends, row => -row.y).map(row => ({...row, label: (above = Math.min(row.y, above - gap))}));
}

function drawClasses(view, name, label, width, zoom) {
    const {rows, unit} = classRows(view, name);
    if (rows.length === 0) return "No point of this curve has values of classes.";
    const stroke = row => palette[row.k % palette.length],
        high = 1.04 * d3.max(rows, row => (Number.isFinite(row.hi) ? row.hi : row.y)) || 1,
        [from, to] = d3.extent(rows, row => row.x);
    const inside = row =>
        !zoom || (row.x >= zoom.x[0] && row.x <= zoom.x[1] && row.y >= zoom.y[0] && row.y <= zoom.y[1]);
    const ends = d3.groups(rows.filter(inside), row => row.k).map(([, list]) => list.at(-1));
    const longest = d3.max(view.classes, of => shortened(of, 18).length);
    return plot(width, {
        zoom,
        marginRight: 20 + 7 * longest,
        x: {
            label: shortened(view.report.axis, Math.floor(width / 7)),
            inset: 6,
            domain: from === to ? d3.extent([from * 0.5, from * 1.5 || 1]) : [from, to],
            ticks: Math.min(10, Math.max(3, width / 80)),
        },
        y: {label: `${label}${inBrackets(unit)}`, domain: [0, high], nice: true},
        color: {type: "identity"},
        marks: [
            Plot.ruleY([0], {stroke: "var(--rule)"}),
            Plot.line(rows, {x: "x", y: "y", z: "k", stroke, strokeWidth: 1.5}),
            Plot.link(
                rows.filter(row => Number.isFinite(row.lo) && Number.isFinite(row.hi)),
                {x1: "x", x2: "x", y1: "lo", y2: "hi", stroke, clip: true},
            ),
            Plot.dot(rows, {
                x: "x",
                y: "y",
                r: row => (isConverged(row.point) || row.point.saturated ? 3 : 4.2),
                stroke,
                symbol: row => (isConverged(row.point) || row.point.saturated ? "circle" : "times"),
                fill: row => (isConverged(row.point) ? stroke(row) : "var(--paper)"),
            }),
            Plot.text(spread(ends, 0.5 * width, zoom?.y ?? [0, high]), {
                x: "x",
                y: "label",
                text: row => shortened(row.of, 18),
                dx: 9,
                textAnchor: "start",
                fill: stroke,
                clip: false,
            }),
            pointerTip(
                rows.filter(inside),
                row =>
                    `class ${row.of}\nat ${formatNumber(row.x)}: ${formatNumber(row.y, row.lo, row.hi)}` +
                    `${unit && unit !== "fraction" ? ` ${unit}` : ""}\n${row.point.verdict}`,
            ),
        ],
    });
}

// Figures of latency and accepted load by class; none where there is one class.
export function classFigures(view) {
    if (view.classes.length < 2 || !view.axis) return [];
    const has = name => view.report.results.some(r => r.metrics.some(m => m.name === name && m.of !== ""));
    return [
        ["latency", "mean latency"],
        ["accepted", "accepted load"],
    ]
        .filter(([name]) => has(name))
        .map(([name, label]) => {
            const drawn = figure(
                `${label[0].toUpperCase()}${label.slice(1)} by class`,
                (width, zoom) => drawClasses(view, name, label, width, zoom),
                {
                    zoom: true,
                    note: () =>
                        view.report.curves.length > 1 ? `Of the curve ${curveName(view.report, view.point.curve)}.` : "",
                },
            );
            view.onSelect(drawn.update);
            view.onChange(() => {
                drawn.reset();
                drawn.update();
            });
            return drawn.node;
        });
}
