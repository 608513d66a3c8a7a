// SPDX-License-Identifier: Apache-2.0
// Time series of a point: counts per bin, and mean latency where sums and counts are there.
import {element, addSection, formatNumber, shortened, tickText} from "./dom.js";
import {figure, leftMargin, plot, pointerTip} from "./chart.js";
import {pickPoint} from "./picker.js";
import {isRate, rateFigures} from "./rates.js";
import {axisUnit, inTime} from "./units.js";

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
    const box = element("div", {class: "figures"});
    const show = point => {
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
    addSection("time", "Over time", element("div", {class: "controls"}, picker.node), box);
    show(picker.point);
}
