// SPDX-License-Identifier: Apache-2.0
// Opens pages and pictures with hostile names: no script of theirs runs, no dialog opens, nothing is asked for.
//
//     node hostile.mjs CHROMIUM FILE...
import assert from "node:assert/strict";
import {pathToFileURL} from "node:url";
import {Browser, Page} from "./browser.mjs";

const [program, ...files] = process.argv.slice(2);
const browser = await Browser.start(program);
for (const file of files) {
    const url = pathToFileURL(file).href;
    const page = await Page.open(browser, url, 1280, 900, !/svg$|subnet|study\.html/.test(file));
    // Everything that is folded away or chosen by hand, too.
    await page.evaluate("[...document.querySelectorAll('details')].forEach(one => (one.open = true))");
    await page.evaluate(`[...document.querySelectorAll('select')].forEach(one => {
        one.selectedIndex = one.options.length - 1;
        one.dispatchEvent(new Event('change'));
    })`);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.evaluate("new Promise(done => setTimeout(done, 200))");
    assert.deepEqual(page.faults, [], `${file}: the console is silent, no dialog opens`);
    assert.deepEqual(
        page.requests.filter(asked => asked !== url && !/^(data|blob):/.test(asked)),
        [],
        `${file}: nothing is asked for`,
    );
    assert.equal(
        await page.evaluate(
            "document.querySelectorAll('main img, main script, iframe, object, embed, foreignObject, [onload], [onerror]').length",
        ),
        0,
        `${file}: no element that a name brought along`,
    );
    await page.close();
}
console.log(`ok: ${files.length} files, no script of a name ran`);
await browser.close();
