// SPDX-License-Identifier: Apache-2.0
// Time series of a point: counts per bin, and mean latency where sums and counts are there.
import {element, addSection, formatNumber, shortened, tickText} from "./dom.js";
import {figure, leftMargin, plot, pointerTip} from "./chart.js";
import {pickPoint} from "./picker.js";
import {isRate, rateFigures} from "./rates.js";
import {axisUnit, inTime, timeUnit} from "./units.js";
import {loadColour} from "./theme.js";

// The ends of ranks and of repetitions are series over these.
const ends = ["rank end", "repetition end"];
const isOverTime = array => array.table === "series" && array.count > 0 && !ends.includes(array.name);

// A series over an axis of time, in the unit that the last bin asks for.
function inReadableTime(array) {
    const shown = inTime(array),
        {name, factor} = axisUnit(shown.unit, shown.x[shown.count - 1] ?? 0);
    return {...shown, x: shown.x.map(x => x * factor), time: name};
}

function meanLatency(sum, delivered) {
    const means = Array.from(sum.y, (value, i) => (delivered.y[i] ? (value * sum.tick) / delivered.y[i] : NaN)),
        {name, factor} = axisUnit(sum.unit, d3.max(means) ?? 0);
    return {y: means.map(mean => mean * factor), label: `mean latency (${name})`};
}

const arraysOf = (report, point) =>
    report.results[point.r].arrays
        .filter(array => array.point === point.i && isOverTime(array))
        .map(inReadableTime);

function seriesOf(all) {
    const arrays = all.filter(array => !isRate(array));
    const name = array => (array.of ? `${array.name}, class ${array.of}` : array.name);
    const list = arrays
        .filter(array => array.name !== "latency sum")
        .map(array => ({...array, name: name(array), label: counted(array)}));
    for (const sum of arrays.filter(array => array.name === "latency sum")) {
        const delivered = arrays.find(
            array => array.name === "delivered" && array.of === sum.of && array.count === sum.count,
        );
        if (delivered)
            list.push({
                name: sum.of ? `mean latency, class ${sum.of}` : "mean latency",
                time: sum.time,
                x: sum.x,
                ...meanLatency(sum, delivered),
            });
    }
    return list;
}

// The busiest links over time: a row for each, its load in every bin; null if the point has none.
function linkSeries(report, point) {
    const result = report.results[point.r],
        array = result.arrays.find(
            one => one.point === point.i && one.name === "link series" && one.table === "matrix",
        ),
        bin = result.metric("link series bin")?.cell(point.i),
        loads = result.loads.find(one => one.point === point.i);
    if (!array || !bin || !loads || array.columns < 2) return null;
    const rows = array.count / array.columns,
        bins = array.columns - 1,
        {tick} = timeUnit(array.unit),
        width = bin.value / tick; // ticks
    const names = d3.range(rows).map(k => result.links[loads.link(array.y[k * array.columns])] ?? "?");
    const values = Float64Array.from(
        {length: rows * bins},
        (_, i) => array.y[Math.floor(i / bins) * array.columns + 1 + (i % bins)] / width,
    );
    return {names, values, rows, bins, width: bin.value, unit: timeUnit(bin.unit).name};
}

// Links from top to bottom by what they carried, time from left to right.
function linkFigure(series) {
    const {name: unit, factor} = axisUnit(series.unit, series.bins * series.width),
        end = series.bins * series.width * factor;
    const lane = i => (series.rows - 0.5 - i) / series.rows;
    return figure(
        `The ${series.rows} busiest links over time`,
        width => {
            const left = Math.min(width / 3, 30 + 6.6 * d3.max(series.names, name => Math.min(40, name.length))),
                step = Math.max(1, Math.ceil(series.rows / 32)),
                shown = d3.range(0, series.rows, step);
            const chart = Plot.plot({
                width,
                height: Math.max(160, Math.min(620, 70 + 15 * series.rows)),
                marginLeft: left,
                marginBottom: 40,
                style: {background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
                x: {label: `time (${unit})`, domain: [0, end], ticks: Math.max(3, width / 110), tickFormat: tickText},
                y: {domain: [0, 1], axis: null},
                color: {
                    domain: [0, 1],
                    interpolate: loadColour,
                    legend: true,
                    label: `share of the time busy, in ${formatNumber(series.width * factor)} ${unit}`,
                },
                marks: [
                    Plot.raster(series.values, {
                        width: series.bins,
                        height: series.rows,
                        x1: 0,
                        y1: 1,
                        x2: end,
                        y2: 0,
                        imageRendering: "pixelated",
                    }),
                    Plot.axisY(shown.map(lane), {
                        text: shown.map(i => shortened(series.names[i], Math.floor(left / 7.2))),
                        label: null,
                        tickSize: 3,
                    }),
                    Plot.frame({stroke: "var(--rule)"}),
                ],
            });
            return chart;
        },
        {painted: true, wide: true},
    );
}

// What a bin of a series says; bins are alike.
function counted({name, x, count, time}) {
    const width = count > 1 ? x[1] - x[0] : 0;
    if (name === "population") return "messages in the network, at the end of a bin";
    return width ? `${name} in ${formatNumber(width)} ${time}` : `${name} per bin`;
}

export function addTimeline(view) {
    const {report} = view;
    const has = new Set(
        report.results.flatMap((result, r) =>
            result.arrays.filter(isOverTime).map(a => `${r} ${a.point}`),
        ),
    );
    const points = report.points.filter(point => has.has(`${point.r} ${point.i}`));
    if (points.length === 0) return;
    const box = element("div", {class: "figures"}),
        links = element("div");
    const show = point => {
        links.replaceChildren(
            ...[linkSeries(report, point)].filter(Boolean).map(series => linkFigure(series).node),
        );
        const arrays = arraysOf(report, point);
        box.replaceChildren(
            ...rateFigures(arrays),
            ...seriesOf(arrays).map(
                (one, k) =>
                    figure(one.name, (width, zoom) => {
                        const rows = Array.from(one.x, (x, i) => ({x, y: one.y[i]}));
                        return plot(width, {
                            zoom,
                            height: Math.round(Math.max(180, width * 0.36)),
                            x: {
                                label: `time (${shortened(one.time)})`,
                                ticks: Math.max(3, width / 90),
                                tickFormat: tickText,
                            },
                            marginLeft: leftMargin(Array.from(one.y)),
                            y: {
                                label: shortened(one.label, 64),
                                tickFormat: tickText,
                                grid: true,
                                zero: true,
                                nice: true,
                            },
                            marks: [
                                Plot.areaY(rows, {
                                    x: "x",
                                    y: "y",
                                    fill: `var(--curve-${(k % 8) + 1})`,
                                    fillOpacity: 0.15,
                                    curve: "step-after",
                                }),
                                Plot.line(rows, {
                                    x: "x",
                                    y: "y",
                                    stroke: `var(--curve-${(k % 8) + 1})`,
                                    curve: "step-after",
                                }),
                                pointerTip(
                                    rows,
                                    row => `from ${formatNumber(row.x)} ${one.time} on: ${formatNumber(row.y)}`,
                                ),
                            ],
                        });
                    }, {zoom: true}).node,
            ),
        );
    };
    const picker = pickPoint(view, points, show);
    addSection("time", "Over time", element("div", {class: "controls"}, picker.node), links, box);
    show(picker.point);
}
