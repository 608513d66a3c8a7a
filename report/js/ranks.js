// SPDX-License-Identifier: Apache-2.0
// The ranks of jobs over time (measure.timeline): what each does, its messages, the critical path, and the bytes
// from rank to rank. Painted pixel by pixel: a hundred thousand operations are too many for elements.
import {element, addSection, formatNumber, shortened, tickText} from "./dom.js";
import {figure} from "./chart.js";
import {check, choose, pickPoint} from "./picker.js";
import {isDark, resolved} from "./theme.js";
import {axisUnit, timeUnit} from "./units.js";
import {heatMap} from "./heat.js";

const [CALC, SEND, RECEIVE] = [0, 1, 2];
const NETWORK = 3;
const PARTS = ["compute", "overhead", "injection", "network", "waiting"];
const PART_NAMES = {
    compute: "compute",
    overhead: "overhead of messages",
    injection: "injection behind others",
    network: "network at zero load",
    waiting: "waiting in the network",
};
const HEAD = 18, // pixels over the rows of a job
    MARGIN = {left: 64, right: 16, top: 8, bottom: 36};

const inRange = (value, end) => Number.isInteger(value) && value >= 0 && value < end;

// Rows of a matrix as objects, none if one of them is not what it should be.
function recordsOf(array, names, sound) {
    if (!array || array.columns !== names.length) return [];
    const rows = d3.range(array.count / array.columns).map(i => {
        const row = {};
        names.forEach((name, c) => (row[name] = array.y[i * names.length + c]));
        return row;
    });
    return rows.every(sound) ? rows : [];
}

// A job of a point: {name, ranks, operations by rank, steps, bins, bin, bytes, ends, start, end, parts}; times in ticks.
function readJob(result, i, of) {
    const array = name => result.arrays.find(a => a.point === i && a.name === name && a.of === of);
    const completion = result.metric("completion", of)?.cell(i),
        ranks = completion.n,
        ends = array("rank end")?.y ?? [],
        states = array("rank states");
    const rank = row => inRange(row.rank, ranks);
    const operations = recordsOf(
        array("operations"),
        ["rank", "number", "kind", "ready", "run", "until", "peer", "size", "sent", "arrived"],
        row => rank(row) && row.peer < ranks,
    );
    const steps = recordsOf(
        array("critical path"),
        ["part", "rank", "number", "from", "until", "to", "size", "alone"],
        row => rank(row) && inRange(row.to, ranks) && inRange(row.part, 4),
    );
    const byRank = d3.range(ranks).map(() => []);
    operations.forEach(row => byRank[row.rank].push(row));
    byRank.forEach(rows => rows.sort((a, b) => a.run - b.run || a.number - b.number));
    const {tick} = timeUnit(states?.unit ?? ""),
        end = d3.max(ends) ?? 0;
    return {
        name: of,
        ranks,
        completion,
        operations: byRank,
        count: operations.length,
        steps,
        states: states?.count === states?.columns * 2 * ranks ? states : null,
        bin: (result.metric("timeline bin", of)?.value(i) ?? 0) / tick,
        bytes: array("message bytes"),
        ends,
        start: steps[0]?.from ?? d3.min(operations, row => row.ready) ?? Math.max(0, end - completion.value / tick),
        end,
        unit: states?.unit ?? "",
        parts: PARTS.map(part => result.metric("critical path", of, part)?.cell(i)).filter(Boolean),
    };
}

function jobsOf(report, point) {
    const result = report.results[point.r];
    const names = result.arrays
        .filter(array => array.point === point.i && array.name === "rank states")
        .map(array => array.of);
    return names.map(name => readJob(result, point.i, name));
}

// ---- the picture ----

// Where rows stand: lanes from … to of all jobs, one after the other, with a line of text over each job.
function layOut(jobs, lanes) {
    let first = 0;
    const placed = [];
    for (const job of jobs) {
        const from = Math.max(lanes[0], first),
            to = Math.min(lanes[1], first + job.ranks);
        if (to > from) placed.push({job, from: from - first, to: to - first});
        first += job.ranks;
    }
    const count = d3.sum(placed, one => one.to - one.from),
        row = Math.max(0.25, Math.min(16, 520 / count));
    let y = MARGIN.top;
    for (const one of placed) {
        one.top = y + HEAD;
        one.bottom = one.top + (one.to - one.from) * row;
        one.y = rank => one.top + (rank - one.from) * row;
        y = one.bottom + 6;
    }
    return {placed, row, height: y + MARGIN.bottom, count};
}

