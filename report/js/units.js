// SPDX-License-Identifier: Apache-2.0
// Results keep times as whole ticks; people see cycles, or ns, µs, ms, s: one of them for an axis or a
// column, in which its greatest value has few digits.

const NS = {ps: 1e-3, ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9};
const BYTES = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, kB: 1e3, MB: 1e6, GB: 1e9};
const STEPS = [
    ["ns", 1, 1e4],
    ["µs", 1e3, 1e7],
    ["ms", 1e6, 1e10],
    ["s", 1e9, Infinity],
];

// {name, tick}: the unit in which a value of this unit is compared with others, and how much of it one is.
export function timeUnit(unit) {
    const ps = /^ticks of ([\d.e+-]+) ps$/.exec(unit),
        part = /^ticks of 1\/(\d+) cycle$/.exec(unit);
    if (ps) return {name: "ns", tick: Number(ps[1]) / 1000};
    if (part) return {name: "cycles", tick: 1 / Number(part[1])};
    return NS[unit] ? {name: "ns", tick: NS[unit]} : {name: unit, tick: 1};
}

// {name, factor}: the unit of an axis whose values in `unit` are at most `most`.
export function axisUnit(unit, most) {
    if (unit !== "ns") return {name: unit, factor: 1};
    const [name, size] = STEPS.find(([, , end]) => !(Math.abs(most) >= end));
    return {name, factor: 1 / size};
}

// " (ns)" behind the name of an axis; shares have no unit.
export const inBrackets = unit => (unit && unit !== "fraction" ? ` (${unit})` : "");

// "16 KiB" → {value, unit}: bytes and ns where units differ in size alone; null if it is no quantity.
export function readQuantity(text) {
    const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\S*)$/i.exec(text);
    if (!found) return null;
    const value = Number(found[1]),
        unit = found[2];
    if (unit === "%") return {value: value / 100, unit: ""};
    if (NS[unit]) return {value: value * NS[unit], unit: "ns"};
    if (BYTES[unit]) return {value: value * BYTES[unit], unit: "B"};
    return {value, unit};
}

// An array whose x are times.
export function inTime(array) {
    const {name, tick} = timeUnit(array.unit);
    return {...array, x: array.x.map(x => x * tick), y: array.y, unit: name, tick};
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
