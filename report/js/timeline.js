// SPDX-License-Identifier: Apache-2.0
// Time series of a point: counts per bin, and mean latency where sums and counts are there.
import {element, addSection, formatNumber, shortened, tickText} from "./dom.js";
import {figure, leftMargin, plot} from "./chart.js";
import {pickPoint} from "./picker.js";
import {inReadableTime} from "./units.js";

function seriesOf(report, point) {
    const arrays = report.results[point.r].arrays
        .filter(array => array.point === point.i && array.table === "series" && array.count > 0)
        .map(inReadableTime);
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
                y: sum.y.map((value, i) => (delivered.y[i] ? (value * sum.tick) / delivered.y[i] : NaN)),
                label: `mean latency (${sum.unit})`,
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

export function addTimeline(report) {
    const has = new Set(
        report.results.flatMap((result, r) =>
            result.arrays.filter(a => a.table === "series" && a.count > 0).map(a => `${r} ${a.point}`),
        ),
    );
    const points = report.points.filter(point => has.has(`${point.r} ${point.i}`));
    if (points.length === 0) return;
    const box = element("div", {class: "figures"});
    const show = point =>
        box.replaceChildren(
            ...seriesOf(report, point).map(
                (one, k) =>
                    figure(one.name, width => {
                        const rows = Array.from(one.x, (x, i) => ({x, y: one.y[i]}));
                        return plot(width, {
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
                                Plot.tip(
                                    rows,
                                    Plot.pointerX({
                                        x: "x",
                                        y: "y",
                                        title: row =>
                                            `from ${formatNumber(row.x)} ${one.time} on: ${formatNumber(row.y)}`,
                                        fill: "var(--raised)",
                                        stroke: "var(--rule)",
                                    }),
                                ),
                            ],
                        });
                    }).node,
            ),
        );
    const picker = pickPoint(report, points, show);
    addSection("time", "Over time", element("div", {class: "controls"}, picker.node), box);
    show(picker.point);
}
