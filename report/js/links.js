// SPDX-License-Identifier: Apache-2.0
// How the links are loaded: the drawing, heat maps by coordinate pairs, the table.
import {element, addSection, formatNumber} from "./dom.js";
import {figure, lazily} from "./chart.js";
import {choose, check, pickPoint} from "./picker.js";
import {dataTable} from "./table.js";
import {heatMap} from "./heat.js";
import {
    axisName,
    bundleLinks,
    forceLayout,
    isClosed,
    placeComplete,
    placeCoordinates,
    placeGroups,
    placeLattice,
    placeTiers,
    readNetwork,
} from "./layout.js";
import {drawNetwork, loadScale} from "./drawing.js";

const FORCE_MAX = 4000,
    WORST = 10; // links that the results of a large network hold
const BUSY = "utilisation (share of the time busy)";

// Networks and places are found once for each results file.
function networksOf(report) {
    const known = new Map();
    return r => {
        if (!known.has(r)) {
            const network = readNetwork(report.results[r].links);
            const places =
                network?.kind === "lattice"
                    ? placeLattice(network)
                    : network?.kind === "graph"
                      ? (placeComplete(network) ??
                          placeCoordinates(network) ??
                          placeTiers(network) ??
                          placeGroups(network))
                      : null;
            const force =
                network?.kind === "graph" && !places && network.routers <= FORCE_MAX
                    ? forceLayout(network)
                    : null;
            known.set(r, {network, places, force});
        }
        return known.get(r);
    };
}

// The loads of a point, by number of link; NaN where the results hold none.
function loadsOf(result, point) {
    const entry = result.loads.find(one => one.point === point.i),
        loads = new Float64Array(result.links.length).fill(NaN);
    for (let k = 0; k < entry.count; k++) loads[entry.link(k)] = entry.load(k);
    return loads;
}

// Do the results hold all links? Those of large networks hold the worst, unless all were asked for.
function isWhole(result, point, network, count) {
    if (count !== WORST || !/links: summary/.test(result.settings[point.i]())) return true;
    return Boolean(network) && network.kind !== "ports" && isClosed(network);
}

// Mean load over the cells of a pair of dimensions, one map for each direction.
function pairMaps(network, loads, [across, down]) {
    const columns = network.size[across],
        rows = network.size[down],
        maps = new Map();
    network.links.forEach((link, i) => {
        if (Number.isNaN(loads[i])) return;
        const name = `${link.step > 0 ? "+" : "−"}${axisName(network, link.dim)}`;
        if (!maps.has(name))
            maps.set(name, {
                sum: new Float64Array(rows * columns),
                count: new Uint32Array(rows * columns),
                order: link.dim * 2 + (link.step < 0),
            });
        const map = maps.get(name),
            cell = link.at[down] * columns + link.at[across];
        map.sum[cell] += loads[i];
        map.count[cell]++;
    });
    return [...maps]
        .sort((a, b) => a[1].order - b[1].order)
        .map(([name, {sum, count}]) => ({
            name,
            rows,
            columns,
            values: sum.map((total, cell) => (count[cell] ? total / count[cell] : NaN)),
        }));
}

function drawPairs(width, network, loads, pair, [low, high]) {
    const maps = pairMaps(network, loads, pair),
        per = width > 900 ? 4 : width > 420 ? 2 : 1;
    const each = Math.floor((width - 16 * (per - 1)) / Math.min(per, maps.length));
    return element(
        "div",
        {},
        element(
            "div",
            {class: "maps"},
            maps.map(map =>
                element(
                    "div",
                    {},
                    element("h4", {}, `links ${map.name}`),
                    heatMap(Math.min(each, 420), {
                        ...map,
                        domain: [low, high],
                        legend: false,
                        valueLabel: BUSY,
                        xLabel: axisName(network, pair[0]),
                        yLabel: axisName(network, pair[1]),
                    }),
                ),
            ),
        ),
        loadScale(low, high, BUSY),
    );
}

function drawPorts(width, network, loads, domain) {
    const values = new Float64Array(network.routers * network.ports).fill(NaN);
    network.links.forEach((link, i) => (values[link.port * network.routers + link.from] = loads[i]));
    return heatMap(width, {
        values,
        rows: network.ports,
        columns: network.routers,
        domain,
        height: 260,
        xLabel: "router",
        yLabel: "port",
        valueLabel: BUSY,
    });
}

function routerTitle(network, links, loads) {
    const out = d3.group(d3.range(network.links.length), i => network.links[i].from);
    return r => {
        const busiest = d3.sort(out.get(r) ?? [], i => -loads[i]).slice(0, 8);
        return (
            busiest.map(i => `${links[i]} ${formatNumber(Number(loads[i].toPrecision(3)))}`).join("   ") ||
            "\u00a0"
        );
    };
}

