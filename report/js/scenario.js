// SPDX-License-Identifier: Apache-2.0
// The scenario as it was understood, and as every single point was run.
import {element, addSection} from "./dom.js";
import {pickPoint} from "./picker.js";

export function addScenario(view) {
    const {report} = view;
    const settings = element("pre", {tabindex: 0, "aria-label": "Settings of the point"});
    const show = point => settings.replaceChildren(report.results[point.r].settings[point.i]());
    const scenarios = report.results.map(result =>
        element(
            "details",
            {open: report.results.length === 1},
            element("summary", {}, `The scenario of ${result.name}`),
            element("pre", {tabindex: 0}, result.scenario),
        ),
    );
    const box = element("div", {class: "two"}, element("div", {}, scenarios));
    if (report.points.length > 0) {
        const picker = pickPoint(view, report.points, show);
        box.append(
            element(
                "div",
                {},
                element("h3", {}, "One point as run"),
                element("div", {class: "controls"}, picker.node),
                settings,
            ),
        );
        show(picker.point);
    }
    addSection("scenario", "Scenario", box);
}
