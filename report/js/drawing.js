// SPDX-License-Identifier: Apache-2.0
// The network, its links coloured by their load. The two directions of a cable lie side by side, each
// to the right of its way; parallel cables are one line with their number; links around a torus leave the
// sheet as stubs. Links to other sheets have no line: they colour the router.
import {element, formatNumber} from "./dom.js";
import {bundleLinks} from "./layout.js";
import {loadColour, resolved} from "./theme.js";

const SHADES = 32; // lines of one shade are drawn together
const COUNTED = 120; // pairs of routers whose parallel cables are counted in the drawing
const FONT = 11;

// Where everything goes: margins with room for the labels, and how large a step is.
function frameOf(context, width, network, places) {
    const beside = places.labels.filter(label => label.side === "left"),
        left = d3.max(beside, label => context.measureText(label.text).width) ?? 0;
    const grid = network.kind === "lattice" || places.bends;
    const margin = grid
        ? {left: left + 56, right: 44, top: 54, bottom: 54}
        : {left: left + 48, right: 44, top: 36, bottom: 36};
    const most = Math.max(320, Math.min(760, width)),
        unit = Math.min(
            (width - margin.left - margin.right) / (places.width || 1),
            (most - margin.top - margin.bottom) / (places.height || 1),
            grid ? (places.bends ? 90 : 56) : 120,
        );
    const spare = Math.max(0, width - margin.left - margin.right - places.width * unit) / 2;
    return {
        unit,
        height: Math.ceil(places.height * unit + margin.top + margin.bottom),
        at: (x, y) => [margin.left + spare + x * unit, margin.top + y * unit],
    };
}

// network and places of layout.js; load: number of a link → 0 … 1 of the scale; title: router → text.
export function drawNetwork(width, network, places, load, title) {
    const canvas = element("canvas"),
        context = canvas.getContext("2d"),
        scale = window.devicePixelRatio || 1,
        font = `${FONT}px system-ui, "DejaVu Sans", sans-serif`;
    context.font = font;
    const {unit, height, at: place} = frameOf(context, width, network, places);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.scale(scale, scale);
    context.font = font;
    const at = r => place(places.x[r], places.y[r]);
    const crowd = nearestDistance(network, at);
    const lattice = network.kind === "lattice",
        apart = lattice
            ? Math.max(0.7, Math.min(3.5, unit * 0.11))
            : Math.max(0.5, Math.min(1.8, 900 / network.links.length)),
        radius = Math.max(1.2, Math.min(lattice ? 6 : 8, crowd * (lattice ? 0.15 : 0.28)));
    const bundles = lattice ? network.links.map((link, i) => ({...link, links: [i]})) : bundleLinks(network);
    const own = drawLinks(context, network, bundles, at, load, {apart, unit, bends: places.bends});
    drawRouters(context, network, at, own, radius);
    drawNames(context, network, places, {at, place, radius, crowd, unit});
    if (bundles.length <= 2 * COUNTED) drawCounts(context, bundles, at);
    return element("div", {class: "drawing"}, canvas, reader(canvas, network, at, title));
}

// Pixels from a router to the next one, where that is least.
function nearestDistance(network, at) {
    const all = d3.range(network.routers).map(at),
        tree = d3.quadtree(all);
    let least = Infinity;
    for (const one of all.slice(0, 2000)) {
        tree.remove(one);
        const near = tree.find(...one);
        tree.add(one);
        if (near) least = Math.min(least, Math.hypot(near[0] - one[0], near[1] - one[1]));
    }
    return Number.isFinite(least) ? least : 40;
}

function drawLinks(context, network, bundles, at, load, {apart, unit, bends}) {
    const shades = Array.from({length: SHADES + 1}, () => []);
    const outside = {sum: new Float64Array(network.routers), count: new Uint32Array(network.routers)};
    for (const bundle of bundles) {
        const share = d3.max(bundle.links, load);
        if (share === undefined || Number.isNaN(share)) continue;
        if (network.kind === "lattice" && bundle.dim > 1) {
            outside.sum[bundle.from] += share;
            outside.count[bundle.from]++;
        } else shades[Math.round(Math.max(0, Math.min(1, share)) * SHADES)].push(bundle);
    }
    context.lineCap = "butt";
    shades.forEach((list, shade) => {
        // the hottest last, on top
        context.strokeStyle = loadColour(shade / SHADES);
        for (const [count, some] of d3.group(list, bundle => bundle.links.length)) {
            const wide = apart * Math.sqrt(count);
            context.lineWidth = wide * 1.25;
            context.beginPath();
            for (const link of some) addLine(context, network, link, at, {apart: wide, unit, bends});
            context.stroke();
        }
    });
    return outside;
}

