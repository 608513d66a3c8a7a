// SPDX-License-Identifier: Apache-2.0
// Figures that draw themselves when they come into sight, and again when their width or what they
// show changes. draw(width, zoom) gives a node, or a text for "there is nothing to draw".
import {element, download, fileName, logTicks, shortened, tickText} from "./dom.js";
import {onTheme} from "./theme.js";

const waiting = new Map(); // figure body → its draw, until it is seen
const seen = new IntersectionObserver(
    entries => {
        for (const entry of entries) if (entry.isIntersecting) waiting.get(entry.target)?.();
    },
    {rootMargin: "400px"},
);
const resized = new ResizeObserver(entries => {
    for (const entry of entries) entry.target.weftResize?.(entry.contentRect.width);
});
addEventListener("beforeprint", () => {
    while (waiting.size)
        // a box that is filled may hold figures
        [...waiting.values()].forEach(act => act());
});

// Fills a box with what build() gives when it comes near to being seen.
export function lazily(build) {
    const box = element("div", {class: "later"}),
        act = () => {
            waiting.delete(box);
            seen.unobserve(box);
            box.classList.remove("later");
            box.append(...build());
        };
    waiting.set(box, act);
    seen.observe(box);
    return box;
}

// options: {painted: true} for figures of pixels, which a change of theme has to draw again;
// {controls: [nodes]}; {note: text, or () → text after each drawing}; {zoom: true}: a part of the plot
// that is dragged over fills the frame, and draw gets it as {x: [from, to], y: [from, to]}.
export function figure(title, draw, options = {}) {
    const body = element("div", {class: "figure-body"});
    const save = element(
        "button",
        {type: "button", class: "quiet", onclick: () => saveSvg(title, body)},
        "SVG",
    );
    save.setAttribute("aria-label", `Download “${title}” as SVG`);
    let zoom = null;
    const note = element("p", {class: "note"}),
        whole = element(
            "button",
            {type: "button", class: "quiet", hidden: true, onclick: () => setZoom(null)},
            "whole",
        );
    whole.setAttribute("aria-label", `Show the whole of “${title}”`);
    const setZoom = part => {
        zoom = part;
        whole.hidden = !part;
        paint();
    };
    const node = element(
        "figure",
        {class: options.wide ? "wide" : null},
        element(
            "figcaption",
            {},
            element("span", {}, shortened(title, 80)),
            options.controls?.length ? element("span", {class: "controls"}, options.controls) : null,
            options.painted ? null : element("span", {class: "tools"}, whole, save),
        ),
        body,
        options.note ? note : null,
    );
    let width = 0;
    const paint = () => {
        waiting.delete(body);
        seen.unobserve(body);
        width = body.clientWidth;
        const drawn = draw(Math.max(240, width - 4 || 640), zoom); // 4: its padding
        body.replaceChildren(typeof drawn === "string" ? element("p", {class: "empty"}, drawn) : drawn);
        if (typeof drawn !== "string") describe(drawn, title);
        if (typeof drawn !== "string" && options.zoom) zoomable(drawn, setZoom);
        note.textContent = (typeof options.note === "function" ? options.note() : options.note) ?? "";
    };
    body.weftResize = now => {
        if (!waiting.has(body) && Math.abs(now - width) > 8) paint();
    };
    waiting.set(body, paint);
    seen.observe(body);
    resized.observe(body);
    if (options.painted) onTheme(() => waiting.has(body) || paint());
    return {
        node,
        update: () => waiting.has(body) || paint(),
        reset: () => {
            zoom = null;
            whole.hidden = true;
        },
    };
}

