// SPDX-License-Identifier: Apache-2.0
// Where routers stand. Links with coordinates, "(3,4)+x", make a lattice: the first two dimensions are
// a sheet, further ones lay sheets side by side. Links with peers, "leaf1:p24->spine2" (the port need not
// be there), make a graph: at its coordinates, in levels or in groups if its names say so, else by forces.
// Places are {x, y, width, height, labels: [{x, y, text, side}], name: router → text, bends}.
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
    if (links.length === 0) return null;
    const number = at => at.reduce((n, coordinate, d) => n * size[d] + coordinate, 0);
    for (const link of links) {
        link.from = number(link.at);
        const next = link.at[link.dim] + link.step,
            k = size[link.dim];
        link.wraps = k > 2 && (next < 0 || next >= k);
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
    return links.length ? {kind: "graph", routers: routers.length, names: routers, links} : null;
}

// Has every link one that leads back? Of a few links of a large network, hardly.
export function isClosed({links, routers}) {
    const known = new Set(links.map(link => link.from * routers + link.to));
    return links.every(link => known.has(link.to * routers + link.from));
}

// Links from one router to another are drawn as one: [{from, to, links: [numbers]}].
export function bundleLinks({links, routers}) {
    return d3
        .groups(d3.range(links.length), i => links[i].from * routers + links[i].to)
        .map(([, numbers]) => ({...links[numbers[0]], links: numbers}));
}

function readPorts(names) {
    const links = [];
    for (const name of names) {
        const found = /^r(\d{1,7}):p(\d{1,4})$/.exec(name);
        if (!found) return null;
        links.push({from: Number(found[1]), port: Number(found[2])});
    }
    return links.length
        ? {
              kind: "ports",
              links,
              routers: 1 + d3.max(links, link => link.from),
              ports: 1 + d3.max(links, link => link.port),
          }
        : null;
}

// Routers of a lattice, in units of the distance between neighbours.
export function placeLattice({size, routers}) {
    const x = new Float32Array(routers),
        y = new Float32Array(routers);
    if (size.length === 1) return placeRing(size[0]);
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
    const corner = sheet => {
        const place =
            size.length === 4
                ? [Math.floor(sheet / size[3]), sheet % size[3]]
                : [sheet % columns, Math.floor(sheet / columns)];
        return [place[0] * (across + gap), place[1] * (down + gap)];
    };
    for (let r = 0; r < routers; r++) {
        const inner = Math.floor(r / sheets), // later dimensions count faster
            [left, top] = corner(r % sheets);
        x[r] = Math.floor(inner / down) + left;
        y[r] = (inner % down) + top;
    }
    return {x, y, sheets, width: d3.max(x), height: d3.max(y), labels: latticeLabels(size, sheets, corner)};
}

// Coordinates at the edges of the first sheet; above each further one, those of the later dimensions.
function latticeLabels(size, sheets, corner) {
    const name = dim => axisName({size}, dim);
    const every = k => d3.range(0, k, Math.ceil(k / 16));
    const labels = [
        ...every(size[0]).map(i => ({x: i, y: 0, text: i ? String(i) : `${name(0)} = 0`, side: "above"})),
        ...every(size[1]).map(i => ({x: 0, y: i, text: i ? String(i) : `${name(1)} = 0`, side: "left"})),
    ];
    if (sheets < 2 || sheets > 64) return labels;
    const later = size.slice(2);
    const place = sheet => {
        let rest = sheet;
        return later
            .map((k, d) => [name(d + 2), k])
            .reverse()
            .map(([axis, k]) => {
                const at = rest % k;
                rest = Math.floor(rest / k);
                return `${axis} = ${at}`;
            })
            .reverse()
            .join(", ");
    };
    return [
        ...labels,
        ...d3.range(sheets).map(sheet => {
            const [left, top] = corner(sheet);
            return {x: left + (size[0] - 1) / 2, y: top + size[1] - 1, text: place(sheet), side: "below"};
        }),
    ];
}

function placeRing(k) {
    const radius = k / (2 * Math.PI) + 0.5,
        on = d3.range(k).map(r => (2 * Math.PI * r) / k - Math.PI / 2);
    return {
        x: Float32Array.from(on, angle => radius * (1 + Math.cos(angle))),
        y: Float32Array.from(on, angle => radius * (1 + Math.sin(angle))),
        width: 2 * radius,
        height: 2 * radius,
        sheets: 1,
        labels: [],
        name: k <= 64 ? r => String(r) : undefined,
    };
}

// "(3,4)": all routers of a line are joined, so links that pass others are bent; null if names are others.
export function placeCoordinates({names}) {
    const at = names.map(name => /^\((\d{1,6}(?:,\d{1,6})*)\)$/.exec(name)?.[1].split(",").map(Number));
    if (at.some(one => !one || one.length !== at[0].length)) return null;
    const size = at[0].map((_, d) => 1 + d3.max(at, one => one[d]));
    const all = placeLattice({size, routers: size.reduce((product, k) => product * k, 1)});
    const number = one => one.reduce((n, coordinate, d) => n * size[d] + coordinate, 0);
    return {
        ...all,
        x: Float32Array.from(at, one => all.x[number(one)]),
        y: Float32Array.from(at, one => all.y[number(one)]),
        bends: true,
    };
}

