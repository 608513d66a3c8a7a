// SPDX-License-Identifier: Apache-2.0
// Opens the pages that test_ranks.sh has made: ranks over time with their critical paths, zoomed as a person would, and the
// bytes from rank to rank.
//
//     node ranks.mjs CHROMIUM FOLDER PICTURES
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const browser = await Browser.start(program);

const open = async (name, width = 1280) => {
    const page = await Page.open(browser, pathToFileURL(join(folder, `${name}.html`)).href, width);
    await page.evaluate("document.getElementById('ranks').scrollIntoView()");
    await page.until("document.querySelector('#ranks canvas') !== null");
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    return page;
};
const shoot = async (page, name) => {
    const {data} = await page.send("Page.captureScreenshot", {format: "png"});
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, "base64"));
};
const labels = page => page.evaluate("document.querySelector('#ranks canvas').weftLabels.map(label => label.text)");
// Pixels of the picture that are nearly of this colour.
const pixels = (page, [r, g, b]) =>
    page.evaluate(`(() => {
        const canvas = document.querySelector("#ranks canvas"), {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
            count += data[i + 3] > 200 && Math.abs(data[i] - ${r}) + Math.abs(data[i + 1] - ${g}) + Math.abs(data[i + 2] - ${b}) < 60;
        return count;
    })()`);
// Without what Chromium says of this test's own reading of pixels.
const faults = page => page.faults.filter(fault => !fault.startsWith("Canvas2D: Multiple readback"));
const drag = (page, from, to) =>
    page.evaluate(`(() => {
        const canvas = document.querySelector("#ranks canvas"), box = canvas.getBoundingClientRect();
        canvas.setPointerCapture = () => {};
        const send = (type, [x, y]) => canvas.dispatchEvent(new PointerEvent(type, {
            bubbles: true, button: 0, pointerId: 1, clientX: box.left + x, clientY: box.top + y}));
        send("pointerdown", ${JSON.stringify(from)});
        send("pointermove", ${JSON.stringify(to)});
        send("pointerup", ${JSON.stringify(to)});
    })()`);
const cutOff = page =>
    page.evaluate(`[...document.querySelectorAll("#ranks canvas")].flatMap(canvas => canvas.weftLabels.filter(label =>
        label.left < 0 || label.top < 0 || label.right > canvas.clientWidth || label.bottom > canvas.clientHeight)
        .map(label => label.text))`);

// Three jobs on one page.
{
    const page = await open("mix");
    const words = await labels(page);
    for (const job of ["doubling: 6 ranks", "exchange: 5 ranks", "ring: 5 ranks", "time (cycles)"])
        assert(words.includes(job), `no label ${job} in ${words.join(", ")}`);
    const rows = await page.evaluate(
        "[...document.querySelectorAll('#ranks table.path tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))",
    );
    assert.equal(rows.length, 3);
    for (const row of rows) {
        const sum = row.slice(2).reduce((total, text) => total + parseFloat(text), 0);
        assert(Math.abs(sum - 100) < 0.5, `the parts of ${row[0]} are ${sum} %`);
    }
    assert((await pixels(page, [0, 0x72, 0xb2])) > 2000, "nothing computes");
    const path = await pixels(page, [0xc0, 0, 0]);
    assert(path > 500, "no critical path");
    await shoot(page, "ranks-mix");
    await page.evaluate("[...document.querySelectorAll('#ranks input[type=checkbox]')].at(-1).click()");
    assert.equal(await pixels(page, [0xc0, 0, 0]), 0, "the critical path is still there");
    await page.evaluate("[...document.querySelectorAll('#ranks input[type=checkbox]')].at(-1).click()");
    // The start alone, then a job, then all again.
    const before = words.filter(text => /^\d+$/.test(text)).map(Number).sort((a, b) => b - a)[0];
    await drag(page, [70, 30], [150, 34]);
    const after = (await labels(page)).filter(text => /^[\d.]+$/.test(text)).map(Number).sort((a, b) => b - a)[0];
    assert(after < before / 4, `zoomed, but the axis goes to ${after}, not ${before}`);
    await shoot(page, "ranks-mix-zoomed");
    await page.evaluate("[...document.querySelectorAll('#ranks button')].find(button => button.textContent === 'whole').click()");
    assert.deepEqual(await labels(page), words);
    await page.evaluate(`(() => {
        const select = [...document.querySelectorAll("#ranks label")].find(label => label.textContent.startsWith("Job")).querySelector("select");
        select.value = "3";
        select.dispatchEvent(new Event("change"));
    })()`);
    assert(!(await labels(page)).includes("doubling: 6 ranks"));
    assert.deepEqual(await cutOff(page), []);
    assert.deepEqual(faults(page), []);
    await page.evaluate("document.querySelector('#ranks .figures').scrollIntoView()");
    await page.until("document.querySelectorAll('#ranks .figures svg').length > 0");
    await shoot(page, "ranks-mix-matrix");
}

// The busiest links over time.
{
    const page = await open("mix");
    await page.evaluate("document.getElementById('time').scrollIntoView()");
    await page.until("document.querySelector('#time figure image') !== null");
    const title = await page.evaluate("document.querySelector('#time figcaption span').textContent");
    assert.match(title, /^The \d+ busiest links over time$/);
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await shoot(page, "links-over-time");
    assert.deepEqual(faults(page), []);
}

// A thousand ranks, in the dark, and on a narrow screen.
{
    const page = await open("big");
    assert((await labels(page)).includes("reduce: 1024 ranks"));
    assert.deepEqual(await cutOff(page), []);
    await shoot(page, "ranks-big");
    await page.click("#theme");
    await shoot(page, "ranks-big-dark");
    await drag(page, [300, 100], [500, 160]);
    const words = await labels(page);
    assert(words.filter(text => /^\d+$/.test(text)).length > 5, "no ranks after a zoom");
    await shoot(page, "ranks-big-zoomed");
    assert.deepEqual(faults(page), []);
    const narrow = await open("states", 420);
    assert.deepEqual(await cutOff(narrow), []);
    assert((await pixels(narrow, [0, 0x72, 0xb2])) > 500, "no states");
    assert.equal(await narrow.evaluate("document.documentElement.scrollWidth > innerWidth"), false, "wider than the window");
    await shoot(narrow, "ranks-states-narrow");
    assert.deepEqual(faults(narrow), []);
}
await browser.close();
