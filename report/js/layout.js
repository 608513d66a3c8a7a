// SPDX-License-Identifier: Apache-2.0
// Where routers stand. Links with coordinates, "(3,4)+x", make a lattice: the first two dimensions are
// a sheet, further ones lay sheets side by side. Links with peers, "leaf1:p24->spine2" (the port need not
// be there), make a graph: in tiers or groups if its names do, else by forces. Everything else has no drawing.
const AXES = "xyzw";

export function readNetwork(names) {
    return readLattice(names) ?? readGraph(names) ?? readPorts(names);
}

export const axisName = (lattice, dim) => (lattice.size.length <= 4 ? AXES[dim] : String(dim));

function readLattice(names) {
    const links = [],
        size = [];
    for (const name of names) {
        const found = /^\((\d{1,6}(?:,\d{1,6})*)\)([+-])([xyzw]|\d{1,2})$/.exec(name);
        if (!found) return null;
        const at = found[1].split(",").map(Number),
            dim = AXES.includes(found[3]) ? AXES.indexOf(found[3]) : Number(found[3]);
        if (dim >= at.length || (size.length && at.length !== size.length)) return null;
        at.forEach((coordinate, d) => (size[d] = Math.max(size[d] ?? 1, coordinate + 1)));
        links.push({at, dim, step: found[2] === "+" ? 1 : -1});
    }
    const routers = size.reduce((product, k) => product * k, 1);
    if (links.length === 0 || links.length < 0.4 * routers * size.length)
        // only some of its links
        return null;
    const number = at => at.reduce((n, coordinate, d) => n * size[d] + coordinate, 0);
    for (const link of links) {
        link.from = number(link.at);
        const next = link.at[link.dim] + link.step,
            k = size[link.dim];
        link.wraps = next < 0 || next >= k;
        link.to = number(link.at.map((coordinate, d) => (d === link.dim ? (next + k) % k : coordinate)));
    }
    return {kind: "lattice", size, routers, links};
}

function readGraph(names) {
    const numbers = new Map(),
        routers = [],
        links = [];
    const number = name => {
        if (!numbers.has(name)) {
            numbers.set(name, routers.length);
            routers.push(name);
        }
        return numbers.get(name);
    };
    for (const name of names) {
        const [from, to, more] = name.split(/\s*(?:->|→)\s*/);
        if (!from || !to || more !== undefined) return null;
        links.push({from: number(from.replace(/:p\d{1,4}$/, "")), to: number(to)});
    }
    return links.length > 10 ? {kind: "graph", routers: routers.length, names: routers, links} : null;
}

function readPorts(names) {
    const links = [];
    for (const name of names) {
        const found = /^r(\d{1,7}):p(\d{1,4})$/.exec(name);
        if (!found) return null;
        links.push({from: Number(found[1]), port: Number(found[2])});
    }
    return links.length > 10
        ? {
              kind: "ports",
              links,
              routers: 1 + d3.max(links, link => link.from),
              ports: 1 + d3.max(links, link => link.port),
          }
        : null;
}

// {x, y, width, height}: places in units of the distance between neighbours.
export function placeLattice({size, routers}) {
    const x = new Float32Array(routers),
        y = new Float32Array(routers);
    if (size.length === 1) {
        const radius = size[0] / (2 * Math.PI) + 0.5;
        for (let r = 0; r < routers; r++) {
            const angle = (2 * Math.PI * r) / routers - Math.PI / 2;
            x[r] = radius * (1 + Math.cos(angle));
            y[r] = radius * (1 + Math.sin(angle));
        }
        return {x, y, width: 2 * radius, height: 2 * radius, sheets: 1};
    }
    const [across, down] = size,
        sheets = routers / (across * down),
        gap = sheets > 1 ? 1.6 : 0;
    const columns =
        size.length === 4
            ? size[2]
            : Math.max(
                  1,
                  Math.min(sheets, Math.round(Math.sqrt((1.8 * sheets * (down + gap)) / (across + gap)))),
              );
    for (let r = 0; r < routers; r++) {
        const sheet = r % sheets,
            inner = Math.floor(r / sheets); // later dimensions count faster
        const place =
            size.length === 4
                ? [Math.floor(sheet / size[3]), sheet % size[3]]
                : [sheet % columns, Math.floor(sheet / columns)];
        x[r] = Math.floor(inner / down) + place[0] * (across + gap);
        y[r] = (inner % down) + place[1] * (down + gap);
    }
    return {x, y, sheets, width: d3.max(x), height: d3.max(y)};
}

