/** All transactions behind an offset that some parties see, with what they exercised: read page by page, as they were recorded. */
import assert from "node:assert/strict";
import { eventFormat, ledgerEffects, type Json, type World } from "../../scenarios/world.js";

const pageElements = 200;

export async function readLog(world: World, behind: number, parties: readonly string[]): Promise<readonly Json[]> {
  const log: Json[] = [],
    endInclusive = await world.ledgerEnd(),
    includeTransactions = { transactionShape: ledgerEffects, eventFormat: eventFormat({ parties }) };
  for (let beginExclusive = behind; ;) {
    const read = await world.client.post(`/v2/updates?limit=${pageElements}`, {
      beginExclusive,
      endInclusive,
      updateFormat: { includeTransactions },
    });
    assert.equal(read.status, 200, read.text);
    const page: Json[] = read.json().flatMap(({ update }: Json) => (update.Transaction ? [update.Transaction.value] : []));
    log.push(...page);
    if (page.length === 0) return log;
    beginExclusive = page.at(-1).offset;
  }
}
