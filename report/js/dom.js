// SPDX-License-Identifier: Apache-2.0
// Elements. Text always goes in as text: nothing here or elsewhere parses markup.

// element("button", {class: "x", onclick: f}, "text", child, …)
export function element(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter(child => child !== null && child !== undefined));
    return node;
}

// A titled part of the page with a line in the contents.
export function addSection(id, title, ...children) {
    document.getElementById("contents").append(element("a", {href: `#${id}`}, title));
    const section = element(
        "section",
        {id, "aria-labelledby": `${id}-title`},
        element("h2", {id: `${id}-title`}, title),
        ...children,
    );
    document.getElementById("content").append(section);
    return section;
}

export function download(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], {type}));
    const link = element("a", {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// A name for a file, from a title of any characters.
export function fileName(text, ending) {
    const plain = text
        .replace(/[^\w.-]+/g, "-")
        .replace(/^[-.]+|-+$/g, "")
        .slice(0, 60);
    return `${plain || "report"}${ending}`;
}

// No more digits than the interval supports; five where there is none.
export function formatNumber(value, lo = NaN, hi = NaN) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const half = (hi - lo) / 2,
        size = Math.abs(value);
    if (half > 0 && size < 1e15 && size >= 1e-4) {
        const digits = Math.max(
            0,
            Math.min(12, -Math.floor(Math.log10(half)) + (leading(half) < 1.95 ? 1 : 0)),
        );
        return value.toFixed(digits);
    }
    if (Number.isInteger(value) && size < 1e15)
        return size >= 1e5 ? value.toLocaleString("en").replaceAll(",", "\u202f") : String(value);
    return String(Number(value.toPrecision(5)));
}

function leading(value) {
    return value / 10 ** Math.floor(Math.log10(value));
}

// Units and names from files may be of any length; axes have little room.
export function shortened(text, most = 40) {
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// 1, 2, 5, 10, 20 … between two positive numbers; fewer where that are many.
export function logTicks([low, high]) {
    const steps = high / low > 1e4 ? [1] : high / low > 300 ? [1, 3] : [1, 2, 5],
        ticks = [];
    const decades = Math.max(1, Math.ceil(Math.log10(high / low) / 8));
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10 ** decades)
        ticks.push(
            ...steps.map(step => step * power).filter(tick => tick >= low * 0.999 && tick <= high * 1.001),
        );
    return ticks;
}

export function tickText(value) {
    return Math.abs(value) >= 1e5 ? d3.format("~s")(value) : formatNumber(value);
}

// "99.9 %" for 99900.
export function percentileName(index) {
    return `${index / 1000} %`;
}

export function debounce(act, milliseconds) {
    let timer = 0;
    return (...args) => {
        clearTimeout(timer);
        timer = setTimeout(() => act(...args), milliseconds);
    };
}