// Drag over a part of a plot: act({x, y}); a double click: act(null).
function zoomable(chart, act) {
    const svg = chart.matches("svg") ? chart : chart.querySelector(":scope > svg");
    const x = chart.scale("x"),
        y = chart.scale("y");
    if (!svg || !x?.invert || !y?.invert) return;
    const inside = (at, scale) => Math.max(d3.min(scale.range), Math.min(d3.max(scale.range), at));
    const place = event => {
        const [px, py] = d3.pointer(event, svg);
        return [inside(px, x), inside(py, y)];
    };
    const sorted = (a, b) => [a, b].sort(d3.ascending);
    let from = null,
        frame = null;
    svg.addEventListener("pointerdown", event => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        event.preventDefault();
        from = place(event);
        svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", event => {
        if (!from) return;
        const [px, py] = place(event);
        frame ??= d3.select(svg).append("rect").attr("class", "zoom");
        frame
            .attr("x", Math.min(px, from[0]))
            .attr("y", Math.min(py, from[1]))
            .attr("width", Math.abs(px - from[0]))
            .attr("height", Math.abs(py - from[1]));
    });
    svg.addEventListener("pointerup", event => {
        const start = from,
            [px, py] = place(event);
        from = null;
        frame?.remove();
        frame = null;
        if (!start || Math.abs(px - start[0]) < 8 || Math.abs(py - start[1]) < 8) return;
        act({
            x: sorted(x.invert(start[0]), x.invert(px)),
            y: sorted(y.invert(start[1]), y.invert(py)),
        });
    });
    svg.addEventListener("dblclick", () => act(null));
}

function describe(drawn, title) {
    const picture = drawn.matches("svg, canvas") ? drawn : drawn.querySelector(":scope > svg, canvas");
    picture?.setAttribute("role", "img");
    picture?.setAttribute("aria-label", title);
}

// Plot labels only some ticks of a logarithmic axis; this labels them all.
function logAxis(k, {label, ticks, domain, tickFormat = tickText}) {
    const ends = d3.extent(domain),
        usual = (ticks ?? logTicks(ends)).filter(tick => tick >= ends[0] * 0.999 && tick <= ends[1] * 1.001),
        at = usual.length > 1 ? usual : d3.ticks(...ends, 5),
        [axis, grid] = k === "x" ? [Plot.axisX, Plot.gridX] : [Plot.axisY, Plot.gridY];
    return [grid(at), axis(at, {text: at.map(tickFormat), label, labelArrow: k === "x" ? "right" : "up"})];
}

// A part of an axis, with ticks of its own; a scale that runs the other way still does.
function zoomedScale(scale, part) {
    if (!part) return scale;
    const down = scale.domain && scale.domain[0] > scale.domain[1];
    return {...scale, domain: down ? [...part].reverse() : part, nice: false, inset: 0};
}

// Plot with the page's looks. zoom: the part of the plot that fills the frame.
export function plot(width, {zoom, x, y, marks, ...options}) {
    const scales = {
        x: zoomedScale({tickFormat: tickText, ...x}, zoom?.x),
        y: zoomedScale({tickFormat: tickText, ...y}, zoom?.y),
    };
    const logs = Object.entries(scales).filter(([, scale]) => scale.type === "log");
    for (const [k, scale] of logs) scales[k] = {...scale, axis: null, grid: false};
    for (const mark of marks) if (zoom && mark && mark.clip === undefined) mark.clip = "frame";
    return Plot.plot({
        width,
        height: Math.round(Math.min(420, Math.max(260, width * 0.58))),
        marginLeft: 56,
        marginTop: 28,
        marginBottom: 40,
        grid: true,
        style: {background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
        ...options,
        ...scales,
        marks: [...logs.flatMap(([k, scale]) => logAxis(k, scale)), ...marks],
    });
}

// Colours of the theme become plain ones on the way out.
function saveSvg(title, body) {
    const svg = body.querySelector("svg:last-of-type");
    if (!svg) return;
    const computed = getComputedStyle(document.documentElement);
    const text = new XMLSerializer()
        .serializeToString(svg)
        .replace(/var\((--[\w-]+)\)/g, (_, name) => computed.getPropertyValue(name).trim())
        .replaceAll("currentColor", computed.getPropertyValue("--ink").trim());
    download(fileName(title, ".svg"), "image/svg+xml", text);
}

// Room for the longest label of an axis on the left, from 0 to the greatest value.
export function leftMargin(values) {
    const ticks = d3.ticks(0, d3.max(values.filter(Number.isFinite)) ?? 1, 8),
        longest = d3.max(ticks, tick => tickText(tick).length);
    return Math.max(56, 24 + 8 * longest);
}

// The axis of values of a plot.
export const valueAxis = (label, logarithmic, domain) => ({
    label,
    type: logarithmic ? "log" : "linear",
    domain,
    ...(logarithmic ? {} : {nice: true}),
});

// What a pointer over a plot tells.
export const pointerTip = (rows, title) =>
    Plot.tip(
        rows,
        Plot.pointer({x: "x", y: "y", title, clip: false, fill: "var(--raised)", stroke: "var(--rule)"}),
    );