function colours() {
    return {
        compute: resolved("--curve-1"),
        messages: resolved("--curve-5"),
        waits: isDark() ? "#3a414a" : "#e4e6e9",
        message: resolved("--faint"),
        path: isDark() ? "#ff6b6b" : "#c00000",
        ink: resolved("--ink"),
        rule: resolved("--rule"),
    };
}

function paintJob(context, {job, from, to, y}, x, row, colour, shown) {
    const high = row > 4 ? row * 0.82 : row,
        [left, right] = x.range();
    const bar = (rank, a, b, fill) => {
        const x0 = Math.max(left, x(a)),
            x1 = Math.min(right, x(b));
        if (x1 < x0) return;
        context.fillStyle = fill;
        context.fillRect(x0, y(rank), Math.max(0.4, x1 - x0), high);
    };
    for (let rank = from; rank < to; rank++) bar(rank, job.start, job.ends[rank] ?? job.end, colour.waits);
    if (job.count)
        for (let rank = from; rank < to; rank++)
            for (const op of job.operations[rank]) {
                if (op.until > op.run)
                    bar(rank, op.run, op.until, op.kind === CALC ? colour.compute : colour.messages);
            }
    else if (job.states)
        for (let rank = from; rank < to; rank++)
            for (let b = 0; b < job.states.columns; b++)
                [colour.compute, colour.messages].forEach((fill, state) => {
                    const busy = job.states.y[(2 * rank + state) * job.states.columns + b];
                    if (!busy) return;
                    context.globalAlpha = Math.min(1, busy / job.bin);
                    bar(rank, b * job.bin, (b + 1) * job.bin, fill);
                    context.globalAlpha = 1;
                });
    const middle = rank => y(rank) + high / 2;
    const line = (a, from, b, to) => {
        context.moveTo(x(a), middle(from));
        context.lineTo(x(b), middle(to));
    };
    if (shown.messages) {
        context.beginPath();
        context.strokeStyle = colour.message;
        context.lineWidth = 0.6;
        for (let rank = from; rank < to; rank++)
            for (const op of job.operations[rank])
                if (op.kind === RECEIVE && op.peer >= 0 && x(op.arrived) >= left && x(op.sent) <= right)
                    line(op.sent, op.peer, op.arrived, rank);
        context.stroke();
    }
    if (shown.path) {
        context.beginPath();
        context.strokeStyle = colour.path;
        context.lineWidth = row > 6 ? 2.2 : 1.4;
        context.lineJoin = "round";
        for (const step of job.steps)
            if (x(step.until) >= left && x(step.from) <= right)
                line(step.from, step.rank, step.until, step.part === NETWORK ? step.to : step.rank);
        context.stroke();
    }
}

// shown: {messages, path}; part: {time: [from, to] in ticks, lanes: [from, to]} or null for all.
function paint(width, jobs, shown, part) {
    const all = d3.sum(jobs, job => job.ranks),
        lanes = part?.lanes ?? [0, all],
        {placed, row, height} = layOut(jobs, lanes),
        last = d3.max(jobs, job => job.end) || 1,
        time = part?.time ?? [0, last],
        {name: unit, tick} = timeUnit(jobs[0].unit),
        axis = axisUnit(unit, time[1] * tick),
        scale = tick * axis.factor,
        colour = colours();
    const canvas = element("canvas"),
        dots = globalThis.devicePixelRatio || 1,
        context = canvas.getContext("2d");
    canvas.width = Math.round(width * dots);
    canvas.height = Math.round(height * dots);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    canvas.weftLabels = [];
    context.scale(dots, dots);
    context.font = "12px system-ui, sans-serif";
    const x = d3.scaleLinear(time, [MARGIN.left, width - MARGIN.right]);
    const write = (text, px, py, align) => {
        context.fillStyle = colour.ink;
        context.textAlign = align;
        context.fillText(text, px, py);
        const {width: wide} = context.measureText(text),
            start = align === "right" ? px - wide : align === "center" ? px - wide / 2 : px;
        canvas.weftLabels.push({text, left: start, right: start + wide, top: py - 11, bottom: py + 3});
    };
    const bottom = height - MARGIN.bottom;
    const marks = d3.ticks(time[0] * scale, time[1] * scale, Math.max(3, width / 110));
    for (const mark of marks) {
        context.fillStyle = colour.rule;
        context.fillRect(x(mark / scale), MARGIN.top, 0.6, bottom - MARGIN.top + 3);
        const text = tickText(mark),
            half = context.measureText(text).width / 2;
        if (x(mark / scale) + half < width) write(text, x(mark / scale), bottom + 16, "center");
    }
    write(`time (${axis.name})`, (MARGIN.left + width - MARGIN.right) / 2, bottom + 31, "center");
    for (const one of placed) {
        const {job, from, to} = one;
        const words = `${shortened(job.name, 30)}: ${formatNumber(job.ranks)} ranks`;
        write(words, MARGIN.left, one.top - 5, "left");
        const step = Math.max(1, d3.tickStep(from, to, Math.max(1, (one.bottom - one.top) / 18)));
        for (let rank = Math.ceil(from / step) * step; rank < to; rank += step)
            write(String(rank), MARGIN.left - 6, Math.max(12, one.y(rank) + Math.min(row, 14) / 2 + 4), "right");
        context.save();
        context.beginPath();
        context.rect(MARGIN.left, one.top, width - MARGIN.left - MARGIN.right, one.bottom - one.top);
        context.clip();
        paintJob(context, one, x, row, colour, shown);
        context.restore();
    }
    return {canvas, x, placed, row, scale, unit: axis.name};
}