export function addLinks(view) {
    const {report} = view;
    const points = report.results.flatMap(result => result.loads.map(entry => result.points[entry.point]));
    if (points.length === 0) return;
    addSection(
        "links",
        "Links",
        lazily(() => linkFigures(view, points)),
    );
}

function linkFigures(view, points) {
    const {report} = view,
        networkOf = networksOf(report),
        tableBox = element("div"),
        kept = element("p", {class: "note"});
    let stretched = false,
        pair = [0, 1],
        state = null,
        run = 0;
    const read = point => {
        const result = report.results[point.r],
            loads = loadsOf(result, point),
            known = loads.filter(load => !Number.isNaN(load));
        const [low, high] = stretched ? d3.extent(known) : [0, 1],
            found = networkOf(point.r),
            partial = !isWhole(result, point, found.network, known.length);
        state = {...found, result, loads, known, partial, domain: [low, high > low ? high : low + 1]};
    };
    const shade = i => (state.loads[i] - state.domain[0]) / (state.domain[1] - state.domain[0]);
    const drawing = figure(
        "The network, coloured by utilisation",
        width => {
            const {network, force, domain} = state,
                box = element("div");
            if (state.partial) return "Only some links were kept.";
            const paint = places =>
                box.replaceChildren(
                    drawNetwork(
                        width,
                        network,
                        places,
                        shade,
                        routerTitle(network, state.result.links, state.loads),
                    ),
                    loadScale(domain[0], domain[1], BUSY),
                );
            if (state.places || !force) {
                if (!state.places)
                    return network?.kind === "graph"
                        ? `${network.routers} routers without coordinates are too many to draw.`
                        : "Links without coordinates or peers have no drawing.";
                paint(state.places);
                return box;
            }
            const mine = ++run,
                more = () => {
                    if (mine !== run) return;
                    const busy = force.step(30);
                    paint(force.places());
                    box.dataset.settled = String(!busy);
                    if (busy) setTimeout(more, 0);
                };
            more();
            return box;
        },
        {painted: true, wide: true},
    );
    const maps = figure(
        "Utilisation by coordinates",
        width => {
            const {network, loads, domain} = state;
            return network?.kind === "lattice" && network.size.length > 1
                ? drawPairs(width, network, loads, pair, domain)
                : network?.kind === "ports"
                  ? drawPorts(width, network, loads, domain)
                  : "These links have no coordinates.";
        },
        {painted: true, wide: true},
    );
    const update = point => {
        read(point);
        drawing.update();
        maps.update();
        tableBox.replaceChildren(linkTable(state));
        kept.textContent = keptNote(state);
        for (const [one, shown] of [
            [drawing, !state.partial && state.network && state.network.kind !== "ports"],
            [maps, !state.partial && (state.network?.kind === "ports" || state.network?.size?.length > 1)],
        ])
            one.node.hidden = !shown;
        stretch.hidden = drawing.node.hidden && maps.node.hidden;
    };
    const stretch = check("stretch the colours over the loads here", false, on => {
        stretched = on;
        update(picker.point);
    });
    const picker = pickPoint(view, points, update);
    read(picker.point);
    const size = state.network?.size ?? [],
        pairs = size.flatMap((_, a) => d3.range(a + 1, size.length).map(b => [a, b]));
    update(picker.point);
    return [
        element(
            "div",
            {class: "controls"},
            picker.node,
            stretch,
            pairs.length > 1
                ? choose(
                      "Coordinates",
                      pairs.map(one => one.map(dim => axisName(state.network, dim)).join(", ")),
                      i => {
                          pair = pairs[i];
                          maps.update();
                      },
                  )
                : null,
        ),
        kept,
        drawing.node,
        maps.node,
        tableBox,
    ];
}

function keptNote({partial, known, network}) {
    if (partial)
        return (
            `Only the ${known.length} most loaded links were kept, too few for a drawing; ` +
            "measure: {links: all} keeps every link."
        );
    const most = network?.kind === "graph" ? d3.max(bundleLinks(network), bundle => bundle.links.length) : 1;
    const cables =
        most > 1 ? " Parallel cables are drawn as one, with their number, in the colour of the busiest." : "";
    return `All ${known.length} links, each direction of a cable for itself.${cables}`;
}

function linkTable({result, loads}) {
    const rows = d3.sort(
        d3.range(loads.length).filter(i => !Number.isNaN(loads[i])),
        i => -loads[i],
    );
    return dataTable(
        "Links by load",
        rows.length,
        [
            {name: "link", text: k => result.links[rows[k]], value: k => result.links[rows[k]]},
            {
                name: "utilisation",
                unit: "share of the time busy",
                number: true,
                text: k => loads[rows[k]].toFixed(4),
                value: k => loads[rows[k]],
            },
        ],
        10,
    );
}
