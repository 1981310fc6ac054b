/** Without a mouse. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { create, createdIn, exercise, World } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { assertClean, launch, open, skip } from "./browser.js";

const timeout = 120_000;
/** What a mouse can do something with, as far as it can be seen. */
const mark = `(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=listbox], [role=option]")];
  let number = 0;
  for (const element of all) {
    element.removeAttribute("data-key");
    if (!element.checkVisibility() || element.disabled || element.closest("[role=listbox]") !== null && element.getAttribute("role") !== "listbox") continue;
    if (element.matches(".skip, .sr")) continue;
    element.setAttribute("data-key", String(number++));
  }
  return number;
})()`;
const focused = "document.activeElement?.getAttribute('data-key')";
const told =
  "[...document.querySelectorAll('[data-key]')].map((element) => [element.getAttribute('data-key'), element.outerHTML.slice(0, 120)])";

/** By Tab alone; lists are gone through by arrows. */
async function assertReached(page: Page, what: string): Promise<void> {
  await page.locator(".skip").focus();
  const wanted = (await page.evaluate(mark)) as number,
    seen = new Set<string>();
  assert.ok(wanted > 5, `${what}: there is something to reach`);
  for (let steps = 0; steps < wanted * 3 + 40 && seen.size < wanted; steps++) {
    await page.keyboard.press("Tab");
    const at = (await page.evaluate(focused)) as string | null;
    if (at !== null) seen.add(at);
  }
  const there = (await page.evaluate(told)) as readonly (readonly [key: string, html: string])[];
  assert.ok(there.length > wanted / 2, `${what}: what was counted is still there`);
  assert.deepEqual(
    there.filter(([key]) => !seen.has(key)),
    [],
    `${what}: out of reach`,
  );
}

describe("console: by keyboard", { skip }, () => {
  let world: World, browser: Browser, cash: string, offset: number, packageId: string;
  before(async () => {
    browser = await launch();
    world = await World.start([storyDar]);
    const [alice, bank] = await world.parties("alice", "bank");
    cash = createdIn(await world.transact([bank, alice], [create(storyTemplate("Cash"), { bank, owner: alice, amount: "5" })])).contractId;
    ({ offset } = await world.transact([alice], [exercise(storyTemplate("Cash"), cash, "Look")]));
    packageId = (await world.client.get("/admin/packages"))
      .json()
      .packages.find(({ templates }: { readonly templates: readonly string[] }) => templates.includes("Story:Cash")).packageId;
  });
  after(async () => {
    await browser.close();
    await world.stop();
  });

  test("console: all that can be clicked is reached by Tab on every screen", { timeout }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened;
    for (const [hash, ready] of [
      ["#/ledger", ".contract-row"],
      [`#/ledger?contract=${cash}`, ".choices a"],
      ["#/transactions", ".update-row"],
      [`#/transactions?at=${offset}`, ".event-detail"],
      ["#/packages", ".package-row"],
      [`#/packages?id=${packageId}`, "pre.daml"],
      [`#/do?form=create&template=${packageId}:Story:Cash`, "fieldset .form-row"],
      [`#/do?form=exercise&contract=${cash}&choice=Offer`, "fieldset .form-row"],
      ["#/do?form=party", "#hint"],
      ["#/do?form=dar", ".drop"],
      ["#/node", ".times tbody tr"],
    ] as const) {
      await page.goto(`http://127.0.0.1:${world.node.port}/${hash}`);
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(500); // types come after values
      await assertReached(page, hash);
    }
    assertClean(opened);
    await page.close();
  });

  test("console: keys go through the list of a screen that was just opened, and Escape closes what they opened", { timeout }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened,
      detail = page.locator("aside.detail"),
      selected = page.locator(".pane > [role=listbox] [aria-selected=true]");
    for (const [key, row] of [
      ["1", ".contract-row"],
      ["2", ".update-row"],
      ["3", ".package-row"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(row).first().waitFor();
      assert.equal(await detail.count(), 0);
      await page.keyboard.press("ArrowDown");
      await detail.waitFor();
      await page.locator(".pane > [role=listbox]:focus").waitFor();
      assert.equal(await selected.getAttribute("aria-posinset"), "1");
      await page.keyboard.press("Escape");
      await detail.waitFor({ state: "detached" });
    }
    await page.keyboard.press("j");
    await page.locator("[aria-selected=true][aria-posinset='1']").waitFor();
    await page.keyboard.press("j");
    await page.locator("[aria-selected=true][aria-posinset='2']").waitFor();
    await page.keyboard.press("k");
    await page.locator("[aria-selected=true][aria-posinset='1']").waitFor();
    await detail.locator(".detail-body").focus();
    await page.keyboard.press("ArrowDown"); // scrolls there
    assert.equal(await selected.getAttribute("aria-posinset"), "1");
    assertClean(opened);
    await page.close();
  });

  test("console: from the filter a key leads to what it found", { timeout }, async () => {
    const { page } = await open(browser, world.node.port),
      detail = page.getByRole("complementary", { name: "Contract" });
    await page.locator(".contract-row").first().waitFor();
    for (const key of ["Enter", "ArrowDown"]) {
      await page.keyboard.press("/");
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type("cash");
      await page.keyboard.press(key); // at once, as who types fast
      await detail.getByText("ContractId CashOffer").waitFor();
      await page.keyboard.press("Escape");
      await detail.waitFor({ state: "detached" });
    }
    await page.close();
  });

  test("console: a contract is found, opened and closed by keys, a party picked, and time gone back in", { timeout }, async () => {
    const { page } = await open(browser, world.node.port),
      detail = page.getByRole("complementary", { name: "Contract" });
    await page.locator(".contract-row").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("cash");
    await page.locator(".contracts").focus();
    await page.keyboard.press("j");
    await detail.getByText("ContractId CashOffer").waitFor();
    await detail.getByRole("button", { name: "Close" }).press("Escape");
    await detail.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Party/ }).press("Enter");
    await page.keyboard.type("bank");
    await page.keyboard.press("Enter");
    await page.waitForURL(/party=bank/);
    await page.getByLabel("At offset").first().focus();
    await page.keyboard.press("Home");
    await page.waitForURL(/offset=0/);
    await page.getByText("No active contracts here.").waitFor();
    await page.close();
  });
});
