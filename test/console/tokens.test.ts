/** A node that checks tokens, by those of users who may little, and by such that end. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { good, hs256 } from "../auth/tokens.js";
import { Client, type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { assertClean, launch, open, type Opened, pick, rowOf, skip } from "./browser.js";

const timeout = 180_000,
  secret = "a secret of this test";
const tokenOf = (sub: string): string => hs256(good(sub), secret);

describe("console: users", { skip }, () => {
  let node: NodeProcess, browser: Browser;
  before(async () => {
    browser = await launch();
    node = await startNodeProcess(["--memory", "--auth", `hs256:${secret}`, "--dar", testData("quickstart.dar")]);
    const client = new Client(node.port),
      headers = { authorization: `Bearer ${tokenOf("participant_admin")}` };
    for (const id of ["alice", "bob"]) {
      const { party } = (await client.request("POST", "/v2/parties", { partyIdHint: id }, headers)).json().partyDetails;
      await client.request("POST", "/v2/users", { user: { id }, rights: [{ kind: { CanActAs: { value: { party } } } }] }, headers);
    }
    client.close();
  });
  after(async () => {
    await browser.close();
    await node.stop();
  });

  async function give(page: Page, user: string): Promise<void> {
    await page.getByLabel("Token").fill(tokenOf(user));
    await page.getByRole("button", { name: "Use this token" }).click();
  }
  async function openAs(user: string, path: string): Promise<Opened> {
    const opened = await open(browser, node.port, path);
    await give(opened.page, user);
    return opened;
  }
  /** As of a token that has ended. */
  async function refuse(page: Page): Promise<void> {
    const path = "**/v2/state/ledger-end";
    await page.route(path, (route) => route.fulfill({ status: 401, body: "" }));
    await page.getByLabel("Token").waitFor();
    await page.unroute(path);
  }

  test("console: who is no administrator is told the node's health and end, and no figures that he may not see", { timeout }, async () => {
    const opened = await openAs("alice", "#/node"),
      { page } = opened;
    await page.getByRole("region", { name: "Health" }).getByText("serving", { exact: true }).waitFor();
    await page.getByText("Only administrators of the participant are told its load").waitFor();
    assert.deepEqual(await page.locator(".card h3").allInnerTexts(), ["LEDGER END"]);
    assert.ok(Number(await page.locator(".card strong").innerText()) > 0);
    assert.equal(await page.getByRole("alert").count(), 0);
    assertClean(opened);
    await page.close();
  });

  test("console: who gives a token that is refused is told where it says why, and Enter gives the next one", { timeout }, async () => {
    const opened = await open(browser, node.port),
      { page } = opened,
      token = page.getByLabel("Token");
    await token.fill("no token");
    await token.press("Enter");
    await page.getByText("The node refused this token: its log tells why.").waitFor();
    await token.fill(tokenOf("alice"));
    await token.press("Enter");
    await page.getByText("No active contracts here.").waitFor();
    assertClean(opened);
    await page.close();
  });

  test(
    "console: what stands in a form is there when a token ended and its user gave another, and not for others",
    { timeout },
    async () => {
      const opened = await openAs("alice", "#/do?form=create"),
        { page } = opened,
        name = page.getByRole("textbox", { name: /^name/ });
      await pick(page, rowOf(page, "Template").getByRole("button"), "M:Asset");
      await name.fill("what took long to write");
      await refuse(page);
      assert.equal(await name.isVisible(), false);
      await give(page, "alice");
      await name.waitFor();
      assert.equal(await name.inputValue(), "what took long to write");
      await refuse(page);
      await give(page, "bob");
      await name.waitFor();
      assert.equal(await name.inputValue(), "");
      assertClean(opened);
      await page.close();
    },
  );
});
