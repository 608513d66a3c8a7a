// SPDX-License-Identifier: Apache-2.0
// Opens the pages that test_views.sh has made and insists on what they must show, and how.
//
//     node views.mjs CHROMIUM FOLDER PICTURES
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const browser = await Browser.start(program);

// What is wrong with the labels of a page: cut off, on top of each other, or missing.
const labelFaults = page =>
    page.evaluate(`(() => {
        const faults = [], seen = element => element.getClientRects().length > 0;
        const name = element => element.closest("figure")?.querySelector("figcaption span")?.textContent ?? "page";
        const page = document.documentElement.clientWidth;
        for (const text of document.querySelectorAll("main svg text")) {
            const box = text.getBoundingClientRect(), frame = text.closest(".figure-body").getBoundingClientRect();
            if (!seen(text) || !text.textContent.trim() || text.closest("[aria-label=tip]")) continue;
            if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                faults.push(name(text) + ": cut off: " + text.textContent);
        }
        for (const group of document.querySelectorAll("main svg g[aria-label$='tick label']")) {
            const boxes = [...group.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
            if (boxes.some(([text]) => !text)) faults.push(name(group) + ": a tick without a label");
            for (let i = 0; i < boxes.length; i++)
                for (let k = 0; k < i; k++) {
                    const [a, b] = [boxes[i][1], boxes[k][1]];
                    if (a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
                        faults.push(name(group) + ": over each other: " + boxes[i][0] + " and " + boxes[k][0]);
                }
        }
        for (const canvas of document.querySelectorAll("main canvas"))
            for (const label of canvas.weftLabels)
                if (label.left < 0 || label.top < 0 || label.right > canvas.clientWidth || label.bottom > canvas.clientHeight)
                    faults.push("the network: cut off: " + label.text);
        for (const part of document.querySelectorAll("header p, nav, .legend button, .filter, figcaption, .pill, .controls > *"))
            if (seen(part) && part.tagName !== "NAV" && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
                faults.push("cut off: " + part.textContent.slice(0, 60));
        if (document.documentElement.scrollWidth > page) faults.push("the page is wider than the window");
        return faults;
    })()`);

// Charts without anything in them, and texts in a unit that nobody writes.
const chartFaults = page =>
    page.evaluate(`(() => {
        const faults = [], figures = [...document.querySelectorAll("main figure")].filter(one => !one.hidden && !one.parentNode.closest("figure"));
        const marks = "g[aria-label=dot] *, g[aria-label=line] path, g[aria-label=area] path, g[aria-label=rect] rect, image, canvas";
        for (const figure of figures) {
            const title = figure.querySelector("figcaption span").textContent;
            if (figure.querySelector(".empty")) faults.push(title + ": " + figure.querySelector(".empty").textContent);
            if (!figure.querySelector(marks)) faults.push(title + ": nothing is drawn");
        }
        const written = [...document.querySelectorAll("main svg text, main figcaption, th, .note, .scale, option")].map(one => one.textContent);
        for (const text of written) if (/ticks? of|\\bps\\b|\\bNaN\\b|undefined|null/.test(text)) faults.push("nobody writes: " + text);
        return faults;
    })()`);

// The units in brackets behind the names of axes, by figure: [[title, {x, y}], …].
const units = page =>
    page.evaluate(`[...document.querySelectorAll("main figure")].map(figure => [
        figure.querySelector("figcaption span")?.textContent,
        Object.fromEntries(["x", "y"].map(k => [k,
            [...figure.querySelectorAll("g[aria-label='" + k + "-axis label'] text")].map(text => /\\(([^()]*)\\)/.exec(text.textContent)?.[1] ?? "").join()]))
    ])`);

