// SPDX-License-Identifier: Apache-2.0
// Makes the two parts of the report page: head.html (up to the data) and tail.html (from there on).
//
//     node assemble.mjs FOLDER      FOLDER/node_modules holds the libraries; the parts go to FOLDER
//
// Our modules are joined into one script in the order below, imports dropped and exports made plain:
// names must not repeat. Scripts are allowed by their hash alone, so nothing else can run.
import {createHash} from "node:crypto";
import {existsSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const source = dirname(fileURLToPath(import.meta.url)),
    folder = process.argv[2];
const modules = [
    "data",
    "units",
    "dom",
    "theme",
    "chart",
    "view",
    "picker",
    "legend",
    "table",
    "summary",
    "classes",
    "curves",
    "charts",
    "distribution",
    "search",
    "heat",
    "ranks",
    "layout",
    "drawing",
    "links",
    "rates",
    "timeline",
    "tables",
    "scenario",
    "main",
];
const read = (...path) => readFileSync(join(...path), "utf8");

const own = modules
    .map(name =>
        read(source, "js", `${name}.js`)
            .replace(/^import [^;]*;\n/gm, "")
            .replace(/^export /gm, ""),
    )
    .join("\n");
const scripts = [
    read(folder, "node_modules/d3/dist/d3.min.js"),
    read(folder, "node_modules/@observablehq/plot/dist/plot.umd.min.js"),
    `"use strict";\n(() => {\n${own}\nstart();\n})();\n`,
];
if (scripts.some(script => /<\/script|<!--/i.test(script)))
    throw new Error("a script holds '</script' or '<!--', which would end it early");

// Every package that npm installed, with the text of its licence; equal texts once.
function licences(modulesFolder) {
    const texts = new Map();
    const visit = (path, name) => {
        const file = readdirSync(path).find(entry => /^licen[cs]e/i.test(entry));
        const {version, license} = JSON.parse(read(path, "package.json"));
        const text = file ? read(path, file).trim() : `Licence: ${license}`;
        texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
    };
    for (const name of readdirSync(modulesFolder).filter(entry => !entry.startsWith(".")))
        if (existsSync(join(modulesFolder, name, "package.json"))) visit(join(modulesFolder, name), name);
        else
            for (const part of readdirSync(join(modulesFolder, name)))
                visit(join(modulesFolder, name, part), `${name}/${part}`);
    return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}`).join("\n\n\n");
}

const escaped = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const hash = script => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
const policy =
    `default-src 'none'; script-src ${scripts.map(hash).join(" ")}; ` +
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";

const page = read(source, "template.html")
    .replace("@POLICY@", () => policy)
    .replace("@STYLE@", () => read(source, "report.css"))
    .replace("@LICENCES@", () => escaped(licences(join(folder, "node_modules"))))
    .replace("@SCRIPTS@", () => scripts.map(script => `<script>${script}</script>`).join("\n"));
const [head, tail] = page.split("@DATA@");
writeFileSync(join(folder, "head.html"), head);
writeFileSync(join(folder, "tail.html"), tail);
