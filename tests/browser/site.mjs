// SPDX-License-Identifier: Apache-2.0
// Opens pages of the documentation site as files and searches as a reader would.
//
//     node site.mjs CHROMIUM FOLDER PICTURES
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const browser = await Browser.start(program);
const open = (name, width) => Page.open(browser, pathToFileURL(join(folder, name)).href, width);
const shoot = async (page, name) => {
    const {data} = await page.send("Page.captureScreenshot", {format: "png"});
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, "base64"));
};
const search = async (page, words) => {
    await page.evaluate(`(() => { const box = document.getElementById("query"); box.focus(); box.value = ${JSON.stringify(words)};
        box.dispatchEvent(new Event("input")); })()`);
    return page.evaluate(`[...document.querySelectorAll("#found a")].map(a => [a.getAttribute("href"), a.innerText])`);
};

for (const width of [1400, 900, 400]) {
    const page = await open("index.html", width);
    assert.deepEqual(page.faults, []);
    assert.ok(page.requests.every(url => url.startsWith("file:")), "only files are asked for");
    // Nothing is wider than the window.
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `width ${width}`);
    await shoot(page, `site-${width}`);
}

const page = await open("docs/howto/virtual-channels.html", 1400);
assert.ok(await page.evaluate("document.querySelector('nav [aria-current]').getBoundingClientRect().top < innerHeight"));
// Words that stand in one page's title, in a table of settings, and nowhere.
for (const [words, where] of [["deadlock", "theory/deadlock.html"], ["half-width", "reference/scenario.html"], ["dragonfly", "dragonfly"]]) {
    const hits = await search(page, words);
    assert.ok(hits.length > 0 && hits.some(([href]) => href.includes(where)), `${words}: ${JSON.stringify(hits)}`);
}
await shoot(page, "site-search");
assert.equal((await search(page, "xyzzyplugh")).length, 0);
assert.ok(await page.evaluate("document.getElementById('found').innerText.startsWith('Nothing found')"));
// Enter goes to the first of what was found.
const [[href]] = await search(page, "deadlock");
const loaded = browser.event("Page.loadEventFired");
await page.evaluate(`document.getElementById("query").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}))`);
await loaded;
assert.ok((await page.evaluate("location.href")).endsWith(href.replace(/^(\.\.\/)+/, "")));
assert.deepEqual(page.faults, []);
await browser.close();