// Percentiles that lie near the curve of the tail have its unit: distances in pixels, some for bins of a cycle.
const offTheTail = page =>
    page.evaluate(`(() => {
        const figure = [...document.querySelectorAll("#latency figure")].find(one => /tail/.test(one.textContent));
        const points = [...figure.querySelectorAll("g[aria-label=line] path")].flatMap(path =>
            d3.range(0, path.getTotalLength(), 1).map(at => path.getPointAtLength(at)));
        return [...figure.querySelectorAll("g[aria-label=dot] path, g[aria-label=dot] circle")].map(dot => {
            const [x, y] = dot.getAttribute("transform")?.match(/-?[\\d.]+/g).map(Number) ?? [dot.cx.baseVal.value, dot.cy.baseVal.value];
            return d3.min(points, point => Math.hypot(point.x - x, point.y - y));
        });
    })()`);

async function test(name, file, act) {
    const page = await Page.open(browser, pathToFileURL(join(folder, `${file}.html`)).href);
    try {
        await page.drawAll();
        assert.deepEqual(await chartFaults(page), [], "no chart opens empty");
        assert.deepEqual(await labelFaults(page), [], "no label is cut off");
        const apart = await offTheTail(page);
        assert.ok(apart.length > 0 && apart.every(distance => distance < 20), `percentiles off the tail: ${apart}`);
        await act(page);
        assert.deepEqual(page.faults, [], "the console is silent");
        writeFileSync(join(pictures, `view-${name}.png`), await page.screenshot());
        console.log(`ok: ${name}`);
    } catch (error) {
        writeFileSync(join(pictures, `view-${name}-failed.png`), await page.screenshot());
        throw error;
    } finally {
        await page.close();
    }
}
const texts = (page, selector) =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(one => one.textContent.trim())`);
const count = async (page, selector) => (await texts(page, selector)).length;
// Chooses the option of a list that begins with a text.
const pick = (page, selector, label) =>
    page.evaluate(`(() => {
        const select = document.querySelector(${JSON.stringify(selector)});
        select.value = [...select.options].find(one => one.textContent.startsWith(${JSON.stringify(label)})).value;
        select.dispatchEvent(new Event("change"));
    })()`);
const shownIn = (page, selector) =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).selectedOptions[0].textContent`);

await test("torus", "torus", async page => {
    const pills = await texts(page, "#verdict .pill");
    assert.equal(pills.reduce((sum, pill) => sum + Number.parseInt(pill, 10), 0), 15, "a verdict for every point");
    // all links are there, on a scale from 0 to 1, with coordinates at the edges
    assert.match((await texts(page, "#links .note"))[0], /^All 256 links/);
    assert.match((await texts(page, "#links .scale"))[0], /^0\s*1 utilisation/);
    const labels = await page.evaluate("document.querySelector('#links canvas').weftLabels.map(one => one.text)");
    assert.ok(["x = 0", "y = 0", "7"].every(text => labels.includes(text)), labels.join(" "));
    // a point that is chosen in one place is chosen in all
    await pick(page, "#links select[aria-label=Curve]", "random");
    await pick(page, "#links select[aria-label=Point]", "0.3");
    assert.equal(await shownIn(page, "#scenario select[aria-label=Curve]"), "random");
    assert.equal(await shownIn(page, "#latency > .controls select"), "0.3");
    assert.equal(await shownIn(page, "#latency figcaption select"), "random");
    // a part of a chart that is dragged over fills it; "whole" gives it back
    const ticks = () => texts(page, "#curves figure:first-child g[aria-label='x-axis tick label'] text");
    const before = await ticks();
    const box = await page.evaluate(
        "(({x, y, width, height}) => ({x, y: y + 0, width, height}))(document.querySelector('#curves figure:first-child .figure-body svg').getBoundingClientRect())",
    );
    const mouse = (type, fx, fy) =>
        page.send("Input.dispatchMouseEvent", {type, x: box.x + fx * box.width, y: box.y + fy * box.height, button: "left", buttons: 1, clickCount: 1});
    await mouse("mousePressed", 0.4, 0.2);
    await mouse("mouseMoved", 0.5, 0.4);
    await mouse("mouseMoved", 0.7, 0.7);
    await mouse("mouseReleased", 0.7, 0.7);
    assert.notDeepEqual(await ticks(), before, "the axis shows a part");
    assert.deepEqual(await labelFaults(page), [], "no label is cut off in a part");
    await page.click("#curves figure:first-child .tools button");
    assert.deepEqual(await ticks(), before, "the whole axis again");
});

