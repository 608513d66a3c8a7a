// SPDX-License-Identifier: Apache-2.0
// A table that sorts, filters and turns pages; rows are numbers 0 … count − 1, of which only one page
// at a time has elements.
import {element, debounce, download, fileName} from "./dom.js";
import {csvText, csvNumber} from "./data.js";

// columns: [{name, unit, text: i → text, value: i → number or text to sort by, number: bool, mark: i → class}]
export function dataTable(title, count, columns, perPage = 25) {
    let order = Uint32Array.from({length: count}, (_, i) => i),
        page = 0,
        sorted = -1,
        rising = true,
        words = [];
    const body = element("tbody"),
        status = element("span", {role: "status"});
    const headers = columns.map((column, c) =>
        element(
            "th",
            {scope: "col", class: column.number ? "number" : null},
            element(
                "button",
                {type: "button", onclick: () => sortBy(c)},
                column.name,
                column.unit ? element("small", {}, ` ${column.unit}`) : null,
            ),
        ),
    );
    const previous = element(
        "button",
        {type: "button", onclick: () => turn(-1), "aria-label": "Previous page"},
        "‹",
    );
    const next = element("button", {type: "button", onclick: () => turn(1), "aria-label": "Next page"}, "›");
    const filter = element("input", {
        type: "search",
        placeholder: "Filter",
        "aria-label": `Filter ${title}`,
        oninput: debounce(() => {
            words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
            arrange();
        }, 150),
    });

    function matches(i) {
        if (words.length === 0) return true;
        const text = columns
            .map(column => column.text(i))
            .join("\n")
            .toLowerCase();
        return words.every(word => text.includes(word));
    }
    function arrange() {
        const rows = [];
        for (let i = 0; i < count; i++) if (matches(i)) rows.push(i);
        if (sorted >= 0) {
            const keys = new Map(rows.map(i => [i, columns[sorted].value(i)]));
            const sign = rising ? 1 : -1;
            rows.sort((a, b) => sign * inOrder(keys.get(a), keys.get(b)) || a - b);
        }
        order = Uint32Array.from(rows);
        page = 0;
        show();
    }
    function sortBy(c) {
        rising = sorted === c ? !rising : true;
        sorted = c;
        headers.forEach((header, h) =>
            h === c
                ? header.setAttribute("aria-sort", rising ? "ascending" : "descending")
                : header.removeAttribute("aria-sort"),
        );
        arrange();
    }
    function turn(by) {
        page += by;
        show();
    }
    function show() {
        const from = page * perPage,
            rows = order.subarray(from, from + perPage);
        body.replaceChildren(
            ...Array.from(rows, i =>
                element(
                    "tr",
                    {},
                    columns.map(column =>
                        element(
                            "td",
                            {
                                class:
                                    [column.number ? "number" : "", column.mark?.(i) ?? ""]
                                        .join(" ")
                                        .trim() || null,
                            },
                            column.text(i),
                        ),
                    ),
                ),
            ),
        );
        const found = order.length === count ? "" : ` of ${count}`;
        status.textContent =
            order.length === 0
                ? `no rows${found}`
                : `${from + 1}–${from + rows.length} of ${order.length}${order.length === count ? "" : " found"}`;
        previous.disabled = page === 0;
        next.disabled = from + perPage >= order.length;
    }
    function save() {
        const lines = [
            columns.map(column => csvText(column.unit ? `${column.name} (${column.unit})` : column.name)),
        ];
        for (const i of order)
            lines.push(
                columns.map(column =>
                    column.number ? csvNumber(Number(column.value(i) ?? NaN)) : csvText(column.text(i)),
                ),
            );
        download(fileName(title, ".csv"), "text/csv", lines.map(line => line.join(",")).join("\n") + "\n");
    }
    show();
    return element(
        "div",
        {class: "table"},
        element(
            "div",
            {class: "controls"},
            count > perPage ? filter : null,
            status,
            count > perPage ? [previous, next] : null,
            element(
                "button",
                {type: "button", class: "quiet", onclick: save, "aria-label": `Download ${title} as CSV`},
                "CSV",
            ),
        ),
        element(
            "div",
            {class: "scroll", tabindex: 0, role: "region", "aria-label": title},
            element("table", {}, element("thead", {}, element("tr", {}, headers)), body),
        ),
    );
}

// Numbers before texts, what is missing last.
function inOrder(a, b) {
    const missing = value => value === undefined || value === null || Number.isNaN(value) || value === "";
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", {numeric: true});
}
