// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
import {decodeReport} from "./data.js";
import {element} from "./dom.js";
import {themeButton} from "./theme.js";
import {createView} from "./view.js";
import {curveLegend} from "./legend.js";
import {addSummary, addVerdicts, runLine, verdictPills} from "./summary.js";
import {addCharts} from "./charts.js";
import {addCurves} from "./curves.js";
import {addDistribution} from "./distribution.js";
import {addSearch} from "./search.js";
import {addMatrices} from "./heat.js";
import {addLinks} from "./links.js";
import {addTimeline} from "./timeline.js";
import {addRanks} from "./ranks.js";
import {addTables} from "./tables.js";
import {addScenario} from "./scenario.js";

export function start() {
    const report = decodeReport(JSON.parse(document.getElementById("data").textContent));
    const title = report.title || report.results.map(result => result.name).join(", ");
    document.title = title;
    document
        .getElementById("header")
        .append(
            element("div", {}, element("h1", {}, title), element("p", {}, runLine(report)), verdictPills(report)),
            themeButton(),
        );
    const view = createView(report),
        legend = curveLegend(view);
    addCharts(report);
    addVerdicts(report);
    addCurves(view, legend);
    addDistribution(view, legend);
    addSearch(view);
    addRanks(view);
    addMatrices(view);
    addLinks(view);
    addTimeline(view);
    addTables(view);
    addScenario(view);
    addSummary(report);
    document.documentElement.dataset.ready = "yes";
}
