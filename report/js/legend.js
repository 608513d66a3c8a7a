// SPDX-License-Identifier: Apache-2.0
// The curves that figures show. Buttons switch them off and on, a double click leaves one alone, settings
// filter them, and the pointer over one fades the others.
import {debounce, element, shortened} from "./dom.js";
import {choose, curveName} from "./picker.js";
import {curveColour, curveMark} from "./theme.js";

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
    return legendSample(svg => {
        svg.append("path").attr("d", "M-12 0H12").attr("stroke", curveColour(curve)).attr("stroke-width", 2);
        svg.append("path")
            .attr("d", d3.symbol(curveMark(curve), 48)())
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
            setting.values.map(value =>
                element(
                    "button",
                    {
                        type: "button",
                        "aria-pressed": String(!view.hidden.get(setting.path)?.has(value)),
                        onclick: () => view.toggle(setting, value),
                    },
                    shortened(setting.label(value) || "none"),
                ),
            ),
        ),
    );
}

// One curve of the legend: act(name of what was done, its number).
const curveButton = (report, curve, act) =>
    element(
        "button",
        {
            type: "button",
            class: "curve",
            "data-curve": curve,
            title: "Click: off or on. Double click: this one alone.",
            onclick: () => act("toggle", curve),
            ondblclick: () => act("alone", curve),
            onpointerenter: () => act("light", curve),
            onpointerleave: () => act("light", null),
        },
        swatch(curve),
        element("span", {}, curveName(report, curve)),
    );

// Which curves are on, by name, because numbers change with the axis.
function curveSwitches(view) {
    const off = new Set(),
        name = curve => view.report.curves[curve];
    const all = () => view.report.curves.map((_, curve) => curve).filter(view.passes);
    const keep = wanted => {
        off.clear();
        for (const curve of all()) if (!wanted(curve)) off.add(name(curve));
    };
    return {
        all,
        keep,
        isOn: curve => !off.has(name(curve)),
        toggle: curve => off.delete(name(curve)) || off.add(name(curve)),
        start: () => {
            const first = all().slice(0, FEW);
            keep(curve => all().length <= MOST || first.includes(curve));
        },
    };
}

// {node, shown, lit, onChange}: shown are the numbers of the curves that figures draw, lit the one under
// the pointer.
export function curveLegend(view) {
    const {report} = view,
        switches = curveSwitches(view),
        listeners = [],
        buttons = element("div", {class: "legend", role: "group", "aria-label": "Curves shown"}),
        filters = element("div", {class: "filters"}),
        status = element("span", {class: "note", role: "status"});
    const legend = {shown: new Set(), lit: null, onChange: act => listeners.push(act)};
    const tell = () => listeners.forEach(act => act());
    const light = debounce(curve => {
        if (legend.lit === curve) return;
        legend.lit = curve;
        tell();
    }, 80);
    const apply = () => {
        const all = switches.all();
        legend.shown.clear();
        all.filter(switches.isOn).forEach(curve => legend.shown.add(curve));
        for (const button of buttons.children)
            button.setAttribute("aria-pressed", String(legend.shown.has(Number(button.dataset.curve))));
        const {size} = legend.shown;
        status.textContent = size === all.length ? `${size} curves` : `${size} of ${all.length} curves shown`;
        tell();
    };
    const acts = {
        light,
        toggle: curve => apply(switches.toggle(curve)),
        alone: curve => apply(switches.keep(other => other === curve)),
    };
    const only = on => ({type: "button", class: "quiet", onclick: () => apply(switches.keep(() => on))});
    const tools = element(
        "div",
        {class: "controls legend-tools"},
        element("button", only(true), "all"),
        element("button", only(false), "none"),
        status,
    );
    const build = () => {
        const all = switches.all(),
            many = report.curves.length;
        filters.replaceChildren(...(many > 2 && view.filters.length > 1 ? filterRows(view) : []));
        buttons.replaceChildren(...all.map(curve => curveButton(report, curve, (what, of) => acts[what](of))));
        buttons.classList.toggle("many", all.length > 8);
        buttons.hidden = many < 2;
        tools.hidden = many < 3;
        apply();
    };
    view.onChange(what => {
        if (what === "axis") switches.start();
        if (what !== "class") build();
    });
    switches.start();
    build();
    legend.node = element("div", {class: "choices"}, axisControls(view), filters, buttons, tools);
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
