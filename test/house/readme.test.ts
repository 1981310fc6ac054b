import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { readmePath, readReadme, renewed } from "../support/readme.js";

/** `LEDGERLINE_RENEW=1 npm test -- readme` writes them anew; read the difference. */
test("readme: the operation table, flags and limits are those of the code", () => {
  const readme = readReadme();
  if (process.env.LEDGERLINE_RENEW === "1") writeFileSync(readmePath, renewed(readme));
  else assert.equal(readme, renewed(readme));
});
