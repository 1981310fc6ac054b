/** A ledger that was made to hurt who looks at it, clicked through: what is shown stays bounded, is text, and runs nothing. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { good, hs256, nowSeconds } from "../auth/tokens.js";
import { eventually } from "../http/harness.js";
import { create, createdIn, exercise, World } from "../scenarios/world.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { count } from "../support/knobs.js";
import { testData } from "../support/paths.js";
import { assertClean, launch, open, pick, rowOf, skip } from "./browser.js";
import { manyTemplates, wildDar, wildTemplate } from "./wild-model.js";
import { temporaryFolder } from "../support/folders.js";

const timeout = 300_000,
  contracts = count("LEDGERLINE_CONSOLE_CONTRACTS") ?? 5_000,
  templates = 10_000;
const markup = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><style>*{display:none}</style>`;
/** A page has few elements however much there is to show. */
const elementsMax = 4_000;

async function assertBounded(page: Page, what: string): Promise<void> {
  const elements = (await page.evaluate("document.querySelectorAll('*').length")) as number;
  assert.ok(elements < elementsMax, `${what}: ${elements} elements`);
  assert.equal(await page.evaluate("window.pwned"), undefined, what);
  assert.equal(await page.locator("#app img, #app script, #app style").count(), 0, what);
}

