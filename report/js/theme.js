// SPDX-License-Identifier: Apache-2.0
// Light and dark, colours and marks. Colours of curves are CSS variables (report.css), so that a change
// of theme and printing need no new drawing; what is painted pixel by pixel asks for them again.
import {element} from "./dom.js";

export const palette = Array.from({length: 8}, (_, i) => `var(--curve-${i + 1})`);

// A symbol of d3 for a regular polygon whose first corner points up, or down.
function polygon(corners, direction) {
    return {
        draw(context, size) {
            const radius = Math.sqrt((2 * size) / (corners * Math.sin((2 * Math.PI) / corners)));
            for (let i = 0; i < corners; i++) {
                const angle = (2 * Math.PI * i) / corners;
                const x = radius * Math.sin(angle),
                    y = direction * radius * Math.cos(angle);
                if (i) context.lineTo(x, y);
                else context.moveTo(x, y);
            }
            context.closePath();
        },
    };
}
const UP = -1,
    DOWN = 1;

// In the order of pictures (src/report/figure/plot.c).
const marks = [
    d3.symbolCircle,
    d3.symbolSquare,
    polygon(3, UP),
    d3.symbolDiamond,
    polygon(5, UP),
    polygon(3, DOWN),
];
const themeListeners = [];

export function curveColour(curve) {
    return palette[curve % palette.length];
}

// Colour and mark together repeat after 48 curves.
export function curveMark(curve) {
    const {length} = palette;
    return marks[((curve % length) + Math.floor(curve / length)) % marks.length];
}

export function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// How much a link carries: the more, the further from the paper.
export function loadColour(t) {
    return isDark() ? d3.interpolateInferno(0.18 + 0.82 * t) : d3.interpolateYlOrRd(0.08 + 0.92 * t);
}

// The colour that a CSS variable stands for now.
export function resolved(variable) {
    return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

export function onTheme(act) {
    themeListeners.push(act);
}

export function themeButton() {
    const button = element("button", {
        type: "button",
        id: "theme",
        onclick: () => {
            document.documentElement.dataset.theme = isDark() ? "light" : "dark";
            changed();
        },
    });
    const changed = () => {
        button.textContent = isDark() ? "Light" : "Dark";
        button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
        themeListeners.forEach(act => act());
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
    changed();
    return button;
}
