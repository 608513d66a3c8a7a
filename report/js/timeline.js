// SPDX-License-Identifier: Apache-2.0
// Time series of a point: counts per bin, and mean latency where sums and counts are there.
import {element, addSection, formatNumber, shortened} from "./dom.js";
import {figure, plot} from "./chart.js";
import {pickPoint} from "./picker.js";

function seriesOf(report, point) {
    const arrays = report.results[point.r].arrays.filter(
        array => array.point === point.i && array.table === "series" && array.count > 0,
    );
    const name = array => (array.of ? `${array.name}, class ${array.of}` : array.name);
    const list = arrays
        .filter(array => array.name !== "latency sum")
        .map(array => ({name: name(array), unit: array.unit, x: array.x, y: array.y}));
    for (const sum of arrays.filter(array => array.name === "latency sum")) {
        const delivered = arrays.find(
            array => array.name === "delivered" && array.of === sum.of && array.count === sum.count,
        );
        if (delivered)
            list.push({
                name: sum.of ? `mean latency, class ${sum.of}` : "mean latency",
                unit: sum.unit,
                x: sum.x,
                y: sum.y.map((value, i) => (delivered.y[i] ? value / delivered.y[i] : NaN)),
            });
    }
    return list;
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
                                label: `time (${shortened(one.unit)})`,
                                ticks: Math.max(3, width / 90),
                                tickFormat: "~s",
                            },
                            y: {
                                label: shortened(
                                    one.name === "mean latency"
                                        ? `mean latency (${one.unit})`
                                        : `${one.name} per bin`,
                                    64,
                                ),
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
                                        title: row => `from ${formatNumber(row.x)}: ${formatNumber(row.y)}`,
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