// ---- reading and zooming ----

function operationText(op, scale, unit) {
    const at = value => formatNumber(value * scale);
    const what =
        op.kind === CALC
            ? "computes"
            : op.kind === SEND
              ? `sends ${formatNumber(op.size)} B to rank ${op.peer}`
              : `receives ${formatNumber(op.size)} B from rank ${op.peer}, sent at ${at(op.sent)}, there at ${at(op.arrived)}`;
    return `${what}; ${at(op.run)} to ${at(op.until)} ${unit}`;
}

function reading(drawn, px, py) {
    const one = drawn.placed.find(({top, bottom}) => py >= top && py < bottom);
    if (!one) return "";
    const {job} = one,
        rank = Math.floor(one.from + (py - one.top) / drawn.row),
        time = drawn.x.invert(px),
        list = job.operations[rank] ?? [];
    const near = 2 / Math.abs(drawn.x(1) - drawn.x(0));
    const runs = list.find(op => op.run - near <= time && time <= op.until + near),
        waits = list.find(op => op.kind === RECEIVE && op.ready <= time && time < op.run);
    const head = `${shortened(job.name, 30)}, rank ${rank}, ${formatNumber(time * drawn.scale)} ${drawn.unit}`;
    if (runs) return `${head}: ${operationText(runs, drawn.scale, drawn.unit)}`;
    if (waits) return `${head}: waits; then ${operationText(waits, drawn.scale, drawn.unit)}`;
    return head;
}

// Lanes and times of a rectangle that was dragged; a flat one keeps the lanes.
function dragged(drawn, jobs, lanes, [x0, y0], [x1, y1]) {
    const time = [drawn.x.invert(Math.min(x0, x1)), drawn.x.invert(Math.max(x0, x1))].map(t => Math.max(0, t));
    if (Math.abs(y1 - y0) < 12) return {time, lanes};
    const first = job => d3.sum(jobs.slice(0, jobs.indexOf(job)), before => before.ranks);
    const lane = (y, round) => {
        const one = drawn.placed.find(({bottom}) => y < bottom) ?? drawn.placed.at(-1);
        const rank = one.from + (Math.max(one.top, Math.min(one.bottom, y)) - one.top) / drawn.row;
        return first(one.job) + round(rank);
    };
    const from = lane(Math.min(y0, y1), Math.floor),
        to = Math.max(from + 1, lane(Math.max(y0, y1), Math.ceil));
    return {time, lanes: [from, to]};
}

function addPointer(box, canvas, act, read) {
    let from = null;
    const frame = element("div", {class: "drag", hidden: true});
    box.append(frame);
    const place = event => d3.pointer(event, canvas);
    canvas.addEventListener("pointerdown", event => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        event.preventDefault();
        from = place(event);
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
        const to = place(event);
        read(to);
        if (!from) return;
        frame.hidden = false;
        frame.style.left = `${Math.min(from[0], to[0])}px`;
        frame.style.top = `${Math.min(from[1], to[1])}px`;
        frame.style.width = `${Math.abs(to[0] - from[0])}px`;
        frame.style.height = `${Math.abs(to[1] - from[1])}px`;
    });
    canvas.addEventListener("pointerup", event => {
        const start = from,
            to = place(event);
        from = null;
        frame.hidden = true;
        if (start && Math.abs(to[0] - start[0]) >= 6) act(start, to);
    });
    canvas.addEventListener("dblclick", () => act(null));
}

// ---- tables ----

