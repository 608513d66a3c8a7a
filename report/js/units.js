// SPDX-License-Identifier: Apache-2.0
// Results keep times as whole ticks; people see nanoseconds or cycles, as the metrics do.

// {name, tick}: the unit that is shown, and how much of it a tick is.
export function timeUnit(unit) {
    const ps = /^ticks of ([\d.e+-]+) ps$/.exec(unit),
        part = /^ticks of 1\/(\d+) cycle$/.exec(unit);
    if (ps) return {name: "ns", tick: Number(ps[1]) / 1000};
    return part ? {name: "cycles", tick: 1 / Number(part[1])} : {name: unit, tick: 1};
}

// An array whose x are times.
export function inTime(array) {
    const {name, tick} = timeUnit(array.unit);
    return {...array, x: array.x.map(x => x * tick), y: array.y, unit: name, tick};
}

// The same in a unit in which the last x has few digits, as on an axis of time.
export function inReadableTime(array) {
    const shown = inTime(array),
        last = shown.x[shown.count - 1] ?? 0,
        [name, factor] = shown.unit !== "ns" || last < 2e4 ? [shown.unit, 1] : last < 2e7 ? ["µs", 1e-3] : ["ms", 1e-6];
    return {...shown, x: shown.x.map(x => x * factor), time: name};
}

// A matrix of what was counted over a span of ticks: shares of the time and means over it, where it is that.
// {values, label}
export function overTime(array, name) {
    const span = /^(?:(.*?)( × )?ticks|(.*)) in (\d+) ticks$/.exec(array.unit);
    if (!span) return {values: array.y, label: array.unit === array.name ? name : `${name} (${array.unit})`};
    const [, what, , counted, ticks] = span,
        per = Number(ticks) || 1;
    if (counted !== undefined) return {values: array.y, label: `${name} (${counted})`};
    return {
        values: array.y.map(value => value / per),
        label: what ? `${name} (mean number of ${what})` : `${name} (share of the time)`,
    };
}

// What is counted over a span has a row for every router, and a column for every port or VC of it.
export const matrixAxes = array =>
    / in \d+ ticks$/.test(array.unit)
        ? {xLabel: "port (or VC)", yLabel: "router"}
        : {xLabel: "column", yLabel: "row"};
