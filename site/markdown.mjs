// SPDX-License-Identifier: Apache-2.0
// One document: HTML by cmark-gfm, headings with anchors as GitHub names them, links as the caller wants them.
import { execFileSync } from "node:child_process";

const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
export const plain = html => html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, e => entities[e]);
export const escape = text => text.replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// GitHub's anchors: small letters, punctuation gone, blanks to dashes, repeated ones numbered.
function anchors() {
    const seen = new Map();
    return text => {
        const base = text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
        const times = seen.get(base) ?? 0;
        seen.set(base, times + 1);
        return times === 0 ? base : `${base}-${times}`;
    };
}

// { title, html, headings: [{level, anchor, text}], sections: [{anchor, heading, text}] };
// `link` is given every target and answers what stands there instead.
export function convert(file, link) {
    let html = execFileSync("cmark-gfm", ["--extension", "table", "--extension", "strikethrough", "--extension", "autolink", file],
        { encoding: "utf8", maxBuffer: 1 << 28 });
    const name = anchors();
    const headings = [];
    html = html.replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level, inner) => {
        const anchor = name(plain(inner));
        headings.push({ level: Number(level), anchor, text: plain(inner) });
        return `<h${level} id="${escape(anchor)}">${inner}<a class="anchor" href="#${escape(anchor)}" aria-label="Link to this heading">#</a></h${level}>`;
    });
    html = html.replace(/(<a href|<img src)="([^"]*)"/g, (_, attribute, target) => `${attribute}="${escape(link(plain(target)))}"`);
    html = html.replaceAll("<table>", '<div class="wide"><table>').replaceAll("</table>", "</table></div>");
    return { title: headings.find(h => h.level === 1)?.text ?? file, html, headings, sections: sections(html) };
}

// What lies between headings, as text.
function sections(html) {
    const found = [];
    for (const part of html.split(/(?=<h[1-3] id=)/)) {
        const head = part.match(/^<h([1-3]) id="([^"]*)">(.*?)<a class="anchor"/s);
        const text = plain(part.replace(/^<h[1-3] id=.*?<\/h[1-3]>/s, "").replace(/<\/(td|th|p|li|pre|h\d)>/g, " ")).replace(/\s+/g, " ").trim();
        // What a table describes, row by row: settings, commands, columns.
        const names = [...part.matchAll(/<tr>\s*<td[^>]*><code>(.*?)<\/code><\/td>/gs)].map(m => plain(m[1]));
        if (head || text)
            found.push({ names, anchor: head && head[1] !== "1" ? plain(head[2]) : "", heading: head && head[1] !== "1" ? plain(head[3]) : "", text });
    }
    return found;
}
