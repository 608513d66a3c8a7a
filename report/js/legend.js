// SPDX-License-Identifier: Apache-2.0
// The curves that figures show. Buttons switch them off and on, a double click leaves one alone, settings
// filter them, and the pointer over one fades the others.
import {debounce, element, shortened} from "./dom.js";
import {choose, curveName} from "./picker.js";
import {curveColour, curveMark} from "./theme.js";
import {shortValue} from "./view.js";

const MOST = 32; // curves that are shown at first; of more, the first few
const FEW = 12;

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

// A row of buttons for the values of each setting that tells curves apart.
function filterRows(view) {
    return view.filters.map(setting =>
        element(
            "div",
            {class: "filter", role: "group", "aria-label": `Values of ${setting.path}`},
            element("span", {class: "name", title: setting.path}, shortened(setting.name)),
            setting.values.map(value => {
                const button = element(
                    "button",
                    {
                        type: "button",
                        "aria-pressed": String(!view.hidden.get(setting.path)?.has(value)),
                        onclick: () => view.toggle(setting, value),
                    },
                    shortened(shortValue(value) || "none"),
                );
                return button;
            }),
        ),
    );
}

// {node, shown, lit, onChange}: shown are the numbers of the curves that figures draw.
export function curveLegend(view) {
    const {report} = view,
        shown = new Set(),
        listeners = [],
        off = new Set(), // names, which stay where numbers change
        node = element("div", {class: "legend", role: "group", "aria-label": "Curves shown"}),
        filters = element("div", {class: "filters"}),
        status = element("span", {class: "note", role: "status"});
    const curves = () => report.curves.map((_, curve) => curve).filter(view.passes);
    const initial = () => {
        off.clear();
        if (curves().length > MOST)
            curves()
                .slice(FEW)
                .forEach(curve => off.add(report.curves[curve]));
    };
    const count = () => {
        const most = curves().length;
        status.textContent = shown.size === most ? `${most} curves` : `${shown.size} of ${most} curves shown`;
    };
    const apply = () => {
        shown.clear();
        for (const curve of curves()) if (!off.has(report.curves[curve])) shown.add(curve);
        for (const button of node.querySelectorAll(".curve"))
            button.setAttribute("aria-pressed", String(shown.has(Number(button.dataset.curve))));
        count();
        listeners.forEach(act => act());
    };
    const only = keep => () => {
        off.clear();
        for (const curve of curves()) if (!keep(curve)) off.add(report.curves[curve]);
        apply();
    };
    const light = debounce(curve => {
        if (legend.lit === curve) return;
        legend.lit = curve;
        listeners.forEach(act => act());
    }, 80);
    const button = curve =>
        element(
            "button",
            {
                type: "button",
                class: "curve",
                "data-curve": curve,
                title: "Click: off or on. Double click: this one alone.",
                onclick: () => {
                    const name = report.curves[curve];
                    if (!off.delete(name)) off.add(name);
                    apply();
                },
                ondblclick: only(other => other === curve),
                onpointerenter: () => light(curve),
                onpointerleave: () => light(null),
            },
            swatch(curve),
            element("span", {}, curveName(report, curve)),
        );
    const build = () => {
        const mine = curves();
        filters.replaceChildren(...(report.curves.length > 2 && view.filters.length > 1 ? filterRows(view) : []));
        node.replaceChildren(...mine.map(button));
        node.hidden = report.curves.length < 2;
        node.classList.toggle("many", mine.length > 8);
        tools.hidden = report.curves.length < 3;
        apply();
    };
    const tools = element(
        "div",
        {class: "controls legend-tools"},
        element("button", {type: "button", class: "quiet", onclick: only(() => true)}, "all"),
        element("button", {type: "button", class: "quiet", onclick: only(() => false)}, "none"),
        status,
    );
    view.onChange(what => {
        if (what === "axis") initial();
        if (what !== "class") build();
    });
    const legend = {
        node: element("div", {class: "choices"}, axisControls(view), filters, node, tools),
        shown,
        lit: null, // the curve under the pointer
        onChange: act => listeners.push(act),
    };
    initial();
    build();
    return legend;
}

function axisControls(view) {
    const over =
        view.axes.length > 1
            ? choose("x axis", view.axes.map(axis => shortened(axis.label, 60)), k => view.setAxis(k))
            : null;
    return element("div", {class: "controls"}, over, classChoice(view));
}

// The traffic class that curves and distributions are of; null where there is only one.
export function classChoice(view) {
    if (view.classes.length < 2) return null;
    const labels = ["all together", ...view.classes.map(of => shortened(of))];
    const node = choose("Class", labels, i => view.setClass(i ? view.classes[i - 1] : ""));
    view.onChange(() => (node.querySelector("select").value = String(1 + view.classes.indexOf(view.of))));
    return node;
}
