/** Values of every type, in forms and as they are shown: what one sees is what is sent, and what was recorded. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { World } from "../scenarios/world.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { assertClean, launch, open, type Opened, pick, rowOf, skip } from "./browser.js";

const timeout = 180_000,
  { int64, text, party, optional } = type;

function model(): Uint8Array {
  const module = new ModuleBuilder("Values"),
    box = module.record("Box", { held: optional(type.variable("a")) }, ["a"]);
  const templates = {
    Optionals: { none: optional(optional(int64)), someNone: optional(optional(int64)), someSome: optional(optional(int64)) },
    Maps: { maps: type.list(type.textMap(int64)) },
    Marks: {
      amount: int64,
      t: int64,
      t$u0027: int64,
      unt: text,
      sub: type.con(module.record("Sub", { amount: int64 })),
      pairs: type.genMap(int64, int64),
      counts: type.textMap(int64),
    },
    Counts: { one: type.list(int64), two: type.list(type.textMap(int64)), map: type.genMap(int64, text) },
    Boxes: { box: type.con(box, optional(int64)), list: optional(type.list(text)) },
  };
  for (const [name, fields] of Object.entries(templates))
    module.template(name, { fields: { owner: party, ...fields }, signatories: (self) => [self("owner")] });
  return buildDar(buildPackage({ name: "values", version: "1.0.0", modules: [module] }));
}

describe("console: values", { skip }, () => {
  let world: World, browser: Browser;
  before(async () => {
    browser = await launch();
    world = await World.start([model()]);
    await world.party("alice");
  });
  after(async () => {
    await browser.close();
    await world.stop();
  });

  /** The form that creates one, with all about parties said. */
  async function openForm(template: string): Promise<Opened> {
    const opened = await open(browser, world.node.port, "#/do?form=create"),
      { page } = opened;
    await pick(page, rowOf(page, "Template").getByRole("button"), `Values:${template}`);
    await pick(page, rowOf(page, "Act as").getByRole("button").last(), "alice");
    await pick(page, rowOf(page, "owner").getByRole("button"), "alice");
    return opened;
  }
  const shownArguments = async (page: Page): Promise<Record<string, unknown>> =>
    JSON.parse(await page.locator(".request pre").first().innerText()).commands.commands[0].CreateCommand.createArguments;
  const optionalOf = (page: Page, name: string): Locator => page.locator(".form-optional", { has: rowOf(page, name) }).first();
  const rowsOf = (page: Page, name: string): Locator =>
    page.locator("fieldset", { has: page.locator(":scope > legend .field", { hasText: new RegExp(`^${name}$`) }) });
  const checkboxes = (of: Locator): Locator => of.getByRole("checkbox");
  async function submit(page: Page): Promise<void> {
    await page.locator("form .primary").click();
    await page.getByText("Recorded at offset").waitFor();
    await page.getByRole("link", { name: "look at it" }).click();
  }
  /** What a contract's panel says of a field: its name and type, and all in it. */
  const nodeOf = (page: Page, name: string): Locator =>
    page.locator(".tree .node", { has: page.locator(`:scope > .field`, { hasText: new RegExp(`^${name}$`) }) });
  /** Types come when their package has been read. */
  async function assertSays(page: Page, name: string, words: string): Promise<void> {
    const parts = nodeOf(page, name).locator(".field, .type, .value, .dim");
    let said = "";
    for (let tries = 0; tries < 50 && said !== words; tries++) {
      if (tries > 0) await page.waitForTimeout(100);
      said = (await parts.allInnerTexts()).filter((text) => text !== "").join(" ");
    }
    assert.equal(said, words);
  }

  test("console: None, Some None and Some (Some 42) are sent, recorded and shown as three values", { timeout }, async () => {
    const opened = await openForm("Optionals"),
      { page } = opened;
    await checkboxes(optionalOf(page, "someNone")).check();
    await checkboxes(optionalOf(page, "someSome")).check();
    await checkboxes(optionalOf(page, "someSome")).nth(1).check();
    await optionalOf(page, "someSome").getByRole("textbox").fill("42");
    const { none, someNone, someSome } = await shownArguments(page);
    assert.deepEqual([none, someNone, someSome], [[], [[]], [["42"]]]);
    await submit(page);
    await assertSays(page, "none", "none Optional (Optional Int) None");
    await assertSays(page, "someNone", "someNone Optional (Optional Int) Some Optional Int None");
    await assertSays(page, "someSome", "someSome Optional (Optional Int) Some Optional Int Some Int 42");
    assertClean(opened);
    await page.close();
  });

  test("console: of a list of maps the elements and entries that are shown are sent, whichever are removed", { timeout }, async () => {
    const opened = await openForm("Maps"),
      { page } = opened,
      maps = rowsOf(page, "maps"),
      texts = maps.getByRole("textbox");
    for (const index of [0, 1]) {
      await maps.getByRole("button", { name: "add an element" }).click();
      await maps.getByRole("button", { name: "add an entry" }).nth(index).click();
    }
    for (const [index, text] of ["first", "1", "second", "2"].entries()) await texts.nth(index).fill(text);
    await maps.getByRole("button", { name: "Remove element 0" }).click();
    await maps.getByRole("button", { name: "add an entry" }).click();
    for (const [index, text] of ["second", "2", "third", "3"].entries()) {
      if (index < 2) assert.equal(await texts.nth(index).inputValue(), text);
      else await texts.nth(index).fill(text);
    }
    assert.deepEqual((await shownArguments(page))["maps"], [{ second: "2", third: "3" }]);
    await maps.getByRole("button", { name: "Remove entry 0" }).click();
    await page.locator(".request pre", { hasNotText: "second" }).first().waitFor();
    assert.deepEqual([await texts.nth(0).inputValue(), await texts.nth(1).inputValue()], ["third", "3"]);
    assert.deepEqual((await shownArguments(page))["maps"], [{ third: "3" }]);
    assertClean(opened);
    await page.close();
  });

  test("console: an error marks the one field that it is about", { timeout }, async () => {
    const opened = await openForm("Marks"),
      { page } = opened,
      fields = page.locator("fieldset.arguments"),
      submitted = page.locator("form .primary");
    for (const name of ["pairs", "counts"]) await rowsOf(page, name).getByRole("button", { name: "add an entry" }).click();
    const texts = fields.getByRole("textbox"),
      names = ["amount", "t", "t$u0027", "unt", "sub.amount", "pairs[0][0]", "pairs[0][1]", "key of counts", "counts.one"];
    await texts.nth(names.length - 1).waitFor();
    for (const [index, name] of names.entries()) await texts.nth(index).fill(name === "key of counts" ? "one" : "1");
    for (const wrong of ["t", "t$u0027", "sub.amount", "pairs[0][0]", "pairs[0][1]", "counts.one"]) {
      const field = texts.nth(names.indexOf(wrong));
      await field.fill("bad");
      await submitted.click();
      await page.getByRole("alert").locator("code", { hasText: wrong }).waitFor();
      const marked = await texts.evaluateAll((all) => all.map((one) => one.getAttribute("aria-invalid") === "true"));
      assert.deepEqual(
        names.filter((_, index) => marked[index]),
        [wrong],
      );
      await field.fill("1");
    }
    assertClean(opened);
    await page.close();
  });

  test("console: what was written in a form is there again behind another form, a way back, and another screen", { timeout }, async () => {
    const opened = await openForm("Marks"),
      { page } = opened,
      amount = rowOf(page, "amount").getByRole("textbox").first();
    await amount.fill("7");
    await rowsOf(page, "counts").getByRole("button", { name: "add an entry" }).click();
    await rowsOf(page, "counts").getByRole("textbox").first().fill("one");
    const written = await shownArguments(page);
    const isThereAgain = async (): Promise<void> => {
      await amount.waitFor();
      assert.equal(await amount.inputValue(), "7");
      assert.deepEqual(await shownArguments(page), written);
      assert.equal(await page.locator(".parties .chip").count(), 1, "who acts");
    };
    await page.getByRole("link", { name: "Allocate a party" }).click();
    await page.getByLabel("Name").fill("somebody");
    await page.goBack();
    await isThereAgain();
    await page.getByRole("link", { name: "Node", exact: true }).click();
    await page.getByText("Ledger end").first().waitFor();
    await page.goBack();
    await isThereAgain();
    await page.getByRole("link", { name: "Allocate a party" }).click();
    assert.equal(await page.getByLabel("Name").inputValue(), "somebody");
    assertClean(opened);
    await page.close();
  });

  test("console: it is said how much is in lists and maps, and that an empty one is empty", { timeout }, async () => {
    const [alice] = await world.parties("counting"),
      { contractId } = await world.create([alice], "#values:Values:Counts", {
        owner: alice,
        one: ["7"],
        two: [{}, { a: "1" }],
        map: [["1", "b"]],
      });
    const opened = await open(browser, world.node.port, `#/ledger?contract=${contractId}`),
      { page } = opened;
    await assertSays(page, "one", "one [Int] 1 element 0 Int 7");
    await assertSays(page, "two", "two [TextMap Int] 2 elements 0 TextMap Int empty 1 TextMap Int 1 entry a Int 1");
    await assertSays(page, "map", "map Map Int Text 1 entry 1 Text b");
    assertClean(opened);
    await page.close();
  });

  test(
    "console: what is closed in a contract stays closed, and keeps the focus, whether the ledger rests or moves",
    { timeout },
    async () => {
      const [alice] = await world.parties("closing"),
        contract = { owner: alice, one: ["7"], two: [{ a: "1" }], map: [] },
        { contractId } = await world.create([alice], "#values:Values:Counts", contract);
      const opened = await open(browser, world.node.port, `#/ledger?contract=${contractId}`),
        { page } = opened;
      await assertSays(page, "two", "two [TextMap Int] 1 element 0 TextMap Int 1 entry a Int 1");
      await page.locator(".life").getByText("active ever since").waitFor();
      await page.waitForTimeout(1_500); // the end is looked for each second
      await page.evaluate(
        `new MutationObserver((all) => (window.changes = (window.changes ?? 0) + all.length)).observe(document.querySelector(".tree"), { subtree: true, childList: true })`,
      );
      await nodeOf(page, "one").getByRole("button", { name: "Close one" }).focus();
      await page.waitForTimeout(2_500);
      const focused = (): Promise<unknown> => page.evaluate("document.activeElement.ariaLabel");
      assert.deepEqual([await page.evaluate("window.changes"), await focused()], [undefined, "Close one"]);
      await page.keyboard.press("Enter");
      await world.create([alice], "#values:Values:Counts", contract);
      await page.getByText(/^[1-9].* contracts$/).waitFor();
      await page.locator(".end", { hasText: String(await world.ledgerEnd()) }).waitFor();
      await page.waitForTimeout(1_000);
      assert.equal(await focused(), "Open one");
      assertClean(opened);
      await page.close();
    },
  );

  test(
    "console: a parameter that stands for an optional is sent in the plain form, and a list in an optional keeps its types",
    { timeout },
    async () => {
      const opened = await openForm("Boxes"),
        { page } = opened;
      await checkboxes(optionalOf(page, "held")).check();
      assert.equal(await checkboxes(optionalOf(page, "held")).nth(1).isChecked(), true); // None within could not be told from None
      await optionalOf(page, "held").getByRole("textbox").fill("7");
      await checkboxes(optionalOf(page, "list")).check();
      await optionalOf(page, "list").getByRole("button", { name: "add an element" }).click();
      await optionalOf(page, "list").getByRole("textbox").fill("one");
      assert.equal(await rowOf(page, "held").locator(".type").innerText(), "Optional (Optional Int)");
      const { box, list } = await shownArguments(page);
      assert.deepEqual([box, list], [{ held: "7" }, ["one"]]);
      await submit(page);
      await assertSays(page, "box", "box Box (Optional Int) held Int 7");
      await assertSays(page, "list", "list [Text] 1 element 0 Text one");
      assertClean(opened);
      await page.close();
    },
  );
});
