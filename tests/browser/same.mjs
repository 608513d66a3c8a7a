// SPDX-License-Identifier: Apache-2.0
// The page, the TeX document and the SVG of the same results show the same numbers.
//
//     node same.mjs MODULES PAGE.html PICTURE.tex PICTURE.svg      MODULES: the folder report/js
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";

const [modules, html, tex, svg] = process.argv.slice(2);
const source = readFileSync(join(modules, "data.js")).toString("base64"); // a module without its ending
const {decodeReport} = await import(`data:text/javascript;base64,${source}`);

// The page: curve → rows [x, y, lo, hi] of the points that are not saturated.
const data = readFileSync(html, "utf8").match(
    /<script type="application\/json" id="data">([^<]*)<\/script>/,
)[1];
const report = decodeReport(JSON.parse(data));
const page = new Map();
const put = (curve, row) => page.set(curve, [...(page.get(curve) ?? []), row]);
for (const result of report.results)
    for (const point of result.points) {
        const cell = result.metric("latency").cell(point.i),
            model = result.metric("latency", "", "model").cell(point.i);
        const curve = report.curves[point.curve];
        if (!point.saturated) put(curve, [point.x, cell.value, cell.lo, cell.hi]);
        if (model) put(model.method, [point.x, model.value]); // one line for curves that share it
    }

// TeX: tables of numbers, each with its entry of the legend.
const written = new Map(
    [...readFileSync(tex, "utf8").matchAll(/\{\nx y[^\n]*\n([^}]*)\};\n\\addlegendentry\{([^}]*)\}/g)].map(
        ([, rows, name]) => [
            name,
            rows
                .trimEnd()
                .split("\n")
                .map(row => row.split(" ").map(Number)),
        ],
    ),
);
const inOrder = (rows = []) => [...rows].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
for (const [name, rows] of page) assert.deepEqual(inOrder(written.get(name)), inOrder(rows), `TeX: ${name}`);
console.log(`ok: ${page.size} curves of the TeX document are those of the page`);

// SVG: places in pixels, which must be the numbers up to the scales of the axes.
const drawn = readFileSync(svg, "utf8")
    .split('<g id="gnuplot_plot_')
    .slice(1)
    .map(part => {
        const strokes = [...part.matchAll(/ d='([^']*)'/g)].flatMap(([, d]) => d.split("M"));
        const longest = strokes.reduce((a, b) => (b.length > a.length ? b : a), "");
        return longest
            .trim()
            .split(/\s*L\s*/)
            .map(pair => pair.split(",").map(Number));
    });
const residual = (xs, ys) => {
    // of the best straight line, in pixels
    const mean = values => values.reduce((a, b) => a + b, 0) / values.length,
        mx = mean(xs),
        my = mean(ys);
    const slope =
        xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0) /
        xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
    return Math.max(...xs.map((x, i) => Math.abs(my + slope * (x - mx) - ys[i])));
};
const shows = (places, rows) =>
    places.length === rows.length &&
    residual(
        rows.map(row => row[0]),
        places.map(place => place[0]),
    ) < 1 &&
    residual(
        rows.map(row => Math.log(row[1])),
        places.map(place => place[1]),
    ) < 1;
const measured = [...page].filter(([, rows]) => rows[0].length === 4);
for (const [name, rows] of measured)
    assert.ok(
        drawn.some(places => shows(places, rows)),
        `SVG: no line has the points of ${name}`,
    );
assert.equal(measured.length, 3);
console.log("ok: 3 curves of the SVG are those of the page");