function pathTable(jobs) {
    const told = jobs.filter(job => job.parts.length);
    if (told.length === 0) return null;
    const head = ["job", `completion (${told[0].completion.unit})`, ...PARTS.map(part => PART_NAMES[part])];
    const cells = job => [
        shortened(job.name, 30),
        formatNumber(job.completion.value),
        ...job.parts.map(part => `${formatNumber(Number(((100 * part.value) / (job.completion.value || 1)).toPrecision(3)))} %`),
    ];
    return element(
        "div",
        {class: "table"},
        element(
            "table",
            {class: "path"},
            element("caption", {}, "Critical path: what decided the end of each job, as shares of its time"),
            element("thead", {}, element("tr", {}, head.map(text => element("th", {scope: "col"}, text)))),
            element(
                "tbody",
                {},
                told.map(job =>
                    element("tr", {}, cells(job).map((text, c) => element("td", {class: c ? "number" : null}, text))),
                ),
            ),
        ),
    );
}

function legend() {
    const names = {"--curve-1": "compute", "--curve-5": "CPU for messages"};
    const sign = (style, text) => element("span", {class: "sign"}, element("i", {style}), text);
    return element(
        "p",
        {class: "signs"},
        Object.entries(names).map(([variable, text]) => sign(`background: var(${variable})`, text)),
        sign("background: var(--waits)", "waiting"),
        sign("background: var(--path); height: 3px", "critical path"),
    );
}

export function addRanks(view) {
    const {report} = view;
    const has = new Set(
        report.results.flatMap((result, r) =>
            result.arrays.filter(a => a.name === "rank states" && a.table === "matrix").map(a => `${r} ${a.point}`),
        ),
    );
    const points = report.points.filter(point => has.has(`${point.r} ${point.i}`));
    if (points.length === 0) return;
    let jobs = [],
        chosen = -1, // a job; −1: all
        part = null,
        drawn = null;
    const shown = {messages: false, path: true};
    const told = element("p", {class: "reading"}, "\u00a0"),
        tables = element("div"),
        jobBox = element("span");
    const whole = element(
        "button",
        {type: "button", class: "quiet", onclick: () => zoomTo(null)},
        "whole",
    );
    const list = () => (chosen < 0 ? jobs : [jobs[chosen]]);
    const zoomTo = next => {
        part = next;
        whole.hidden = !part;
        gantt.update();
    };
    const gantt = figure(
        "Ranks over time",
        width => {
            if (jobs.length === 0) return "This point has no timeline.";
            const box = element("div", {class: "gantt"});
            drawn = paint(width, list(), shown, part);
            box.append(drawn.canvas);
            addPointer(
                box,
                drawn.canvas,
                (start, to) =>
                    zoomTo(
                        start &&
                            dragged(drawn, list(), part?.lanes ?? [0, d3.sum(list(), job => job.ranks)], start, to),
                    ),
                ([px, py]) => (told.textContent = reading(drawn, px, py) || "\u00a0"),
            );
            return box;
        },
        {painted: true, wide: true, note: "Drag over a part to enlarge it; a double click shows the whole."},
    );
    const matrix = figure(
        "Bytes from rank to rank",
        width => {
            const array = list().find(job => job.bytes)?.bytes;
            if (!array) return "Recorded with measure.timeline: operations.";
            const job = list().find(one => one.bytes === array),
                each = Math.ceil(job.ranks / array.columns),
                of = each > 1 ? ` / ${each}` : "";
            return heatMap(Math.min(width, 520), {
                values: array.y,
                columns: array.columns,
                rows: array.count / array.columns,
                xLabel: `to rank${of}`,
                yLabel: `from rank${of}`,
                valueLabel: `bytes, job ${shortened(job.name, 30)}`,
            });
        },
        {painted: true},
    );
    const update = () => {
        tables.replaceChildren(...[pathTable(list())].filter(Boolean));
        gantt.update();
        matrix.update();
    };
    const show = point => {
        jobs = jobsOf(report, point);
        chosen = -1;
        part = null;
        whole.hidden = true;
        shown.messages = d3.sum(jobs, job => job.count) <= 600;
        jobBox.replaceChildren(
            ...(jobs.length > 1
                ? [
                      choose("Job", ["all", ...jobs.map(job => shortened(job.name, 40))], i => {
                          chosen = i - 1;
                          part = null;
                          whole.hidden = true;
                          update();
                      }),
                  ]
                : []),
            ...(jobs.some(job => job.count)
                ? [
                      check("messages", shown.messages, on => {
                          shown.messages = on;
                          gantt.update();
                      }),
                      check("critical path", shown.path, on => {
                          shown.path = on;
                          gantt.update();
                      }),
                  ]
                : []),
        );
        update();
    };
    const picker = pickPoint(view, points, show);
    addSection(
        "ranks",
        "Ranks",
        element("div", {class: "controls"}, picker.node, jobBox, whole),
        legend(),
        gantt.node,
        told,
        tables,
        element("div", {class: "figures"}, matrix.node),
    );
    show(picker.point);
}
