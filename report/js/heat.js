// SPDX-License-Identifier: Apache-2.0
// Heat maps: one cell a pixel of an image that Plot scales, so a hundred thousand cells cost nothing.
import {element, addSection, formatNumber, shortened} from "./dom.js";
import {figure} from "./chart.js";
import {choose, pickPoint} from "./picker.js";
import {loadColour} from "./theme.js";
import {matrixAxes, overTime} from "./units.js";
import {axisName, readNetwork} from "./layout.js";

// What the sections of ranks and of time show (ranks.js, timeline.js).
const ofRanks = new Set(["operations", "critical path", "rank states", "message bytes", "link series"]);

// map: {values, rows, columns, xLabel, yLabel, valueLabel, domain, height, legend}
export function heatMap(width, map) {
    const {values, rows, columns} = map,
        legend = map.legend ?? true;
    const height = map.height ?? Math.min(560, Math.max(120, ((width - 90) * rows) / columns + 70));
    const domain = map.domain ?? [Math.min(0, d3.min(values)), d3.max(values) || 1];
    const fits = Math.min((width - 70) / columns, (height - 60) / rows); // square cells
    const chart = Plot.plot({
        width: Math.round(fits * columns + 70),
        height: Math.round(fits * rows + 60),
        marginLeft: 48,
        marginRight: 22,
        marginTop: 26,
        marginBottom: 34,
        style: {background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
        x: {
            label: map.xLabel,
            domain: [-0.5, columns - 0.5],
            tickFormat: i => (Number.isInteger(i) ? String(i) : ""),
            ticks: Math.min(columns, 8),
            labelArrow: "none",
        },
        y: {
            label: map.yLabel,
            domain: [rows - 0.5, -0.5],
            tickFormat: i => (Number.isInteger(i) ? String(i) : ""),
            ticks: Math.min(rows, 8),
            labelArrow: "none",
        },
        color: {domain, interpolate: loadColour, legend, label: shortened(map.valueLabel, 60)},
        marks: [
            Plot.raster(values, {
                width: columns,
                height: rows,
                x1: -0.5,
                y1: -0.5,
                x2: columns - 0.5,
                y2: rows - 0.5,
                imageRendering: "pixelated",
            }),
            Plot.frame({stroke: "var(--rule)"}),
        ],
    });
    addReading(chart, map);
    return chart;
}

// Says what lies under the pointer.
function addReading(chart, {values, rows, columns, valueLabel}) {
    const svg = chart.matches("svg") ? chart : chart.querySelector(":scope > svg"),
        x = chart.scale("x"),
        y = chart.scale("y");
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    svg.prepend(title);
    svg.addEventListener("pointermove", event => {
        const [px, py] = d3.pointer(event, svg),
            column = Math.round(x.invert(px)),
            row = Math.round(y.invert(py));
        const inside = column >= 0 && column < columns && row >= 0 && row < rows;
        title.textContent = inside
            ? `row ${row}, column ${column}: ${formatNumber(values[row * columns + column])} ${valueLabel}`
            : "";
    });
}

// A matrix with a row for every router of a lattice, summed over its ports, as the mean of each pair of coordinates.
function byCoordinates(network, array, values, [across, down]) {
    const {size} = network,
        columns = size[across],
        rows = size[down],
        sum = new Float64Array(rows * columns);
    const place = (router, dim) =>
        Math.floor(router / size.slice(dim + 1).reduce((product, k) => product * k, 1)) % size[dim];
    for (let i = 0; i < array.count; i++) {
        const router = Math.floor(i / array.columns);
        sum[place(router, down) * columns + place(router, across)] += values[i];
    }
    const each = network.routers / (rows * columns);
    return {values: sum.map(total => total / each), rows, columns};
}

export function addMatrices(view) {
    const {report} = view;
    const matrices = report.results.map(result =>
        result.arrays.filter(array => array.table === "matrix" && !ofRanks.has(array.name)),
    );
    const points = report.points.filter(point => matrices[point.r].some(array => array.point === point.i));
    if (points.length === 0) return;
    const of = point => matrices[point.r].filter(array => array.point === point.i);
    const name = array => shortened(array.of ? `${array.name}, class ${array.of}` : array.name, 60);
    const names = [...new Set(matrices.flat().map(name))];
    let chosen = names[0];
    const drawn = figure(
        "Matrix",
        width => {
            const array = of(picker.point).find(one => name(one) === chosen);
            if (!array) return "This point has no such matrix.";
            const {values, label} = overTime(array, name(array));
            return heatMap(Math.min(width, 760), {
                values,
                columns: array.columns,
                rows: array.count / array.columns,
                ...matrixAxes(array),
                valueLabel: label,
            });
        },
        {painted: true, wide: true},
    );
    const lattices = report.results.map(result => readNetwork(result.links)),
        first = lattices.find(network => network?.kind === "lattice" && network.size.length > 1),
        dims = first?.size.length ?? 0,
        pairs = d3.range(dims).flatMap(a => d3.range(a + 1, dims).map(b => [a, b]));
    let pair = pairs[0];
    const placed = figure(
        "By coordinates, all ports of a router together",
        width => {
            const array = of(picker.point).find(one => name(one) === chosen),
                network = lattices[picker.point.r];
            if (network?.size?.length !== dims || array?.count !== network.routers * array.columns)
                return "This matrix has no coordinates.";
            const {values, label} = overTime(array, name(array));
            return heatMap(Math.min(width, 560), {
                ...byCoordinates(network, array, values, pair),
                xLabel: axisName(network, pair[0]),
                yLabel: axisName(network, pair[1]),
                valueLabel: label,
            });
        },
        {painted: true, wide: true},
    );
    const update = () => {
        drawn.update();
        if (pair) placed.update();
    };
    const picker = pickPoint(view, points, update);
    addSection(
        "matrices",
        "Heat maps",
        element(
            "div",
            {class: "controls"},
            picker.node,
            names.length > 1
                ? choose("Matrix", names, i => {
                      chosen = names[i];
                      update();
                  })
                : null,
            pairs.length > 1
                ? choose(
                      "Coordinates",
                      pairs.map(one => one.map(dim => axisName(first, dim)).join(", ")),
                      i => {
                          pair = pairs[i];
                          placed.update();
                      },
                  )
                : null,
        ),
        drawn.node,
        pair ? placed.node : null,
    );
}
