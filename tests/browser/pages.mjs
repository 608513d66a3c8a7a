// SPDX-License-Identifier: Apache-2.0
// Opens reports as a person would and insists on what they must show.
//
//     node pages.mjs CHROMIUM FOLDER PICTURES      FOLDER: what test_pages.sh has made
//
// Screenshots and a printed page are left in PICTURES, to be looked at.
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const browser = await Browser.start(program);
await browser.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: folder,
    eventsEnabled: true,
});

async function test(name, file, act) {
    const path = join(folder, file),
        page = await Page.open(browser, pathToFileURL(path).href);
    try {
        await act(page, path);
        assert.deepEqual(page.faults, [], "the console is silent");
        assert.deepEqual(
            page.requests.filter(url => url !== pathToFileURL(path).href && !/^(data|blob):/.test(url)),
            [],
            "nothing is asked for",
        );
        console.log(
            `ok: ${name} (opened in ${Math.round(page.opened)} ms, ${(statSync(path).size / 2 ** 20).toFixed(2)} MiB)`,
        );
    } catch (error) {
        writeFileSync(join(pictures, `${name}-failed.png`), await page.screenshot());
        throw error;
    } finally {
        await page.close();
    }
}
const picture = async (page, name, selector) =>
    writeFileSync(join(pictures, `${name}.png`), await page.screenshot(selector));
const count = (page, selector) =>
    page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const texts = (page, selector) =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(one => one.textContent)`);

// Rows of CSV as lists of cells; numbers as numbers, so that 1e-05 is 0.00001.
function readCsv(text) {
    return text
        .trimEnd()
        .split("\n")
        .map(line =>
            line
                .match(/("([^"]|"")*"|[^,]*)(,|$)/g)
                .slice(0, -1)
                .map(cell => cell.replace(/,$/, ""))
                .map(cell => (cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell)),
        );
}

async function downloaded(page, selector) {
    const begun = browser.event("Browser.downloadWillBegin"),
        ended = browser.event("Browser.downloadProgress", one => one.state === "completed");
    await page.click(selector);
    const {suggestedFilename} = await begun;
    await ended;
    return readFileSync(join(folder, suggestedFilename), "utf8");
}

async function narrow(page, name) {
    await page.resize(375, 800);
    await page.drawAll();
    await page.until("document.documentElement.scrollWidth <= 375");
    await new Promise(resolve => setTimeout(resolve, 300)); // figures follow their width
    assert.ok(
        (await page.evaluate("document.documentElement.scrollWidth")) <= 375,
        "no horizontal scrolling at 375 px",
    );
    await picture(page, `${name}-phone`);
    await page.resize(1280, 900);
}

async function dark(page, name) {
    const paper = () => page.evaluate("getComputedStyle(document.body).backgroundColor"),
        before = await paper();
    await page.click("#theme");
    assert.notEqual(await paper(), before, "the paper changes");
    await page.drawAll();
    await picture(page, `${name}-dark`);
    await page.click("#theme");
    assert.equal(await paper(), before);
}

await test("sweep", "sweep.html", async (page, path) => {
    await page.drawAll();
    await picture(page, "sweep");
    // 3 curves of 18 points: 52 marks in the frame, 2 open ones above it, error bars, models, bounds
    const first = "#curves figure:first-child .figure-body svg";
    assert.equal(await count(page, "#curves .legend .curve"), 3);
    assert.equal(await count(page, `${first} [aria-label=dot] path`), 54);
    assert.equal(await count(page, `${first} [aria-label=link] > path`), 52);
    assert.equal(await count(page, `${first} [aria-label=line] path`), 7);
    // a curve is switched off from the legend, with the keyboard, and on again
    await page.evaluate("document.querySelector('.legend .curve').focus()");
    await page.press("Enter", "Enter", "\r");
    assert.equal(
        await page.evaluate("document.querySelector('.legend .curve').getAttribute('aria-pressed')"),
        "false",
    );
    await page.until(
        `document.querySelectorAll(${JSON.stringify(`${first} [aria-label=dot] path`)}).length === 36`,
    );
    await picture(page, "sweep-toggled", "#curves");
    await page.click(".legend .curve");
    await page.until(
        `document.querySelectorAll(${JSON.stringify(`${first} [aria-label=dot] path`)}).length === 54`,
    );
    // a table is sorted up and down, and filtered
    const column = 7,
        cells = async () => (await texts(page, `#points tbody tr td:nth-child(${column})`)).map(Number);
    await page.click(`#points th:nth-child(${column}) button`);
    const rising = await cells();
    assert.deepEqual(
        rising,
        [...rising].sort((a, b) => a - b),
    );
    await page.click(`#points th:nth-child(${column}) button`);
    assert.equal(
        await page.evaluate(
            `document.querySelector('#points th:nth-child(${column})').getAttribute('aria-sort')`,
        ),
        "descending",
    );
    const falling = await cells();
    assert.ok(falling[0] > rising[0]);
    await page.evaluate(
        "const box = document.querySelector('#points input'); box.value = 'random 0.45'; box.dispatchEvent(new Event('input'))",
    );
    await page.until("document.querySelectorAll('#points .table:first-of-type tbody tr').length === 1");
    await page.evaluate("document.querySelector('#points details').open = true");
    await page.until("document.querySelectorAll('#points details tbody tr').length === 25");
    // the CSV holds what `weft export` writes
    const own = readCsv(await downloaded(page, "#csv")),
        exported = readCsv(readFileSync(path.replace(".html", ".csv"), "utf8"));
    assert.deepEqual(own, exported);
    await dark(page, "sweep");
    const pdf = await page.pdf();
    assert.ok(pdf.subarray(0, 5).toString() === "%PDF-" && pdf.length > 50000, "a printed page");
    writeFileSync(join(pictures, "sweep.pdf"), pdf);
    await narrow(page, "sweep");
});

