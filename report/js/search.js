// SPDX-License-Identifier: Apache-2.0
// A search of the crossbar laboratory: how throughput is spread over all workload matrices, and the worst of them.
import {element, addSection, formatNumber} from "./dom.js";
import {figure, plot} from "./chart.js";
import {pickPoint} from "./picker.js";
import {dataTable} from "./table.js";

const PER_UNIT = 1000; // bins are thousandths

function drawSpread(array, mean, worst, width) {
    const bars = Array.from(array.y, (y, k) => ({
        x1: array.x[k] / PER_UNIT,
        x2: (array.x[k] + 1) / PER_UNIT,
        y,
    })).filter(bar => bar.y > 0);
    const known = [mean, worst].filter(Boolean);
    return plot(width, {
        x: {label: "throughput (share of the slots of all outputs)"},
        y: {label: "matrices", grid: true},
        marginLeft: 72,
        marks: [
            Plot.rectY(bars, {x1: "x1", x2: "x2", y: "y", fill: "var(--curve-1)"}),
            Plot.ruleX(known, {x: "value", stroke: "var(--curve-2)", strokeDasharray: "5 4"}),
            Plot.text(known, {
                x: "value",
                text: cell => `${cell.label} ${formatNumber(cell.value)}`,
                frameAnchor: "top",
                textAnchor: "start",
                dx: 4,
                dy: 6,
                fill: "currentColor",
            }),
            Plot.ruleY([0], {stroke: "var(--rule)"}),
        ],
    });
}

// As the setting matrix takes it: [[1,2],[2,1]].
function matrixText(array) {
    const rows = d3.range(array.count / array.columns);
    return `[${rows.map(i => `[${Array.from(array.y.slice(i * array.columns, (i + 1) * array.columns))}]`)}]`;
}

function worstTable(rows) {
    return dataTable("worst matrices", rows.length, [
        {name: "throughput", text: i => formatNumber(rows[i].value), value: i => rows[i].value, number: true},
        {name: "fraction", text: i => rows[i].method, value: i => rows[i].method},
        {name: "index", text: i => String(rows[i].n), value: i => rows[i].n, number: true},
        {name: "matrix", text: i => rows[i].matrix, value: i => rows[i].matrix},
    ]);
}

export function addSearch(view) {
    const {report} = view;
    const spread = (point, table, name) =>
        report.results[point.r].arrays.find(
            array => array.point === point.i && array.table === table && array.name === name,
        );
    const known = report.results.map(
        result =>
            new Set(
                result.arrays.filter(a => a.table === "histogram" && a.name === "throughput").map(a => a.point),
            ),
    );
    const points = report.points.filter(point => known[point.r].has(point.i));
    if (points.length === 0) return;
    const cell = (point, name, label) => {
        const found = report.results[point.r].metric(name)?.cell(point.i);
        return found ? {...found, label} : null;
    };
    const worst = point =>
        report.results[point.r].metrics
            .filter(m => m.name === "throughput" && m.by === "worst")
            .map(m => ({...m.cell(point.i), array: spread(point, "matrix", `matrix ${m.index}`)}))
            .filter(row => row.array)
            .map(row => ({...row, matrix: matrixText(row.array)}));
    const box = element("div");
    const drawn = figure(
        "Matrices by throughput",
        width =>
            drawSpread(
                spread(picker.point, "histogram", "throughput"),
                cell(picker.point, "throughput", "mean"),
                cell(picker.point, "worst", "worst"),
                width,
            ),
        {wide: true},
    );
    const update = () => {
        drawn.update();
        box.replaceChildren(worstTable(worst(picker.point)));
    };
    const picker = pickPoint(view, points, update);
    box.append(worstTable(worst(picker.point)));
    addSection(
        "search",
        "Throughput over workload matrices",
        element("div", {class: "controls"}, picker.node),
        drawn.node,
        element("h3", {}, "Worst matrices"),
        box,
    );
}
