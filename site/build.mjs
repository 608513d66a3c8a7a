// SPDX-License-Identifier: Apache-2.0
// The documentation as a folder of static pages with search: node site/build.mjs FOLDER.
// Starts at README.md and docs/, follows links to other files of the repository, and checks every link.
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { convert, escape } from "./markdown.mjs";
import { shelve } from "./navigation.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const repository = path.dirname(here);
const folder = path.resolve(process.argv[2] ?? path.join(repository, "build", "site"));
const problems = [];
const documents = new Map(); // path in the repository → what convert() made
const files = new Set();     // copied as they are
const links = [];            // {from, to, anchor}

// Where a document's page lies in the folder.
const page = name => (name === "README.md" ? "index.html" : name.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));

// A link of `from`: pages stay pages, files are copied, a folder is its README or a list of its files.
function resolve(from, target, found) {
    if (/^(https?|mailto):/.test(target)) return target;
    const [name, anchor] = target.split("#");
    let to = name === "" ? from : path.posix.normalize(path.posix.join(path.posix.dirname(from), decodeURI(name))).replace(/\/$/, "");
    if (to.startsWith("..") || !fs.existsSync(path.join(repository, to))) {
        problems.push(`${from}: link to ${target}, which is not there`);
        return target;
    }
    if (fs.statSync(path.join(repository, to)).isDirectory()) {
        if (!fs.existsSync(path.join(repository, to, "README.md"))) {
            for (const entry of fs.readdirSync(path.join(repository, to), { withFileTypes: true }))
                if (entry.isFile()) files.add(path.posix.join(to, entry.name));
            files.add(to + "/");
            return path.posix.relative(path.posix.dirname(page(from)), to + "/index.html");
        }
        to = path.posix.join(to, "README.md");
    }
    if (to.endsWith(".md")) {
        found.push(to);
        links.push({ from, to, anchor });
    } else {
        files.add(to);
    }
    const relative = path.posix.relative(path.posix.dirname(page(from)), to.endsWith(".md") ? page(to) : to);
    return relative + (anchor ? "#" + anchor : "");
}

function markdown(start) {
    return fs.readdirSync(path.join(repository, start), { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile() && entry.name.endsWith(".md"))
        .map(entry => path.posix.join(path.relative(repository, entry.parentPath ?? entry.path), entry.name));
}

const open = ["README.md", "CHANGELOG.md", ...markdown("docs").sort()];
while (open.length > 0) {
    const name = open.shift();
    if (documents.has(name)) continue;
    documents.set(name, convert(path.join(repository, name), target => resolve(name, target, open)));
}
for (const { from, to, anchor } of links)
    if (anchor && !documents.get(to).headings.some(h => h.anchor === decodeURI(anchor)))
        problems.push(`${from}: link to ${to}#${anchor}, which has no such heading`);

// The pages.
const template = fs.readFileSync(path.join(here, "page.html"), "utf8");
const version = fs.readFileSync(path.join(repository, "CMakeLists.txt"), "utf8").match(/VERSION\s+(\d+\.\d+\.\d+)/)?.[1] ?? "";
const shelved = shelve(documents);
const order = shelved.flatMap(shelf => shelf.paths);
function write(name, text) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
}
function render(at, document, steps) {
    const root = path.posix.relative(path.posix.dirname(at), "") || ".";
    const to = target => escape(path.posix.relative(path.posix.dirname(at), target));
    const navigation = shelved.map(shelf => `<h2>${escape(shelf.name)}</h2>\n<ul>\n` + shelf.paths.map(name =>
        `<li><a href="${to(page(name))}"${page(name) === at ? ' aria-current="page"' : ""}>${escape(documents.get(name).title)}</a></li>`).join("\n") + "\n</ul>").join("\n");
    const inside = document.headings.filter(h => h.level === 2);
    const sections = inside.length < 2 ? "" : "<ul>\n" + inside.map(h => `<li><a href="#${escape(h.anchor)}">${escape(h.text)}</a></li>`).join("\n") + "\n</ul>";
    const values = {
        TITLE: escape(document.title), ROOT: root + "/", NAVIGATION: navigation, CONTENT: document.html, SECTIONS: sections, VERSION: version,
        STEPS: steps.length === 0 ? "" : '<div class="steps">' + steps.map(([word, name]) =>
            `<a href="${to(page(name))}">${word} ${escape(documents.get(name).title)}</a>`).join("") + "</div>",
    };
    write(at, template.replace(/@([A-Z]+)@/g, (_, key) => values[key]));
}
fs.rmSync(folder, { recursive: true, force: true });
for (const [name, document] of documents) {
    const i = order.indexOf(name);
    const steps = i < 0 ? [] : [["←", order[i - 1]], ["→", order[i + 1]]].filter(([, other]) => other);
    render(page(name), document, steps);
}
for (const name of files) {
    if (!name.endsWith("/")) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.copyFileSync(path.join(repository, name), path.join(folder, name));
        continue;
    }
    const entries = fs.readdirSync(path.join(repository, name), { withFileTypes: true }).filter(e => e.isFile()).map(e => e.name).sort();
    render(name + "index.html", { title: name, headings: [], html: `<h1>${escape(name)}</h1>\n<ul>` +
        entries.map(e => `<li><a href="${escape(encodeURI(e))}">${escape(e)}</a></li>`).join("") + "</ul>" }, []);
}
const index = [...documents].flatMap(([name, document]) => document.sections.map(s => [page(name), document.title, s.anchor, s.heading, s.text, s.names]));
write("search-index.js", "window.weftSearchIndex = " + JSON.stringify(index).replaceAll("</", "<\\/") + ";\n");
for (const name of ["site.css", "search.js"]) fs.copyFileSync(path.join(here, name), path.join(folder, name));

// Every link of every page once more, as a browser will see it.
let checked = 0;
const outside = new Set();
const ids = new Map();
const idsOf = file => {
    if (!ids.has(file)) ids.set(file, new Set([...fs.readFileSync(file, "utf8").matchAll(/ id="([^"]*)"/g)].map(m => m[1])));
    return ids.get(file);
};
for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    for (const [, , raw] of fs.readFileSync(file, "utf8").matchAll(/ (href|src)="([^"]*)"/g)) {
        const target = raw.replaceAll("&amp;", "&");
        checked++;
        if (/^(https?|mailto):/.test(target)) {
            outside.add(target);
            continue;
        }
        const [name, anchor] = target.split("#");
        const to = name === "" ? file : path.join(path.dirname(file), decodeURI(name));
        if (!fs.existsSync(to) || !fs.statSync(to).isFile())
            problems.push(`${path.relative(folder, file)}: ${target} is not there`);
        else if (anchor && to.endsWith(".html") && !idsOf(to).has(decodeURI(anchor)))
            problems.push(`${path.relative(folder, file)}: ${target} has no such heading`);
    }
}
for (const problem of problems) console.error(problem);
console.log(`${documents.size} pages, ${files.size} files, ${index.length} sections to search, ${checked} links checked, ` +
    `${outside.size} addresses outside not asked, ${problems.length} problems: ${path.relative(process.cwd(), folder)}/index.html`);
process.exit(problems.length > 0 ? 1 : 0);
