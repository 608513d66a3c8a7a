// SPDX-License-Identifier: Apache-2.0
// What the page looks at: over which axis, which values of the settings, which traffic class, which point.
// All sections share it; figures ask when they draw, and are told when it changes.
import {readQuantity} from "./units.js";

const plainNumber = text => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
const naturally = new Intl.Collator("en", {numeric: true}).compare;

// The settings of a component: {global: 4, kind: dragonfly} has "global: 4" and "kind: dragonfly".
function settingsOf(text) {
    const parts = [""];
    let depth = 0;
    for (const c of /^\{.*\}$/.test(text) ? text.slice(1, -1) : "") {
        depth += "{[".includes(c) - "}]".includes(c);
        if (c === "," && depth === 0) parts.push("");
        else parts[parts.length - 1] += c;
    }
    return parts.map(part => part.trim());
}
const kindOf = text =>
    settingsOf(text)
        .find(part => part.startsWith("kind:"))
        ?.slice(5)
        .trim();

// A value as a label has it: {kind: ugal, threshold: 40} is "ugal", or "ugal threshold 40" where another value
// is of that kind, as in the table.
function labelOf(text, values) {
    const kind = kindOf(text);
    if (!kind || values.every(other => other === text || kindOf(other) !== kind)) return kind ?? text;
    const others = settingsOf(text).filter(part => !part.startsWith("kind:"));
    return `${kind} ${others.join(", ")}`.trim().replaceAll(":", "");
}

// The last parts of a path that tell it from the others; routing.kind is the routing.
function shortPath(path, paths) {
    const parts = path.replace(/\.kind$/, "").split(".");
    for (let n = 1; n < parts.length; n++) {
        const name = parts.slice(-n).join(".");
        if (paths.every(other => other === path || !`.${other}`.endsWith(`.${name}`))) return name;
    }
    return parts.join(".");
}

// The settings that vary: [{path, name, values: sorted, of: point → text, label: text → text}].
function variedSettings(report) {
    const paths = [...new Set(report.results.flatMap(result => result.vary))].filter(Boolean);
    return paths
        .map(path => {
            const places = report.results.map(result => result.vary.indexOf(path));
            const of = point => point.vary[places[point.r]] ?? "";
            const values = [...new Set(report.points.map(of))].sort(naturally);
            const labels = new Map(values.map(text => [text, labelOf(text, values)]));
            return {path, name: shortPath(path, paths), values, of, label: text => labels.get(text)};
        })
        .filter(setting => setting.values.length > 1);
}

const placesOf = (report, at) => report.points.map(at);
const several = places => new Set(places.filter(Number.isFinite)).size > 1;
const alike = (a, b) => a.every((x, i) => x === b[i] || Math.abs(x - b[i]) <= 1e-9 * Math.abs(x));

// An axis for a setting whose values are quantities of one unit; null if they are not.
function settingAxis(setting, classes) {
    const known = new Map(setting.values.map(text => [text, readQuantity(text)])),
        units = new Set(setting.values.map(text => known.get(text)?.unit));
    if (units.size !== 1 || units.has(undefined)) return null;
    const [unit] = units;
    const load = /^traffic\.(.+)\.(load|rho|rate)$/.exec(setting.path);
    const name = load && classes.length > 1 ? `offered ${load[2]} of class ${load[1]}` : setting.name;
    return {
        label: `${name}${unit ? ` (${unit})` : ""}`,
        setting,
        at: point => known.get(setting.of(point)).value,
    };
}

// An axis for what a metric says of each point: the load of a class, what was accepted.
function metricAxis(report, name, of, label) {
    const metrics = report.results.map(result => result.metric(name, of));
    return metrics.every(Boolean) ? {label, at: point => metrics[point.r].value(point.i)} : null;
}

