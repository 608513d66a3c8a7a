// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
import {decodeReport} from "./data.js";
import {element} from "./dom.js";
import {themeButton} from "./theme.js";
import {curveLegend} from "./picker.js";
import {addSummary, addVerdicts, runLine} from "./summary.js";
import {addCharts} from "./charts.js";
import {addCurves} from "./curves.js";
import {addDistribution} from "./distribution.js";
import {addSearch} from "./search.js";
import {addMatrices} from "./heat.js";
import {addLinks} from "./links.js";
import {addTimeline} from "./timeline.js";
import {addTables} from "./tables.js";
import {addScenario} from "./scenario.js";

export function start() {
    const report = decodeReport(JSON.parse(document.getElementById("data").textContent));
    const title = report.title || report.results.map(result => result.name).join(", ");
    document.title = title;
    document
        .getElementById("header")
        .append(
            element("div", {}, element("h1", {}, title), element("p", {}, runLine(report))),
            themeButton(),
        );
    const legend = curveLegend(report);
    addCharts(report);
    addVerdicts(report);
    addCurves(report, legend);
    addDistribution(report, legend);
    addSearch(report);
    addMatrices(report);
    addLinks(report);
    addTimeline(report);
    addTables(report);
    addScenario(report);
    addSummary(report);
    document.documentElement.dataset.ready = "yes";
}
