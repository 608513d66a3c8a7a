// SPDX-License-Identifier: Apache-2.0
// The network, its links coloured by their load. The two directions of a cable lie side by side, each
// to the right of its way; links around a torus leave the sheet as stubs. Links to other sheets have
// no line: they colour the router.
import {element, formatNumber} from "./dom.js";
import {loadColour, resolved} from "./theme.js";

const SHADES = 32; // lines of one shade are drawn together

// network and places of layout.js; load: number of a link → 0 … 1 of the scale; title: router → text.
export function drawNetwork(width, network, places, load, title) {
    const margin = 22,
        most = Math.max(320, Math.min(760, width));
    const unit = Math.min(
        (width - 2 * margin) / (places.width || 1),
        (most - 2 * margin) / (places.height || 1),
        56,
    );
    const height = Math.ceil(places.height * unit + 2 * margin),
        scale = window.devicePixelRatio || 1;
    const canvas = element("canvas", {width: Math.round(width * scale), height: Math.round(height * scale)});
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const left = (width - places.width * unit) / 2;
    const at = r => [left + places.x[r] * unit, margin + places.y[r] * unit];
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const apart =
        network.kind === "graph"
            ? Math.max(0.5, Math.min(1.6, 700 / network.routers))
            : Math.max(0.7, Math.min(3.5, unit * 0.11));
    const radius =
        network.kind === "graph"
            ? Math.max(1.2, Math.min(7, (0.1 * width) / Math.sqrt(network.routers)))
            : Math.max(0.8, Math.min(6, unit * 0.15));
    const own = drawLinks(context, network, at, load, {apart, unit});
    drawRouters(context, network, at, own, radius);
    return element("div", {class: "drawing"}, canvas, reader(canvas, network, at, title));
}

function drawLinks(context, network, at, load, {apart, unit}) {
    const shades = Array.from({length: SHADES + 1}, () => []);
    const outside = {sum: new Float64Array(network.routers), count: new Uint32Array(network.routers)};
    network.links.forEach((link, i) => {
        const share = load(i);
        if (Number.isNaN(share)) return;
        if (network.kind === "lattice" && link.dim > 1) {
            outside.sum[link.from] += share;
            outside.count[link.from]++;
        } else shades[Math.round(Math.max(0, Math.min(1, share)) * SHADES)].push(link);
    });
    context.lineWidth = apart * 1.25;
    context.lineCap = "butt";
    shades.forEach((links, shade) => {
        // the hottest last, on top
        context.strokeStyle = loadColour(shade / SHADES);
        context.beginPath();
        for (const link of links) {
            const [x1, y1] = at(link.from),
                [x2, y2] = link.wraps && network.size.length > 1 ? stub(link, x1, y1, unit) : at(link.to);
            const length = Math.hypot(x2 - x1, y2 - y1) || 1,
                dx = (-(y2 - y1) / length) * apart * 0.7,
                dy = ((x2 - x1) / length) * apart * 0.7;
            context.moveTo(x1 + dx, y1 + dy);
            context.lineTo(x2 + dx, y2 + dy);
        }
        context.stroke();
    });
    return outside;
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

// Names the router nearest to the pointer.
function reader(canvas, network, at, title) {
    const box = element("p", {class: "reading", "aria-live": "off"}, "\u00a0");
    const index = d3.quadtree(
        d3.range(network.routers),
        r => at(r)[0],
        r => at(r)[1],
    );
    canvas.addEventListener("pointermove", event => {
        const [x, y] = d3.pointer(event, canvas),
            r = index.find(x, y, 24);
        box.textContent = r === undefined ? "\u00a0" : title(r);
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
