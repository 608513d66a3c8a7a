// SPDX-License-Identifier: Apache-2.0
// Chromium without a window, driven over a pipe by the DevTools protocol; node is all it needs.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

export class Browser {
    static async start(program) {
        const browser = new Browser();
        browser.profile = mkdtempSync(join(tmpdir(), "weft-chromium-"));
        browser.process = spawn(
            program,
            [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                `--user-data-dir=${browser.profile}`,
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "about:blank",
            ],
            {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]},
        );
        process.on("exit", () => {
            // also after a failure; its end of the pipe gone, Chromium ends too
            browser.process.kill();
            rmSync(browser.profile, {recursive: true, force: true, maxRetries: 5});
        });
        browser.waiting = new Map();
        browser.listeners = [];
        browser.last = 0;
        let rest = "";
        browser.process.stdio[4].setEncoding("utf8").on("data", text => {
            const messages = (rest + text).split("\0");
            rest = messages.pop();
            messages.forEach(message => browser.receive(JSON.parse(message)));
        });
        await browser.send("Browser.getVersion");
        return browser;
    }

    receive(message) {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (waiting && message.error)
            waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
        else if (waiting) waiting.resolve(message.result);
        else this.listeners.forEach(act => act(message));
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, {resolve, reject, method});
            this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
        });
    }

    // The next event of this name that passes.
    event(method, passes = () => true) {
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no ${method} within 60 s`)), 60000);
            this.listeners.push(message => {
                if (message.method !== method || !passes(message.params)) return;
                clearTimeout(timer);
                resolve(message.params);
            });
        });
    }

    async close() {
        const ended = new Promise(resolve => this.process.on("exit", resolve));
        await this.send("Browser.close");
        await ended;
    }
}

// One page: what it complained of and asked for is kept in faults and requests.
export class Page {
    static async open(browser, url, width = 1280, height = 900, ready = true) {
        const page = new Page();
        const {targetId} = await browser.send("Target.createTarget", {url: "about:blank"});
        const {sessionId} = await browser.send("Target.attachToTarget", {targetId, flatten: true});
        Object.assign(page, {browser, targetId, sessionId, faults: [], requests: []});
        browser.listeners.push(message => message.sessionId === sessionId && page.note(message));
        for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
        await page.resize(width, height);
        const loaded = browser.event("Page.loadEventFired");
        const began = performance.now();
        await page.send("Page.navigate", {url});
        await loaded;
        if (ready) await page.until("document.documentElement.dataset.ready === 'yes'"); // pictures and plain pages say nothing
        await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        page.opened = performance.now() - began;
        return page;
    }

    note({method, params}) {
        if (method === "Runtime.exceptionThrown")
            this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
            this.faults.push(params.args.map(arg => arg.value ?? arg.description).join(" "));
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
            this.faults.push(params.entry.text);
        if (method === "Page.javascriptDialogOpening") {
            this.faults.push(`a dialog opened: ${params.message}`);
            this.send("Page.handleJavaScriptDialog", {accept: false});
        }
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    }

    send(method, params) {
        return this.browser.send(method, params, this.sessionId);
    }

    async evaluate(expression) {
        const {result, exceptionDetails} = await this.send("Runtime.evaluate", {
            expression,
            awaitPromise: true,
            returnByValue: true,
        });
        if (exceptionDetails)
            throw new Error(
                `${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
            );
        return result.value;
    }

    async until(condition) {
        for (let i = 0; i < 600; i++) {
            if (await this.evaluate(condition)) return;
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        throw new Error(`not within 30 s: ${condition}`);
    }

    click(selector) {
        return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
    }

    // A key as a person presses it.
    async press(key, code = key, text = undefined) {
        await this.send("Input.dispatchKeyEvent", {
            type: text ? "keyDown" : "rawKeyDown",
            key,
            code,
            text,
            windowsVirtualKeyCode: {Tab: 9, Enter: 13, " ": 32}[key],
        });
        await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, code});
    }

    resize(width, height) {
        return this.send("Emulation.setDeviceMetricsOverride", {
            width,
            height,
            deviceScaleFactor: 1,
            mobile: width < 500,
        });
    }

    // Draws every figure that has not been seen yet, and lets forces come to rest.
    async drawAll() {
        await this.evaluate("dispatchEvent(new Event('beforeprint'))");
        await this.until("!document.querySelector('[data-settled=false]')");
        await this.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    async screenshot(selector = null) {
        const clip =
            selector &&
            (await this.evaluate(`(() => {
            const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
            return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1};
        })()`));
        const whole = (await this.send("Page.getLayoutMetrics")).cssContentSize;
        const {data} = await this.send("Page.captureScreenshot", {
            captureBeyondViewport: true,
            clip: clip || {x: 0, y: 0, width: whole.width, height: Math.min(whole.height, 12000), scale: 1},
        });
        return Buffer.from(data, "base64");
    }

    async pdf() {
        const {data} = await this.send("Page.printToPDF", {printBackground: true, preferCSSPageSize: true});
        return Buffer.from(data, "base64");
    }

    async close() {
        await this.browser.send("Target.closeTarget", {targetId: this.targetId});
    }
}
