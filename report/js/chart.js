// SPDX-License-Identifier: Apache-2.0
// Figures that draw themselves when they come into sight, and again when their width or what they
// show changes. draw(width) gives a node, or a text for "there is nothing to draw".
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
// {controls: [nodes]}; {note: text}.
export function figure(title, draw, options = {}) {
    const body = element("div", {class: "figure-body"});
    const save = element(
        "button",
        {type: "button", class: "quiet", onclick: () => saveSvg(title, body)},
        "SVG",
    );
    save.setAttribute("aria-label", `Download “${title}” as SVG`);
    const node = element(
        "figure",
        {class: options.wide ? "wide" : null},
        element(
            "figcaption",
            {},
            element("span", {}, shortened(title, 80)),
            options.controls?.length ? element("span", {class: "controls"}, options.controls) : null,
            options.painted ? null : save,
        ),
        body,
        options.note ? element("p", {class: "note"}, options.note) : null,
    );
    let width = 0;
    const paint = () => {
        waiting.delete(body);
        seen.unobserve(body);
        width = body.clientWidth;
        const drawn = draw(Math.max(240, width - 4 || 640)); // 4: its padding
        body.replaceChildren(typeof drawn === "string" ? element("p", {class: "empty"}, drawn) : drawn);
        if (typeof drawn !== "string") describe(drawn, title);
    };
    body.weftResize = now => {
        if (!waiting.has(body) && Math.abs(now - width) > 8) paint();
    };
    waiting.set(body, paint);
    seen.observe(body);
    resized.observe(body);
    if (options.painted) onTheme(() => waiting.has(body) || paint());
    return {node, update: () => waiting.has(body) || paint()};
}

function describe(drawn, title) {
    const picture = drawn.matches("svg, canvas") ? drawn : drawn.querySelector(":scope > svg, canvas");
    picture?.setAttribute("role", "img");
    picture?.setAttribute("aria-label", title);
}

// Plot with the page's looks.
export function plot(width, options) {
    return Plot.plot({
        width,
        height: Math.round(Math.min(420, Math.max(260, width * 0.58))),
        marginLeft: 56,
        marginBottom: 40,
        grid: true,
        style: {background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
        ...options,
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
    ...(logarithmic ? {ticks: logTicks(domain), tickFormat: tickText} : {nice: true}),
});