function addLine(context, network, link, at, {apart, unit, bends}) {
    const [x1, y1] = at(link.from),
        [x2, y2] = link.wraps && network.size.length > 1 ? stub(link, x1, y1, unit) : at(link.to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1,
        [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length],
        dx = nx * apart * 0.7,
        dy = ny * apart * 0.7;
    context.moveTo(x1 + dx, y1 + dy);
    if (bends && length > 1.5 * unit) {
        const bend = 0.18 * length;
        context.quadraticCurveTo((x1 + x2) / 2 + nx * bend, (y1 + y2) / 2 + ny * bend, x2 + dx, y2 + dy);
    } else context.lineTo(x2 + dx, y2 + dy);
}

function stub(link, x, y, unit) {
    const length = 0.55 * unit * link.step;
    return link.dim === 0 ? [x + length, y] : [x, y + length];
}

function drawRouters(context, network, at, outside, radius) {
    const plain = resolved("--router");
    for (let r = 0; r < network.routers; r++) {
        const [x, y] = at(r);
        context.fillStyle = outside.count[r] ? loadColour(outside.sum[r] / outside.count[r]) : plain;
        context.beginPath();
        if (network.kind === "graph") context.arc(x, y, radius, 0, 2 * Math.PI);
        else context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        context.fill();
    }
}

// A text with the paper around it, so that lines do not cross it; none where another one stands.
function writeText(context, text, x, y, align = "center") {
    const {width} = context.measureText(text),
        left = align === "right" ? x - width : x - width / 2,
        box = {text, left, right: left + width, top: y - FONT / 2, bottom: y + FONT / 2};
    const labels = (context.canvas.weftLabels ??= []); // also read by tests
    const meets = one =>
        box.left < one.right && one.left < box.right && box.top < one.bottom && one.top < box.bottom;
    if (labels.some(meets)) return;
    labels.push(box);
    context.textAlign = align;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = resolved("--paper");
    context.strokeText(text, x, y);
    context.fillStyle = resolved("--ink");
    context.fillText(text, x, y);
}

// The name of a router that fits: the whole, its number, or none.
function fittingName(context, places, r, room) {
    const long = places.name?.(r),
        short = places.shortName?.(r);
    if (long !== undefined && context.measureText(long).width < room * 0.92) return long;
    return short !== undefined && context.measureText(short).width < room * 0.92 ? short : "";
}

function drawNames(context, network, places, {at, place, radius, crowd, unit}) {
    const grid = network.kind === "lattice" || places.bends,
        off = Math.max(12, Math.min(38, 0.62 * unit)); // past the stubs around a torus
    for (const {x, y, text, side} of places.labels) {
        const [px, py] = place(x, y);
        if (side === "left") writeText(context, text, px - (grid ? off : 12) - 14, py, "right");
        else writeText(context, text, px, py + {above: -off, below: off + 2, middle: 0}[side]);
    }
    if (network.routers > 400) return;
    const below = !places.labels.some(label => label.side === "middle");
    for (let r = 0; r < network.routers; r++) {
        const room = places.room ? places.room(r) * unit : places.shortName || places.x.length > 64 ? crowd : 90;
        const text = fittingName(context, places, r, room),
            [x, y] = at(r);
        if (text) writeText(context, text, x, below ? y + (places.y[r] === 0 ? -1 : 1) * (radius + 9) : y);
    }
}

// "4×" in the middle of parallel cables, once for both directions.
function drawCounts(context, bundles, at) {
    for (const {from, to, links} of bundles) {
        if (links.length < 2 || from > to) continue;
        const [x1, y1] = at(from),
            [x2, y2] = at(to);
        writeText(context, `${links.length}×`, x1 + 0.35 * (x2 - x1), y1 + 0.35 * (y2 - y1));
    }
}

// Names the router nearest to the pointer.
function reader(canvas, network, at, title) {
    const box = element("p", {class: "reading", "aria-live": "off"}, "Point at a router to read its links.");
    const index = d3.quadtree(
        d3.range(network.routers),
        r => at(r)[0],
        r => at(r)[1],
    );
    canvas.addEventListener("pointermove", event => {
        const [x, y] = d3.pointer(event, canvas),
            r = index.find(x, y, 24);
        if (r !== undefined) box.textContent = title(r);
    });
    return box;
}

// The scale below a drawing.
export function loadScale(low, high, label) {
    const bar = element("span", {class: "ramp"});
    bar.style.background = `linear-gradient(to right, ${d3.range(0, 1.01, 0.1).map(loadColour).join(", ")})`;
    return element(
        "p",
        {class: "scale"},
        formatNumber(Number(low.toPrecision(3))),
        bar,
        formatNumber(Number(high.toPrecision(3))),
        ` ${label}`,
    );
}