describe("console: a hostile ledger", { skip }, () => {
  let world: World, browser: Browser, owner: string, folder: string;
  const thing = (changes: object = {}): object => ({
    owner,
    text: markup,
    list: [markup, markup],
    map: { [markup]: markup },
    pairs: [[markup, markup]],
    kind: { tag: "Known", value: markup },
    maybe: markup,
    ...changes,
  });
  const plain = (text: string): object => thing({ text, list: [], map: {}, pairs: [], kind: { tag: "Unknown", value: {} }, maybe: null });
  const at = (hash: string): string => `http://127.0.0.1:${world.node.port}/${hash}`;

  before(async () => {
    folder = temporaryFolder("hostile");
    browser = await launch();
    world = await World.start([wildDar]);
    owner = await world.party("owner");
  });
  after(async () => {
    await browser.close();
    await world.stop();
    rmSync(folder, { recursive: true });
  });

  test("console: markup in every field that is shown is text", { timeout }, async () => {
    const made = createdIn(await world.transact([owner], [create(wildTemplate, thing())])).contractId as string;
    const said = await world.transact([owner], [exercise(wildTemplate, made, "Say", { word: markup })]);
    const opened = await open(browser, world.node.port, "#/ledger"),
      { page } = opened;
    await page.locator(".contract-row", { hasText: "onerror" }).first().waitFor();
    await page.goto(at(`#/ledger?contract=${made}`));
    const detail = page.getByRole("complementary", { name: "Contract" });
    await detail.getByText("As Wild:Looks").waitFor();
    assert.ok((await detail.getByText("onerror").count()) >= 8, "payload and view show it");
    await assertBounded(page, "a contract");
    await page.goto(at(`#/transactions?at=${said.offset}`));
    await page.locator(".event-detail").getByText("onerror").nth(1).waitFor(); // argument and result
    await assertBounded(page, "a transaction");

    for (const hash of [
      `#/ledger?party=${encodeURIComponent(markup)}`,
      `#/ledger?template=${encodeURIComponent(markup)}`,
      `#/ledger?contract=${encodeURIComponent(markup)}`,
      `#/packages?id=${encodeURIComponent(markup)}`,
      `#/do?form=create&template=${encodeURIComponent(markup)}`,
      `#/transactions?at=${encodeURIComponent(markup)}`,
      `#/network?party=${encodeURIComponent(markup)}`,
    ]) {
      await page.goto(at(hash));
      await page.locator("main .pane, main .page").first().waitFor();
      await assertBounded(page, hash);
    }
    assertClean(opened);
    await page.close();
  });

  test("console: markup in names of files and in what errors say is text", { timeout }, async () => {
    await world.upload(readFileSync(testData("quickstart.dar")));
    const opened = await open(browser, world.node.port, "#/do?form=dar"),
      { page } = opened,
      file = join(folder, "<img src=x onerror=window.pwned=1>.dar");
    writeFileSync(file, markup);
    await page.getByLabel("DAR file").setInputFiles(file);
    await page.getByRole("alert").getByText("Dar file is corrupt: ").waitFor(); // and why
    await assertBounded(page, "a file");
    const asset = createdIn(
      await world.transact([owner], [create("#ref-model:M:Asset", { issuer: owner, owner, name: markup, amount: "1" })]),
    ).contractId as string;
    await page.goto(at(`#/do?form=exercise&contract=${asset}&choice=Boom`));
    await pick(page, rowOf(page, "Act as").getByRole("button").last(), "owner");
    await page.getByRole("textbox", { name: /^msg/ }).fill(markup);
    await page.locator("form .primary").click();
    await page.getByRole("alert").getByText("onerror").waitFor();
    await assertBounded(page, "an error");
    assertClean(opened);
    await page.close();
  });

  test(`console: ${templates.toLocaleString("en")} templates are found by name, and drawn in pieces`, { timeout }, async () => {
    await world.upload(manyTemplates(templates));
    const opened = await open(browser, world.node.port, "#/ledger"),
      { page } = opened;
    await page.getByRole("button", { name: /^Template/ }).click();
    await page.getByRole("combobox", { name: "Find template" }).fill("Part99:Template7");
    await page.locator(".popover .virtual-row", { hasText: "Many.Part99:Template77" }).waitFor();
    await assertBounded(page, "the list of templates");
    const packageId = (await world.client.get("/admin/packages"))
      .json()
      .packages.find((one: { packageName: string }) => one.packageName === "many").packageId;
    await page.goto(at(`#/packages?id=${packageId}&entity=Many.Part42:Template3`));
    await page.locator("pre.daml.is-wanted", { hasText: "template Template3" }).waitFor();
    await assertBounded(page, "their package");
    assertClean(opened);
    await page.close();
  });

  test("console: a payload of five megabytes is shown in pieces", { timeout }, async () => {
    const text = `${markup}${"x".repeat(5_000_000)}`,
      more = `more of ${text.length.toLocaleString("en")} characters`;
    const large = createdIn(await world.transact([owner], [create(wildTemplate, plain(text))])).contractId as string;
    const opened = await open(browser, world.node.port, `#/ledger?contract=${large}`),
      { page } = opened;
    await page.getByRole("button", { name: more }).first().click();
    await page.getByRole("button", { name: more }).first().waitFor();
    assert.ok(((await page.evaluate("document.body.innerText.length")) as number) < 100_000);
    await assertBounded(page, "a large payload");
    const wide = createdIn(
      await world.transact(
        [owner],
        [create(wildTemplate, thing({ text: "wide", list: Array.from({ length: 40_000 }, (_, index) => `${index}`) }))],
      ),
    ).contractId as string;
    await page.goto(at(`#/ledger?contract=${wide}`));
    await page.getByRole("button", { name: "Open list" }).first().click();
    await page.getByRole("button", { name: "39,900 more" }).first().waitFor();
    await assertBounded(page, "a long list");
    assertClean(opened);
    await page.close();
  });

  test("console: a transaction of a hundred thousand events is a tree that can be scrolled", { timeout }, async () => {
    const made = createdIn(await world.transact([owner], [create(wildTemplate, plain("tree"))])).contractId as string;
    const halves = [15, 14, 9, 8, 6].map((depth) => exercise(wildTemplate, made, "Split", { depth: String(depth) }));
    // Not waited for by a request: a slow machine may take longer than that may last.
    const before = await world.ledgerEnd(),
      { status, text } = await world.client.post("/v2/commands/async/submit", world.commands([owner], halves));
    assert.equal(status, 200, text);
    await eventually("it is recorded", async () => (await world.ledgerEnd()) > before, 120_000);
    const offset = before + 1;
    const opened = await open(browser, world.node.port, `#/transactions?at=${offset}`),
      { page } = opened;
    page.setDefaultTimeout(120_000);
    await page.locator(".event-row").first().waitFor();
    await page.locator(".event-tree .virtual-list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.locator('.event-row[data-node="99962"]').waitFor(); // the last of 65,535 + 32,767 + 1,023 + 511 + 127
    await assertBounded(page, "a large transaction");
    await page.goto(at("#/transactions"));
    await page.locator(".update-row", { hasText: "99,963 events" }).waitFor();
    await assertBounded(page, "the tail");
    assertClean(opened);
    await page.close();
  });

  test(`console: ${contracts.toLocaleString("en")} contracts are counted and scrolled`, { timeout: timeout + contracts }, async () => {
    const other = await world.party("other"),
      each = 500;
    for (let made = 0; made < contracts; made += each)
      await world.transact(
        [other],
        Array.from({ length: each }, (_, index) =>
          create("#many:Many.Part0:Template0", {
            owner: other,
            note: `${made + index === contracts - 1 ? "omega" : `number ${made + index}`} ${markup}`,
          }),
        ),
      );
    const opened = await open(browser, world.node.port, `#/ledger?party=${encodeURIComponent(other)}`),
      { page } = opened;
    page.setDefaultTimeout(30_000 + contracts);
    await page.locator(".contract-row").first().waitFor();
    await page.getByRole("button", { name: "count all" }).click(); // there are more than are read at first
    await page.getByText(`${contracts.toLocaleString("en")} contracts`, { exact: true }).waitFor();
    await page.locator(".contracts").focus();
    await page.keyboard.press("End");
    await page.locator(".contract-row", { hasText: "number 0 <img" }).waitFor(); // the oldest
    await assertBounded(page, "many contracts");
    await page.getByRole("searchbox").fill("omega");
    await page.getByText(`1 of ${contracts.toLocaleString("en")} contracts`).waitFor();
    assertClean(opened);
    await page.close();
  });

  test("console: a page that slept shows everything that was recorded meanwhile", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/transactions"),
      { page } = opened,
      devtools = await page.context().newCDPSession(page);
    await page.getByText("Live").waitFor();
    const begin = (await world.client.get("/v2/state/ledger-end")).json().offset as number,
      times = 300;
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    for (let index = 0; index < times; index++)
      await world.transact([owner], [create("#many:Many.Part1:Template0", { owner, note: `${index}` })]);
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    await page.getByText(`Live: ${times} came since you look.`).waitFor();
    const list = page.locator(".updates"),
      seen = new Set<number>();
    for (let top = 0; !seen.has(begin + 1); top += 400) {
      await list.evaluate((element, to) => element.scrollTo(0, to), top);
      await page.waitForTimeout(60);
      for (const text of await page.locator(".update-row .offset").allInnerTexts()) seen.add(Number(text.replaceAll(",", "")));
      assert.ok(top < 52 * 1_000, `offset ${begin + 1} is there`);
    }
    assert.deepEqual(
      Array.from({ length: times }, (_, index) => begin + 1 + index).filter((offset) => !seen.has(offset)),
      [],
    );
    assertClean(opened);
    await page.close();
  });
});

