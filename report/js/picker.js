// SPDX-License-Identifier: Apache-2.0
// Choosing: one of several values, a point by curve and place. All pickers of points go together.
import {element, formatNumber, shortened} from "./dom.js";

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

const nearest = (points, x) => points[Math.max(0, d3.leastIndex(points, point => Math.abs(point.x - x)))];

// A point out of some: first its curve, then its place on the axis. What is chosen here is chosen in all
// pickers that have it; the others take the nearest point of its curve.
export function pickPoint(view, points, act) {
    const first = element("select", {"aria-label": "Curve", onchange: () => move(Number(first.value))}),
        second = element("select", {"aria-label": "Point", onchange: () => view.select(of()[Number(second.value)])});
    const box = element(
        "span",
        {class: "controls"},
        element("label", {class: "choice"}, "Curve ", first),
        element("label", {class: "choice"}, "at ", second),
    );
    let chosen = null;
    const usable = () => {
        const passing = points.filter(point => view.passes(point.curve));
        return passing.length ? passing : points;
    };
    const of = () =>
        d3.sort(
            usable().filter(point => point.curve === chosen.curve),
            point => point.x,
        );
    const move = curve =>
        view.select(
            nearest(
                usable().filter(point => point.curve === curve),
                chosen.x,
            ),
        );
    const find = wanted => {
        const mine = usable();
        if (!wanted || mine.includes(wanted)) return wanted ?? mine[0];
        const same = mine.filter(point => point.curve === wanted.curve);
        return nearest(same.length ? same : mine, wanted.x);
    };
    const show = () => {
        const curves = [...new Set(usable().map(point => point.curve))].sort(d3.ascending),
            list = of();
        first.replaceChildren(
            ...curves.map(curve => element("option", {value: curve}, curveName(view.report, curve))),
        );
        first.value = String(chosen.curve);
        second.replaceChildren(...list.map((point, i) => element("option", {value: i}, pointName(point))));
        second.value = String(list.indexOf(chosen));
        first.parentNode.hidden = curves.length < 2;
        second.parentNode.hidden = points.length < 2;
    };
    const follow = point => {
        chosen = find(point);
        show();
    };
    view.onSelect(point => {
        const before = chosen;
        follow(point);
        if (chosen !== before) act(chosen);
    });
    view.onChange(what => what !== "class" && follow(chosen));
    follow(view.point);
    return {
        node: box,
        get point() {
            return chosen;
        },
    };
}

// "0.7 (saturated)", "0.7 (limit packets)".
export function pointName(point) {
    const place = Number.isNaN(point.x) ? "the point" : formatNumber(point.x);
    return isConverged(point) ? place : `${place} (${shortened(verdictWord(point), 30)})`;
}

// Did the point reach what it was run for? A limit, memory or a signal ended the others.
export const isConverged = point =>
    !point.saturated && !/^(limit|memory|interrupted)|still warming up/.test(point.verdict);
export const verdictWord = point => (point.saturated ? "saturated" : point.verdict.split(":")[0]);

export function curveName(report, curve) {
    return report.curves[curve] || "all points";
}