// Rows by the letters that names start with ("level 2 switch 5": and the level), if no link stays within a
// row; null otherwise.
export function placeTiers({names, links}) {
    const tier = name => /^(?:level \d+|[^\d]*)/.exec(name)[0],
        tiers = [...new Set(names.map(tier))];
    if (
        tiers.length < 2 ||
        tiers.length > 6 ||
        links.some(link => tier(names[link.from]) === tier(names[link.to]))
    )
        return null;
    const rows = tiers
        .map(text => d3.range(names.length).filter(r => tier(names[r]) === text))
        .sort((a, b) => a.length - b.length);
    const widest = rows.at(-1).length,
        x = new Float32Array(names.length),
        y = new Float32Array(names.length);
    const height = Math.max(2, widest * 0.4);
    rows.forEach((row, level) =>
        row.forEach((r, i) => {
            x[r] = ((i + 0.5) * widest) / row.length;
            y[r] = (level * height) / (rows.length - 1);
        }),
    );
    return {x, y, width: widest, height};
}

// "group 2 router 5": groups on a circle, the routers of each on a smaller one; null if names are others.
export function placeGroups({names}) {
    const found = names.map(name => /^group (\d+) router (\d+)$/.exec(name));
    if (found.some(one => !one)) return null;
    const groups = 1 + d3.max(found, one => Number(one[1])),
        routers = 1 + d3.max(found, one => Number(one[2]));
    const small = Math.max(0.5, routers / (2 * Math.PI)),
        large = Math.max(2 * small, (groups * 2.8 * small) / (2 * Math.PI)),
        middle = large + small;
    const on = (i, count, radius, turn) => [
        radius * Math.cos((2 * Math.PI * i) / count + turn),
        radius * Math.sin((2 * Math.PI * i) / count + turn),
    ];
    const places = found.map(([, g, r]) => {
        const [gx, gy] = on(Number(g), groups, large, -Math.PI / 2),
            [rx, ry] = on(Number(r), routers, small, (2 * Math.PI * Number(g)) / groups);
        return [middle + gx + rx, middle + gy + ry];
    });
    return {
        x: Float32Array.from(places, ([x]) => x),
        y: Float32Array.from(places, ([, y]) => y),
        width: 2 * middle,
        height: 2 * middle,
    };
}

// Forces, a little at a time: step() works for some milliseconds and says whether there is more.
export function forceLayout({routers, links}) {
    const nodes = Array.from({length: routers}, (_, index) => ({index}));
    const pairs = d3
        .groups(links, link => Math.min(link.from, link.to) * routers + Math.max(link.from, link.to))
        .map(([, [link]]) => ({source: link.from, target: link.to}));
    const simulation = d3
        .forceSimulation(nodes)
        .stop()
        .alphaDecay(0.035)
        .force("link", d3.forceLink(pairs).distance(1.2).iterations(1))
        .force("charge", d3.forceManyBody().strength(-1.2).theta(1.1))
        .force("x", d3.forceX().strength(0.02))
        .force("y", d3.forceY().strength(0.02));
    for (const node of nodes) {
        // the default start is a spiral of ten units a node
        node.x *= 0.08;
        node.y *= 0.08;
    }
    const places = () => {
        const left = d3.min(nodes, node => node.x),
            top = d3.min(nodes, node => node.y);
        return {
            x: Float32Array.from(nodes, node => node.x - left),
            y: Float32Array.from(nodes, node => node.y - top),
            width: d3.max(nodes, node => node.x) - left,
            height: d3.max(nodes, node => node.y) - top,
        };
    };
    const step = milliseconds => {
        const end = performance.now() + milliseconds;
        do simulation.tick();
        while (performance.now() < end && simulation.alpha() > 0.01);
        return simulation.alpha() > 0.01;
    };
    return {places, step};
}
