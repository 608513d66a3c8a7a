// SPDX-License-Identifier: Apache-2.0
// A reproduced figure: ours as marks with intervals, theirs as crosses, a model as a thin dashed line.
import {element, addSection, formatNumber, shortened} from "./dom.js";
import {figure, plot, pointerTip, valueAxis} from "./chart.js";
import {choose, check} from "./picker.js";
import {legendSample} from "./legend.js";
import {isWide} from "./curves.js";
import {curveColour, curveMark} from "./theme.js";

const ASIDE = 8; // charts shown beside each other; more are chosen from a list

// Every spot with what its trace is; `z` tells traces apart, `curve` is the number of the series on the page.
function rowsOf(chart, kind) {
    return chart.traces
        .filter(trace => trace.kind === kind)
        .flatMap(({series, name, spots}, z) =>
            spots.map(spot => ({...spot, kind, series, name, z, curve: chart.curves[series]})),
        );
}

// A model's curve that holds for several series has none of their colours.
const spotColour = row => (row.curve === undefined ? "var(--ink)" : curveColour(row.curve));

function spotTip(chart, row) {
    const half = (row.hi - row.lo) / 2,
        unit = chart.unit === "fraction" ? "" : ` ${chart.unit}`;
    const whose = row.kind === "model" ? row.name : row.kind;
    const value = `${formatNumber(row.y, row.lo, row.hi)}${half > 0 ? ` ± ${formatNumber(half)}` : ""}${unit}`;
    return [chart.series[row.series], `${whose} at ${formatNumber(row.x)}: ${value}`]
        .filter(Boolean)
        .join("\n");
}

function drawChart(chart, width, logarithmic, zoom) {
    const ours = rowsOf(chart, "ours"),
        theirs = rowsOf(chart, "theirs"),
        models = rowsOf(chart, "model");
    const whole = chart.unit === "fraction" ? models : []; // what else models say may leave the frame
    const seen = [...ours, ...theirs, ...whole].flatMap(row => [row.lo, row.hi]);
    const [least, most] = d3.extent(logarithmic ? seen.filter(y => y > 0) : seen);
    const domain = logarithmic ? [least * 0.9, most * 1.12] : [Math.min(0, least), most > 0 ? most * 1.04 : 1];
    const stroke = spotColour,
        unit = chart.unit && chart.unit !== "fraction" ? ` (${chart.unit})` : "";
    const over = logarithmic ? rows => rows.filter(row => row.y > 0) : rows => rows;
    return plot(width, {
        zoom,
        x: {label: chart.axis, inset: 6},
        y: valueAxis(shortened(`${chart.value}${unit}`, 64), logarithmic, domain),
        color: {type: "identity"},
        marks: [
            Plot.ruleY([domain[0]], {stroke: "var(--rule)"}),
            Plot.line(over(models), {
                x: "x",
                y: "y",
                z: "z",
                stroke,
                strokeWidth: 1.2,
                strokeDasharray: "6 4",
                clip: true,
            }),
            Plot.line(over(ours), {x: "x", y: "y", z: "z", stroke, strokeOpacity: 0.45, strokeWidth: 1.5}),
            Plot.link(
                over(ours).filter(row => row.hi > row.lo),
                {
                    x1: "x",
                    x2: "x",
                    y1: logarithmic ? row => Math.max(row.lo, domain[0]) : "lo",
                    y2: "hi",
                    stroke,
                },
            ),
            Plot.dot(over(ours), {x: "x", y: "y", stroke, fill: stroke, symbol: row => curveMark(row.curve), r: 2.6}),
            Plot.dot(over(theirs), {x: "x", y: "y", stroke, symbol: "times", r: 4.5, strokeWidth: 1.4}),
            pointerTip([...ours, ...theirs, ...models], row => spotTip(chart, row)),
        ],
    });
}

// ---- the legend ----

const sampleLine = (svg, colour, dash) =>
    svg
        .append("path")
        .attr("d", "M-12 0H12")
        .attr("stroke", colour)
        .attr("stroke-width", dash ? 1.2 : 2)
        .attr("stroke-dasharray", dash ?? null);
const sampleMark = (svg, colour, path) =>
    svg.append("path").attr("d", path).attr("stroke", colour).attr("fill", colour);

const legendEntry = (draw, text) => element("span", {class: "entry"}, legendSample(draw), ` ${text}`);

function chartLegend(charts, series) {
    const models = new Set(
        charts.flatMap(chart => chart.traces.filter(t => t.kind === "model").map(t => t.name)),
    );
    const has = kind => charts.some(chart => chart.traces.some(trace => trace.kind === kind));
    const ink = "var(--ink)";
    return element(
        "div",
        {class: "legend"},
        series.length > 1
            ? series.map((name, i) => legendEntry(svg => sampleLine(svg, curveColour(i)), name))
            : null,
        has("ours")
            ? legendEntry(
                  svg => sampleMark(svg, ink, "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0"),
                  "ours, 95 % interval",
              )
            : null,
        has("theirs") ? legendEntry(svg => sampleMark(svg, ink, "M-3 -3L3 3M-3 3L3 -3"), "theirs") : null,
        [...models].map(name => legendEntry(svg => sampleLine(svg, ink, "6 4"), name)),
    );
}

// ---- the section ----

// Probabilities start with a plain axis, whatever they span.
const startsWide = chart =>
    chart.unit !== "fraction" && chart.unit !== "" && isWide({measured: rowsOf(chart, "ours")});

// One figure that shows one of some charts.
function chartFigure(charts) {
    let chosen = Math.floor((charts.length - 1) / 2),
        logarithmic = startsWide(charts[chosen]);
    const controls = [
        check("log scale", logarithmic, on => {
            logarithmic = on;
            drawn.update();
        }),
    ];
    if (charts.length > 1)
        controls.unshift(
            choose(
                "Chart",
                charts.map(chart => shortened(chart.title, 60)),
                i => {
                    chosen = i;
                    drawn.reset();
                    drawn.update();
                },
                chosen,
            ),
        );
    const title = charts.length > 1 ? "Charts" : charts[0].title;
    const drawn = figure(title, (width, zoom) => drawChart(charts[chosen], width, logarithmic, zoom), {
        controls,
        zoom: true,
    });
    return drawn.node;
}

export function addCharts(report) {
    if (report.charts.length === 0) return;
    const series = [...new Set(report.charts.flatMap(chart => chart.series))];
    const charts = report.charts.map(chart => ({
        ...chart,
        curves: chart.series.map(name => series.indexOf(name)),
    }));
    const apart = charts.length <= ASIDE ? charts.map(chart => [chart]) : [charts];
    addSection(
        "figure",
        "The figure",
        chartLegend(charts, series),
        element("div", {class: "figures"}, apart.map(chartFigure)),
    );
}
