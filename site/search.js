/* SPDX-License-Identifier: Apache-2.0 */
// Search over the sections of all pages, without a server: search-index.js holds them.
"use strict";
(() => {
    const root = document.body.dataset.root;
    const query = document.getElementById("query");
    const found = document.getElementById("found");
    const most = 15;

    // Words of a text, as the index has them: letters and digits, small.
    const words = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];

    // A word of the query counts where a word of the section begins with it; whole words and words of
    // titles and of settings count more. A page's title counts for its beginning, little for its sections.
    // Every word of the query must be found.
    const rank = (section, asked, phrase) => {
        let sum = 0;
        for (const word of asked) {
            let best = 0;
            for (const [list, weight] of [[section.inTitle, section.heading ? 2 : 8], [section.inHeading, 6], [section.inNames, 4], [section.inText, 1]])
                for (const one of list)
                    if (one.startsWith(word)) best = Math.max(best, one === word ? weight * 2 : weight);
            if (best === 0) return 0;
            sum += best;
        }
        // The place where a setting of this name is described comes first.
        return section.names.includes(phrase) || section.heading.toLowerCase() === phrase ? sum + 12 : sum;
    };

    let sections;
    const open = () => {
        if (!sections)
            sections = window.weftSearchIndex.map(([page, title, anchor, heading, text, names]) => ({
                page, title, anchor, heading, text, names: names.map(name => name.toLowerCase()), inNames: words(names.join(" ")),
                inTitle: words(title), inHeading: words(heading), inText: [...new Set(words(text))],
            }));
    };

    // A piece of the text round the first word asked for, the words marked.
    const excerpt = (text, asked) => {
        const small = text.toLowerCase();
        const hits = asked.map(w => small.indexOf(w)).filter(i => i >= 0);
        const at = hits.length ? Math.max(0, Math.min(...hits) - 60) : 0;
        const piece = (at > 0 ? "… " : "") + text.slice(at, at + 190) + (at + 190 < text.length ? " …" : "");
        const line = document.createElement("small");
        let rest = piece;
        for (;;) {
            const next = asked.map(w => [rest.toLowerCase().indexOf(w), w.length]).filter(([i]) => i >= 0);
            if (next.length === 0) break;
            const [i, length] = next.sort((a, b) => a[0] - b[0] || b[1] - a[1])[0];
            const mark = document.createElement("mark");
            mark.textContent = rest.slice(i, i + length);
            line.append(rest.slice(0, i), mark);
            rest = rest.slice(i + length);
        }
        line.append(rest);
        return line;
    };

    const show = () => {
        open();
        const asked = words(query.value);
        found.replaceChildren();
        found.hidden = asked.length === 0;
        if (found.hidden) return;
        const best = sections.map(section => [rank(section, asked, query.value.trim().toLowerCase()), section]).filter(([score]) => score > 0)
            .sort((a, b) => b[0] - a[0]).slice(0, most);
        for (const [, section] of best) {
            const item = document.createElement("li");
            const link = document.createElement("a");
            link.href = root + section.page + (section.anchor ? "#" + section.anchor : "");
            const name = document.createElement("b");
            name.textContent = section.heading ? `${section.title}: ${section.heading}` : section.title;
            link.append(name, excerpt(section.text, asked));
            item.append(link);
            found.append(item);
        }
        if (best.length === 0) {
            const item = document.createElement("li");
            item.className = "none";
            item.textContent = "Nothing found. Fewer or shorter words may help.";
            found.append(item);
        }
    };
    query.addEventListener("input", show);
    query.addEventListener("focus", show);
    // Arrows walk through what was found, Escape leaves, / begins.
    document.addEventListener("keydown", event => {
        const links = [...found.querySelectorAll("a")];
        const at = links.indexOf(document.activeElement);
        if (event.key === "/" && document.activeElement !== query) {
            event.preventDefault();
            query.focus();
        } else if (event.key === "Escape") {
            found.hidden = true;
        } else if (event.key === "ArrowDown" && links.length && (at >= 0 || document.activeElement === query)) {
            event.preventDefault();
            links[Math.min(at + 1, links.length - 1)].focus();
        } else if (event.key === "ArrowUp" && at >= 0) {
            event.preventDefault();
            (at === 0 ? query : links[at - 1]).focus();
        } else if (event.key === "Enter" && document.activeElement === query && links.length) {
            location.href = links[0].href;
        }
    });
    // The page's own entry is in sight, however long the list of pages is.
    const entry = document.querySelector("nav [aria-current]");
    if (entry) {
        const list = entry.closest("nav");
        list.scrollTop += entry.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
    }
    document.documentElement.dataset.ready = "yes";
    document.addEventListener("click", event => {
        if (!event.target.closest(".search") || event.target.closest("#found a")) found.hidden = true;
    });
})();
