// SPDX-License-Identifier: Apache-2.0
// Choosing: one of several values, a point by curve and place, the curves that are shown.
import {element, formatNumber} from "./dom.js";
import {curveColour, curveMark} from "./theme.js";

// choose("Metric", ["a", "b"], act): a labelled list; act(index) on change. labels are texts.
export function choose(label, labels, act, initial = 0) {
    const select = element(
        "select",
        {onchange: () => act(Number(select.value))},
        labels.map((text, i) => element("option", {value: i, selected: i === initial}, text)),
    );
    return element("label", {class: "choice"}, `${label} `, select);
}

export function check(label, initial, act) {
    const box = element("input", {type: "checkbox", checked: initial, onchange: () => act(box.checked)});
    return element("label", {class: "choice"}, box, ` ${label}`);
}

// A point out of some: first its curve, then its place on the axis. Starts at a middle load.
export function pickPoint(report, points, act) {
    const curves = [...new Set(points.map(point => point.curve))];
    const box = element("span", {class: "controls"});
    let chosen = null,
        of = [];
    const second = element("select", {"aria-label": "Point", onchange: () => pick(of[Number(second.value)])});
    const pick = point => {
        chosen = point;
        act(point);
    };
    const show = curve => {
        of = points.filter(point => point.curve === curve).sort((a, b) => a.x - b.x);
        second.replaceChildren(...of.map((point, i) => element("option", {value: i}, pointName(point))));
        const near = chosen ? d3.leastIndex(of, point => Math.abs(point.x - chosen.x)) : -1;
        const start = near >= 0 ? near : Math.floor(of.length / 2);
        second.value = String(start);
        chosen = of[start];
    };
    show(curves[0]);
    if (curves.length > 1)
        box.append(
            choose(
                "Curve",
                curves.map(curve => curveName(report, curve)),
                i => {
                    show(curves[i]);
                    act(chosen);
                },
            ),
        );
    if (points.length > 1) box.append(element("label", {class: "choice"}, "at ", second));
    return {
        node: box,
        get point() {
            return chosen;
        },
    };
}

export function pointName(point) {
    const place = Number.isNaN(point.x) ? "the point" : formatNumber(point.x);
    return point.saturated ? `${place} (saturated)` : place;
}

export function curveName(report, curve) {
    return report.curves[curve] || "all points";
}

// The curves that figures show; a legend of buttons switches them.
export function curveLegend(report) {
    const shown = new Set(report.curves.map((_, curve) => curve).slice(0, 12)),
        listeners = [];
    const changed = () => listeners.forEach(act => act());
    const set = (button, curve, on) => {
        button.setAttribute("aria-pressed", String(on));
        if (on) shown.add(curve);
        else shown.delete(curve);
    };
    const buttons = report.curves.map((_, curve) => {
        const button = element(
            "button",
            {
                type: "button",
                class: "curve",
                "data-curve": curve,
                "aria-pressed": String(shown.has(curve)),
                onclick: () => {
                    set(button, curve, !shown.has(curve));
                    changed();
                },
            },
            swatch(curve),
            curveName(report, curve),
        );
        return button;
    });
    const all = on => () => {
        buttons.forEach((button, curve) => set(button, curve, on));
        changed();
    };
    const node = element(
        "div",
        {class: "legend", role: "group", "aria-label": "Curves shown"},
        buttons,
        report.curves.length > 2
            ? [
                  element("button", {type: "button", class: "quiet", onclick: all(true)}, "all"),
                  element("button", {type: "button", class: "quiet", onclick: all(false)}, "none"),
              ]
            : null,
    );
    return {node, shown, onChange: act => listeners.push(act)};
}

// What stands before an entry of a legend; draw(svg) fills x −12 … 12, y −6 … 6.
export function legendSample(draw) {
    const svg = d3
        .create("svg")
        .attr("viewBox", "-12 -6 24 12")
        .attr("width", 24)
        .attr("height", 12)
        .attr("aria-hidden", "true");
    draw(svg);
    return svg.node();
}

function swatch(curve) {
    const symbols = {
        circle: d3.symbolCircle,
        square: d3.symbolSquare,
        diamond: d3.symbolDiamond,
        triangle: d3.symbolTriangle,
        star: d3.symbolStar,
        wye: d3.symbolWye,
    };
    return legendSample(svg => {
        svg.append("path").attr("d", "M-12 0H12").attr("stroke", curveColour(curve)).attr("stroke-width", 2);
        svg.append("path")
            .attr("d", d3.symbol(symbols[curveMark(curve)], 48)())
            .attr("fill", curveColour(curve));
    });
}