describe("console: a token that expires", { skip }, () => {
  test("console: whose token expired is asked for another one, and goes on with it", { timeout }, async () => {
    const secret = "a secret of this test",
      node = await startNodeProcess(["--memory", "--auth", `hs256:${secret}`, "--auth-leeway", "0"]),
      browser = await launch(),
      client = new Client(node.port);
    try {
      const tokenFor = (seconds: number): string => hs256(good("participant_admin", { exp: nowSeconds() + seconds }), secret);
      const opened = await open(browser, node.port, "#/transactions"),
        { page } = opened;
      const give = async (seconds: number): Promise<void> => {
        await page.getByLabel("Token").fill(tokenFor(seconds));
        await page.getByRole("button", { name: "Use this token" }).click();
        await page.locator(".end").filter({ hasText: /^\d+$/ }).waitFor();
      };
      await give(6);
      await page.getByText("may read for no party").waitFor();
      await page.getByRole("alert").waitFor(); // with the form that asks for another one
      const headers = { authorization: `Bearer ${tokenFor(200)}` },
        {
          partyDetails: { party },
        } = (await client.request("POST", "/v2/parties", { partyIdHint: "alice" }, headers)).json();
      assert.equal(
        (
          await client.request(
            "POST",
            "/v2/users/participant_admin/rights",
            { userId: "participant_admin", identityProviderId: "", rights: [{ kind: { CanReadAs: { value: { party } } } }] },
            headers,
          )
        ).status,
        200,
      );
      await give(6);
      await page.locator(".update-row", { hasText: "alice" }).waitFor();
      await page.getByRole("alert").waitFor();
      await give(200);
      await page.locator(".update-row", { hasText: "alice" }).waitFor();
      assertClean(opened);
    } finally {
      client.close();
      await browser.close();
      await node.stop();
    }
  });
});
