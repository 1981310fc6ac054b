/** A real browser before a real node. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { browserProgram, noBrowser } from "../support/browser-program.js";
import { mainProgram } from "../support/node-process.js";

const isBuilt = existsSync(new URL("../console/page.html", `file://${mainProgram}`));

/** Why nothing is tested here; false where it is. */
export const skip: string | false = noBrowser || (!isBuilt && "the console was not built: npm run build");

export const launch = (executablePath = browserProgram!): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });

/** With what is left of the processor: a reader's browser runs on another machine. Sessions share it by their groups, where there are. */
export function launchAside(folder: string): Promise<Browser> {
  const script = join(folder, "browser"),
    group = "/proc/self/autogroup";
  writeFileSync(script, `#!/bin/sh\n[ -w ${group} ] && echo 19 > ${group}\nexec nice -n 19 '${browserProgram!}' "$@"\n`, { mode: 0o755 });
  return launch(script);
}

export interface Opened {
  readonly page: Page;
  /** What the page did that it must not: errors, and what its policy kept it from. */
  faults(): readonly string[];
}

/** Sees every error of the page but those of requests that were refused, which pages show. */
export async function open(browser: Browser, port: number, path = "", options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options }),
    seen: string[] = [];
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) seen.push(message.text());
  });
  page.setDefaultTimeout(30_000);
  await page.goto(`http://127.0.0.1:${port}/${path}`);
  return { page, faults: () => seen };
}

const axeSource = (): string => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds that is serious or worse. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource());
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResult;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
          .join("; ")}`,
    );
}

export function assertClean({ faults }: Opened): void {
  assert.deepEqual(faults(), []);
}

/** Waits for a text; where it does not come, the error tells what the page shows instead, and who has its keys. */
export async function told(page: Page, words: string, isWhole = false): Promise<void> {
  try {
    await page.getByText(words, { exact: isWhole }).first().waitFor();
  } catch (error) {
    const shown = await page.evaluate(
      `[location.hash, document.activeElement.outerHTML.slice(0, 200), [...document.querySelectorAll("input")].map((one) => one.value), document.querySelector("main").innerText.slice(0, 1000)]`,
    );
    throw new Error(`the page does not say ${JSON.stringify(words)} but ${JSON.stringify(shown)}`, { cause: error });
  }
}

/** One of many, by a part of its name. A screen that is still being made may take away what a click opened: then it is clicked again. */
export async function pick(page: Page, opener: Locator, words: string): Promise<void> {
  const find = (): Promise<boolean> =>
    page
      .locator(".popover input")
      .fill(words, { timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
  for (let clicks = 1; ; clicks++) {
    await opener.click();
    if (await find()) break;
    assert.ok(clicks < 5, `nothing opens after ${clicks} clicks`);
  }
  await page.locator(".popover .virtual-row").first().waitFor();
  await page.keyboard.press("Enter");
}

/** The row of a form with this field. */
export const rowOf = (page: Page, name: string): Locator =>
  page.locator(".form-row", { has: page.locator(".field", { hasText: new RegExp(`^${name}$`) }) });
