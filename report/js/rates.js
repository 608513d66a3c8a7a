// SPDX-License-Identifier: Apache-2.0
// Rates of flows over time: what endpoints sent, and what their responses allowed, a line for each flow in the colour of its
// class.
import {element, formatNumber, shortened, tickText} from "./dom.js";
import {figure, plot, pointerTip} from "./chart.js";
import {legendSample} from "./legend.js";

const KINDS = [
    {start: "sent by ", title: "Sent by flows", label: "share of the endpoint's link"},
    {start: "rate of ", title: "Rates that responses allow", label: "share of the greatest rate"},
];

export const isRate = ({name}) => KINDS.some(({start}) => name.startsWith(start));

const colour = (classes, of) => `var(--curve-${(classes.indexOf(of) % 8) + 1})`;

function rateLegend(classes) {
    return element(
        "div",
        {class: "legend", style: "grid-column: 1 / -1"},
        classes.map(of =>
            element(
                "span",
                {class: "entry"},
                legendSample(svg =>
                    svg
                        .append("line")
                        .attr("x1", -10)
                        .attr("x2", 10)
                        .attr("stroke", colour(classes, of))
                        .attr("stroke-width", 2),
                ),
                ` ${of}`,
            ),
        ),
    );
}

// The figures of a point's arrays, whose x is in a readable unit, `time`.
export function rateFigures(arrays) {
    const classes = [...new Set(arrays.filter(isRate).map(({of}) => of))];
    const figures = KINDS.map(kind => ({
        ...kind,
        flows: arrays.filter(({name}) => name.startsWith(kind.start)),
    }))
        .filter(({flows}) => flows.length > 0)
        .map(({start, title, label, flows}) => {
            const rows = flows.flatMap(flow =>
                Array.from(flow.x, (x, i) => ({
                    x,
                    y: flow.y[i] / 1e6,
                    of: flow.of,
                    flow: `${flow.name} ${flow.of}`,
                    endpoint: flow.name.slice(start.length),
                })),
            );
            const {time} = flows[0];
            return figure(
                title,
                (width, zoom) =>
                    plot(width, {
                        zoom,
                        height: Math.round(Math.max(220, width * 0.45)),
                        x: {
                            label: `time (${shortened(time)})`,
                            ticks: Math.max(3, width / 90),
                            tickFormat: tickText,
                        },
                        y: {label, tickFormat: tickText, grid: true, zero: true, nice: true},
                        marks: [
                            Plot.line(rows, {
                                x: "x",
                                y: "y",
                                z: "flow",
                                stroke: row => colour(classes, row.of),
                                strokeWidth: flows.length > 16 ? 0.8 : 1.5,
                                strokeOpacity: flows.length > 16 ? 0.6 : 1,
                                curve: "step-after",
                            }),
                            pointerTip(
                                rows,
                                row =>
                                    `${row.of}, endpoint ${row.endpoint}\nfrom ${formatNumber(row.x)} ${time} on: ` +
                                    formatNumber(row.y),
                            ),
                        ],
                    }),
                {zoom: true},
            ).node;
        });
    return figures.length > 0 && classes.length > 1 ? [rateLegend(classes), ...figures] : figures;
}