// The row of a router: "level 2" or "stage 1" with their numbers, else the letters that a name starts with.
const tierOf = name => /^(?:(?:level|stage) \d+|[^\d]*)/.exec(name)[0].trim();

// Rows from the roots or the first stage down: by level, or each below one that it has links to, the smallest first.
function orderRows(tiers, rows, links, row) {
    const level = tiers.map(text => Number(/(\d+)$/.exec(text)?.[1] ?? NaN));
    const down = /^stage/.test(tiers[0]) ? 1 : -1;
    if (level.every(Number.isFinite)) return d3.sort(d3.range(tiers.length), t => down * level[t]);
    const joined = new Set(links.map(link => row[link.from] * tiers.length + row[link.to]));
    const left = d3.sort(d3.range(tiers.length), t => rows[t].length),
        order = [left.shift()];
    while (left.length) {
        const next = left.findIndex(t => joined.has(t * tiers.length + order.at(-1)));
        order.push(...left.splice(Math.max(0, next), 1));
    }
    return order;
}

// Rows by names, if no link stays within a row; null otherwise.
export function placeTiers({names, links}) {
    const tiers = [...new Set(names.map(tierOf))],
        row = names.map(name => tiers.indexOf(tierOf(name)));
    if (tiers.length < 2 || tiers.length > 12 || links.some(link => row[link.from] === row[link.to])) return null;
    const rest = r => names[r].slice(tiers[row[r]].length).replace(/^\D+/, "") || names[r];
    const naturally = new Intl.Collator("en", {numeric: true}).compare;
    const rows = tiers.map((_, t) =>
        d3.range(names.length).filter(r => row[r] === t).sort((a, b) => naturally(names[a], names[b])),
    );
    const order = orderRows(tiers, rows, links, row),
        widest = d3.max(rows, list => list.length),
        x = new Float32Array(names.length),
        y = new Float32Array(names.length),
        height = Math.max(1.6, widest * 0.22) * (order.length - 1);
    order.forEach((t, level) =>
        rows[t].forEach((r, i) => {
            x[r] = ((i + 0.5) * widest) / rows[t].length - 0.5;
            y[r] = (level * height) / (order.length - 1);
        }),
    );
    const labels = order.map((t, level) => ({
        x: 0,
        y: (level * height) / (order.length - 1),
        text: `${tiers[t]} (${rows[t].length})`,
        side: "left",
    }));
    return {
        x,
        y,
        width: widest - 1,
        height,
        labels,
        name: r => names[r],
        shortName: rest,
        room: r => widest / rows[row[r]].length,
    };
}

// Every router joined to every other one: a ring.
export function placeComplete({names, routers, links}) {
    const pairs = new Set(links.map(link => link.from * routers + link.to)).size;
    if (routers > 64 || pairs !== routers * (routers - 1)) return null;
    return {...placeRing(routers), name: r => names[r]};
}

// "group 2 router 5", "pod1-leaf3": groups on a circle, the routers of each on a smaller one; null if
// names are others.
export function placeGroups({names}) {
    const found = names.map(name => /^(.+) router (\d+)$/.exec(name) ?? /^([^\d]*\d+)[^\d]+(\d+)$/.exec(name));
    if (found.some(one => !one)) return null;
    const names1 = [...new Set(found.map(one => one[1]))];
    const groups = names1.length,
        routers = d3.max(d3.rollup(found, list => list.length, one => one[1]).values());
    if (groups < 2 || routers < 2 || groups > 400) return null;
    const small = Math.max(0.6, routers / (2 * Math.PI)),
        large = Math.max(2.4 * small, (groups * 3 * small) / (2 * Math.PI)),
        middle = large + small;
    const on = (i, count, radius, turn) => [
        radius * Math.cos((2 * Math.PI * i) / count + turn),
        radius * Math.sin((2 * Math.PI * i) / count + turn),
    ];
    const seen = new Map();
    const places = found.map(([, g]) => {
        const k = names1.indexOf(g),
            i = seen.get(g) ?? 0;
        seen.set(g, i + 1);
        const [gx, gy] = on(k, groups, large, -Math.PI / 2),
            [rx, ry] = on(i, routers, small, (2 * Math.PI * k) / groups - Math.PI / 2);
        return [middle + gx + rx, middle + gy + ry];
    });
    const labels = names1.map((text, k) => {
        const [gx, gy] = on(k, groups, large, -Math.PI / 2);
        return {x: middle + gx, y: middle + gy, text: groups > 40 ? text.replace(/\D+/g, "") : text, side: "middle"};
    });
    return {
        x: Float32Array.from(places, ([x]) => x),
        y: Float32Array.from(places, ([, y]) => y),
        width: 2 * middle,
        height: 2 * middle,
        labels: groups <= 100 && small > 0.5 ? labels : [],
        shortName: r => found[r][2],
    };
}

// Forces, a little at a time: step() works for some milliseconds and says whether there is more.
export function forceLayout({routers, links, names}) {
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
            labels: [],
            name: routers <= 64 ? r => names[r] : undefined,
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