await test("keyboard", "sweep.html", async page => {
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
        await page.press("Tab", "Tab");
        reached.add(
            await page.evaluate(
                "document.activeElement.className + ' ' + document.activeElement.tagName + ' ' + document.activeElement.id",
            ),
        );
    }
    for (const wanted of ["skip A ", " BUTTON theme", "curve BUTTON ", " SELECT "])
        assert.ok(reached.has(wanted), `Tab reaches ${wanted}: ${[...reached].join("; ")}`);
    assert.deepEqual(
        await page.evaluate(`[...document.querySelectorAll("button, select, input, a")].filter(one =>
        !(one.textContent || one.getAttribute("aria-label") || one.closest("label"))).map(one => one.outerHTML)`),
        [],
        "everything has a name",
    );
});

await test("matrix", "matrix.html", async page => {
    await page.drawAll();
    assert.equal(await count(page, "#matrices image"), 2); // the map and its scale
    await picture(page, "matrix", "#matrices");
    await dark(page, "matrix");
    await narrow(page, "matrix");
});

for (const name of ["dragonfly", "cube", "tree"])
    await test(name, `${name}.html`, async page => {
        const before = performance.now();
        await page.drawAll();
        console.log(`    drawn in ${Math.round(performance.now() - before)} ms`);
        assert.ok((await count(page, "#links canvas")) >= 1);
        await picture(page, name, "#links");
        await narrow(page, name);
    });

await test("units", "units.html", async page => {
    await page.drawAll();
    const written = (await texts(page, "main svg text, main figcaption, main figure span")).join("\n");
    assert.ok(!/ticks/.test(written), "nobody has to know what a tick is");
    assert.ok(written.includes("latency (ns)") && written.includes("time (µs)"), "times have their units");
    assert.ok(written.includes("share of packets per ns"));
    assert.ok(written.includes("port busy (share of the time)"));
    // percentiles lie on the curve of the tail: in x it is within a few pixels of where they are
    const apart = await page.evaluate(`(() => {
        const figure = [...document.querySelectorAll("#latency figure")].find(one => /tail/.test(one.textContent));
        const points = [...figure.querySelectorAll("g[aria-label=line] path")].flatMap(path =>
            d3.range(0, path.getTotalLength(), 1).map(at => path.getPointAtLength(at)));
        return [...figure.querySelectorAll("g[aria-label=dot] path, g[aria-label=dot] circle")].map(dot => {
            const [x, y] = dot.getAttribute("transform")?.match(/-?[\\d.]+/g).map(Number) ??
                [dot.cx.baseVal.value, dot.cy.baseVal.value];
            return d3.min(points, point => Math.hypot(point.x - x, point.y - y));
        });
    })()`);
    assert.ok(apart.length >= 3 && apart.slice(0, 3).every(distance => distance < 6), `dots off the curve: ${apart}`);
    await picture(page, "units-latency", "#latency");
    await picture(page, "units-time", "#time");
    await picture(page, "units-links", "#links");
    await narrow(page, "units");
});

await test("compare", "compare.html", async (page, path) => {
    await page.drawAll();
    assert.deepEqual(
        await texts(page, ".legend .curve"),
        ["sweep", "other"].flatMap(file =>
            ["diagonal", "dimension-order", "random"].map(curve => `${file}, ${curve}`),
        ),
    );
    const own = readCsv(await downloaded(page, "#csv")),
        written = readCsv(readFileSync(path.replace(".html", ".csv"), "utf8"));
    assert.deepEqual(own, written);
    await picture(page, "compare");
});

await test("hostile", "hostile.html", async page => {
    await page.drawAll();
    await page.evaluate("[...document.querySelectorAll('details')].forEach(one => one.open = true)");
    await page.evaluate(
        "[...document.querySelectorAll('select')].forEach(one => { one.selectedIndex = one.options.length - 1; one.dispatchEvent(new Event('change')); })",
    );
    await page.evaluate(
        "[...document.querySelectorAll('button:not(#csv):not(.quiet)')].forEach(one => one.click())",
    );
    await page.drawAll();
    assert.equal(await page.evaluate("typeof window.pwned"), "undefined", "no script from a name runs");
    assert.equal(await count(page, "body script"), 4);
    assert.equal(await count(page, "main img, main script, main iframe, main b, main i, svg[onload]"), 0);
    assert.ok((await texts(page, "h1"))[0].includes("<script>window.pwned=1;alert(1)</script>"));
    await picture(page, "hostile");
    await narrow(page, "hostile");
});

await test("verdicts", "verdicts.html", async page => {
    await page.drawAll();
    assert.deepEqual(await texts(page, "#verdicts .pill"), ["2 agrees", "1 disagrees", "1 not claimed"]);
    await picture(page, "verdicts", "#verdicts");
});

if (existsSync(join(folder, "big.html")))
    await test("big", "big.html", async (page, path) => {
        assert.ok(statSync(path).size < 20 * 2 ** 20, "under 20 MB");
        // the same twice: whatever else the machine does can only make it slower
        const second = await Page.open(browser, pathToFileURL(path).href);
        await second.close();
        const opened = Math.min(page.opened, second.opened);
        assert.ok(opened < 3000, `opens in under 3 s: ${opened}`);
        await page.drawAll();
        assert.equal((await texts(page, "#links [role=status]"))[0], "1–10 of 102400");
        await picture(page, "big");
    });

await browser.close();