await test("incast", "incast", async page => {
    const found = new Map(await units(page));
    assert.deepEqual(found.get("Latency").y, "ns");
    assert.deepEqual(found.get("The tail of latency, in nines").x, "ns");
    assert.ok(["ns", "µs"].includes(found.get("Histogram of latency").x));
    assert.deepEqual(found.get("delivered").x, "µs");
    assert.deepEqual(found.get("Sent by flows").x, "µs");
    // a line for each of four endpoints and two classes
    assert.deepEqual((await texts(page, "#time .legend .entry")).map(text => text.trim()).sort(), ["background", "storage"]);
    assert.equal(await count(page, "#time figure:nth-of-type(1) g[aria-label=line] path"), 8);
    assert.deepEqual(found.get("Mean latency by class").y, "ns");
    assert.ok((await texts(page, "#points th")).includes("latency, storage ns"));
    // a class of its own, over its own load
    assert.deepEqual(await texts(page, "#curves .choices option"), [
        "offered load (fraction of injection bandwidth)",
        "offered load of class storage",
        "accepted load",
        "all together",
        "background",
        "storage",
    ]);
    await pick(page, "#curves .choices label:nth-child(2) select", "storage");
    await pick(page, "#curves .choices label:nth-child(1) select", "offered load of class storage");
    await page.drawAll();
    assert.match((await texts(page, "#curves figure:first-child g[aria-label='y-axis label'] text"))[0], /mean latency of class storage \((ns|µs)\)/);
    assert.match((await texts(page, "#curves figure:first-child g[aria-label='x-axis label'] text"))[0], /offered load of class storage/);
    assert.equal(await shownIn(page, "#latency > .controls > label select"), "storage");
    assert.deepEqual(await chartFaults(page), [], "a class of its own is no empty chart");
    assert.deepEqual(await labelFaults(page), []);
});

await test("grid", "grid", async page => {
    assert.equal(await count(page, "#curves .legend .curve"), 12);
    const fits = await page.evaluate("(legend => legend.scrollHeight <= legend.clientHeight + 1)(document.querySelector('#curves .legend'))");
    assert.ok(fits, "the legend shows all its curves");
    assert.deepEqual(await texts(page, ".filter .name"), ["pattern", "buffer"].sort());
    // a value of a setting is filtered away, and its curves with it
    await page.evaluate("[...document.querySelectorAll('.filter button')].find(one => one.textContent === '8 flits').click()");
    assert.equal(await count(page, "#curves .legend .curve"), 6);
    assert.ok((await texts(page, "#latency figcaption option")).every(name => !name.startsWith("8 flits")));
    assert.deepEqual(await chartFaults(page), []);
    // another axis: what varied along it tells curves apart now
    await pick(page, "#curves .choices select", "buffer");
    await page.drawAll();
    assert.equal(await count(page, "#curves .legend .curve"), 18);
    assert.match((await texts(page, "#curves figure:first-child g[aria-label='x-axis label'] text"))[0], /buffer \(flits\)/);
    assert.deepEqual(await chartFaults(page), []);
    assert.deepEqual(await labelFaults(page), []);
});

await test("large", "large", async page => {
    assert.match((await texts(page, "#links .note"))[0], /^Only the 10 most loaded links were kept/);
    assert.equal(await count(page, "#links figure:not([hidden])"), 0, "no drawing of a few links");
    assert.equal(await count(page, "#links tbody tr"), 10);
});

await browser.close();
