// SPDX-License-Identifier: Apache-2.0
// The data as report/README.md lays them out, turned into points, metrics, arrays and link loads.
// Runs in a browser and in node, where the tests read reports with it.

// A column as a function of the row: a constant, a list, or doubles in base64.
function columnReader(columns) {
    const known = new Map();
    const read = column => {
        if (column === null) return () => NaN;
        if (typeof column === "number") return () => column;
        if (typeof column === "string") {
            const text = atob(column),
                bytes = new Uint8Array(text.length);
            for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
            const values = new Float64Array(bytes.buffer);
            return i => values[i];
        }
        return i => column[i] ?? NaN;
    };
    return number => {
        if (!known.has(number)) known.set(number, read(columns[number]));
        return known.get(number);
    };
}

const identity = (name, of, by, index) => `${name}\n${of}\n${by}\n${index}`;

// One metric over the points that have it: row(i) is its row for point i, -1 if there is none.
function readMetric(entry, result, strings, column) {
    const [name, of, by, index, points, value, lo, hi, n, unit, method] = entry;
    let rows = null;
    const row = i => {
        if (points === null) return i;
        if (!rows) {
            const at = column(points[0]);
            rows = new Map(Array.from({length: points[1]}, (_, k) => [at(k), k]));
        }
        return rows.get(i) ?? -1;
    };
    const cell = i => {
        const k = row(i);
        return k < 0
            ? undefined
            : {
                  value: column(value)(k),
                  lo: column(lo)(k),
                  hi: column(hi)(k),
                  n: column(n)(k),
                  unit: strings[column(unit)(k)],
                  method: strings[column(method)(k)],
              };
    };
    return {
        name: strings[name],
        of: strings[of],
        by: strings[by],
        index,
        row,
        cell,
        value: i => (row(i) < 0 ? NaN : column(value)(row(i))),
    };
}

// Lower edges come as steps from one to the next.
function readArray(entry, strings, column) {
    const [point, table, name, of, unit, columns, count, x, y] = entry;
    let values = null;
    return {
        point,
        table: strings[table],
        name: strings[name],
        of: strings[of],
        unit: strings[unit],
        columns,
        count,
        get x() {
            return (values ??= decode()).x;
        },
        get y() {
            return (values ??= decode()).y;
        },
    };
    function decode() {
        const ys = Float64Array.from({length: count}, (_, i) => column(y)(i));
        if (x === null) return {x: null, y: ys};
        let at = 0;
        return {x: Float64Array.from({length: count}, (_, i) => (at += column(x)(i))), y: ys};
    }
}

function readLoads(entry, column) {
    const [point, count, which, busy, span] = entry;
    const link = which === null ? i => i : column(which);
    return {point, count, link, load: i => column(busy)(i) / (column(span)(i) || 1)};
}

function readSettings(result, strings) {
    let lines = [];
    return result.settings
        .map(entry => {
            lines = Array.isArray(entry) ? entry : Object.assign([...lines], entry);
            return lines;
        })
        .map(numbers => () => numbers.map(number => strings[number]).join("\n"));
}

function readPoint(result, r, i, column, strings) {
    const text = name => strings[column(result[name])(i)];
    return {
        r,
        i,
        x: column(result.x)(i),
        curve: column(result.curve)(i),
        verdict: text("verdict"),
        saturated: column(result.saturated)(i) === 1,
        wall: column(result.wall)(i),
        peak: column(result.peak)(i),
        finished: text("finished"),
        host: text("host"),
        version: text("version"),
        build: text("build"),
        vary: result.vary.map(([, values]) => strings[column(values)(i)] ?? ""),
    };
}

export function decodeReport(json) {
    const {strings, curves} = json,
        column = columnReader(json.columns);
    const results = json.results.map((result, r) => {
        const metrics = result.metrics.map(entry => readMetric(entry, result, strings, column));
        const byIdentity = new Map(metrics.map(m => [identity(m.name, m.of, m.by, m.index), m]));
        return {
            name: result.name,
            title: result.title,
            scenario: result.scenario,
            left: result.left,
            vary: result.vary.map(([path]) => path),
            metrics,
            metric: (name, of = "", by = "", index = 0) => byIdentity.get(identity(name, of, by, index)),
            points: Array.from({length: result.count}, (_, i) => readPoint(result, r, i, column, strings)),
            arrays: result.arrays.map(entry => readArray(entry, strings, column)),
            links: result.links.names,
            loads: result.links.loads.map(entry => readLoads(entry, column)),
            settings: readSettings(result, strings),
        };
    });
    const verdicts = json.verdicts.map(
        ([figure, quantity, where, rule, verdict, reason, ours, lo, hi, theirs, against, printed]) => ({
            figure,
            quantity,
            where,
            rule,
            verdict,
            against,
            printed,
            reason,
            ours,
            lo,
            hi,
            theirs,
        }),
    );
    const charts = json.charts.map(([title, axis, value, unit, series, traces]) => ({
        title,
        axis,
        value,
        unit,
        series,
        traces: traces.map(([kind, of, name, spots]) => ({
            kind: ["ours", "theirs", "model"][kind],
            series: of,
            name,
            spots: spots.map(([x, y, lo = y, hi = y]) => ({x, y, lo, hi})),
        })),
    }));
    return {
        title: json.title,
        version: json.version,
        axis: json.axis,
        curves,
        results,
        verdicts,
        charts,
        points: results.flatMap(result => result.points),
    };
}

// The metrics as `weft export` writes them (several results: as `weft report --csv` does).
export function metricsCsv(report) {
    const several = report.results.length > 1;
    const paths = [...new Set(report.results.flatMap(result => result.vary))];
    const lines = [
        [
            ...(several ? ["results"] : []),
            ...paths.map(path => csvText(path || "key")),
            "name",
            "class",
            "by",
            "index",
            "value",
            "lo",
            "hi",
            "n",
            "unit",
            "method",
            "verdict",
            "saturated",
        ].join(","),
    ];
    const order = (a, b) =>
        compare(a.name, b.name) || compare(a.of, b.of) || compare(a.by, b.by) || a.index - b.index;
    for (const result of report.results) {
        const metrics = [...result.metrics].sort(order);
        for (const point of result.points) {
            const vary = paths.map(path => csvText(point.vary[result.vary.indexOf(path)] ?? ""));
            const start = several ? [csvText(result.name), ...vary] : vary;
            for (const metric of metrics) {
                const cell = metric.cell(point.i);
                if (cell)
                    lines.push(
                        [
                            ...start,
                            csvText(metric.name),
                            csvText(metric.of),
                            csvText(metric.by),
                            metric.index,
                            csvNumber(cell.value),
                            csvNumber(cell.lo),
                            csvNumber(cell.hi),
                            cell.n,
                            csvText(cell.unit),
                            csvText(cell.method),
                            csvText(point.verdict),
                            point.saturated ? 1 : 0,
                        ].join(","),
                    );
            }
        }
    }
    return lines.join("\n") + "\n";
}

function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

// A text that a spreadsheet would run as a formula gets an apostrophe; RFC 4180 quotes.
export function csvText(text) {
    const formula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i.test(text);
    const safe = formula ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvNumber(value) {
    return Number.isNaN(value)
        ? ""
        : value === Infinity
          ? "inf"
          : value === -Infinity
            ? "-inf"
            : String(value);
}