// The axis of the results first; then others with several places that are none of those before.
function allAxes(report, settings, classes) {
    const axes = [],
        known = [];
    const add = axis => {
        if (!axis) return;
        const places = placesOf(report, axis.at);
        if (!several(places) || known.some(other => alike(other, places))) return;
        known.push(places);
        axes.push(axis);
    };
    add({label: report.axis, at: point => point.home.x, home: true});
    settings.forEach(setting => add(settingAxis(setting, classes)));
    for (const of of ["", ...classes])
        add(metricAxis(report, "offered load", of, of ? `offered load of class ${of}` : "offered load"));
    add(metricAxis(report, "accepted", "", "accepted load"));
    return axes;
}

// The curve of each point over an axis of one setting: the values of the others.
function curvesOver(report, settings, axis) {
    const others = settings.filter(setting => setting !== axis.setting);
    const name = point =>
        [
            report.results.length > 1 ? report.results[point.r].name : "",
            ...others.map(({name, of, label}) => (plainNumber(of(point)) ? `${name} ${of(point)}` : label(of(point)))),
        ]
            .filter(Boolean)
            .join(", ");
    const names = report.points.map(name),
        curves = [...new Set(names)].sort(naturally);
    return {curves, curve: i => curves.indexOf(names[i])};
}

// A point worth opening with: of the curve with most points that did not saturate, at three fifths of them.
function startingPoint(points) {
    const steady = points.filter(point => !point.saturated && Number.isFinite(point.x));
    const sound = steady.filter(point => point.verdict.startsWith("converged"));
    const base = [sound, steady, points].find(list => list.length > 0) ?? [];
    const groups = d3.groups(base, point => point.curve);
    const [, best] = groups[d3.leastIndex(groups, ([, list]) => -list.length)] ?? [null, []];
    return best.length ? d3.sort(best, point => point.x)[Math.floor(best.length * 0.6)] : null;
}

export function createView(report) {
    const settings = variedSettings(report);
    const classes = [
        ...new Set(report.results.flatMap(result => result.metrics.filter(m => m.name === "latency").map(m => m.of))),
    ].filter(Boolean);
    for (const point of report.points) point.home = {x: point.x, curve: point.curve};
    const homeCurves = report.curves,
        axes = allAxes(report, settings, classes),
        changed = [],
        selected = [];
    const constant = setting =>
        d3.groups(report.points, point => point.curve).every(
            ([, points]) => new Set(points.map(setting.of)).size === 1,
        );
    const view = {
        report,
        classes,
        axes,
        axis: axes[0] ?? null,
        of: "",
        point: null,
        hidden: new Map(), // path → its values that are not wished
        filters: [],
        onChange: act => changed.push(act),
        onSelect: act => selected.push(act),
        setAxis(k) {
            arrange(axes[k]);
            changed.forEach(act => act("axis"));
            view.select(view.passes(view.point.curve) ? view.point : startingPoint(view.points()));
        },
        setClass(of) {
            view.of = of;
            changed.forEach(act => act("class"));
        },
        toggle(setting, value) {
            const values = view.hidden.get(setting.path) ?? new Set();
            if (!values.delete(value)) values.add(value);
            view.hidden.set(setting.path, values);
            changed.forEach(act => act("filter"));
            if (view.point && !view.passes(view.point.curve)) view.select(startingPoint(view.points()));
        },
        // Does a curve pass the filters?
        passes: curve => view.first[curve] && passes(view.first[curve]),
        points: () => report.points.filter(passes),
        select(point) {
            if (!point) return;
            view.point = point;
            selected.forEach(act => act(point));
        },
    };
    const passes = point =>
        view.filters.every(setting => !view.hidden.get(setting.path)?.has(setting.of(point)));
    function arrange(axis) {
        const made = axis?.setting && curvesOver(report, settings, axis);
        view.axis = axis;
        report.axis = axis?.label ?? report.axis;
        report.home = !axis || axis.home;
        report.curves = made ? made.curves : homeCurves;
        report.points.forEach((point, i) => {
            point.x = axis ? axis.at(point) : point.home.x;
            point.curve = made ? made.curve(i) : point.home.curve;
        });
        view.filters = settings.filter(constant);
        view.first = report.curves.map((_, curve) => report.points.find(point => point.curve === curve));
    }
    arrange(view.axis);
    view.point = startingPoint(report.points);
    return view;
}
