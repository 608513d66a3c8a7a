// SPDX-License-Identifier: Apache-2.0
// Opens the page that test_charts.sh has made and insists on what it must show.
//
//     node charts.mjs CHROMIUM PAGE PICTURES
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, path, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const browser = await Browser.start(program);
const page = await Page.open(browser, pathToFileURL(path).href);
const texts = selector =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(one => one.textContent.trim())`);
// Paths of a chart that are dashed, and their colours.
const dashes = i =>
    page.evaluate(
        `[...document.querySelectorAll("#figure figure")[${i}].querySelectorAll("svg [stroke-dasharray] path")]
            .map(path => path.getAttribute("stroke"))`,
    );

await page.drawAll();
assert.deepEqual(await texts("#figure .entry"), [
    "rows first",
    "by chance",
    "ours, 95 % interval",
    "theirs",
    "independent routers",
]);
const titles = await texts("#figure figcaption > span:first-child");
assert.deepEqual(titles, ["cut-through, hops 4", "latency, hops 4", "spread, rho=0.1", "spread, rho=0.3", "spread, rho=0.5"]);
for (let i = 0; i < titles.length; i++)
    assert.deepEqual(await dashes(i), ["var(--ink)"], `${titles[i]}: one curve of the model for both series`);
const marks = await page.evaluate(`document.querySelectorAll("#figure figure")[0].querySelectorAll("svg g[aria-label=dot] path").length`);
assert.equal(marks, 12, "six points of ours and six of theirs");
assert.deepEqual(page.faults, [], "the console is silent");
writeFileSync(join(pictures, "charts.png"), await page.screenshot("#figure"));
await page.close();
await browser.close();
console.log("ok: ours, theirs and the model are drawn");
