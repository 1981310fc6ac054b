/** Where transactions are that were signed by keys of external parties, by the hash that was signed. */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Turns } from "../../base/turns.js";
import type { LedgerErrorData, Offset, Participant } from "../../ledger/index.js";
import { memberOf } from "../values/json-slices.js";
import { unquoted, type TransactionText } from "./event-text.js";
import { OffsetsByText } from "./offsets-by-text.js";
import { anyPartyFormat, effects, transactionTextPages } from "./reading.js";

export interface SignedTransactionsContext {
  readonly ledger: Pick<Participant, "openUpdates" | "readUpdate" | "ledgerEnd" | "prunedOffsets">;
  readonly turns: Turns;
}

const everything = anyPartyFormat({ cumulative: [] });
const pattern = /^[0-9a-f]{64}$/;

export class SignedTransactions {
  readonly #context: SignedTransactionsContext;
  readonly #offsets: OffsetsByText;
  readonly #searching = new Exclusive();

  constructor(context: SignedTransactionsContext, transactionsKeptMax: number = limits.signedTransactionsKeptMax) {
    this.#context = context;
    this.#offsets = new OffsetsByText({ ...context, format: () => everything, textsIn: hashesIn, keptMax: transactionsKeptMax });
  }

  /** `hash`: hexadecimal. */
  async offsetOf(hash: string): Promise<Result<Offset | undefined, LedgerErrorData>> {
    if (!pattern.test(hash)) return ok(undefined);
    const found = await this.#offsets.of(hash);
    if (isFailure(found)) return found;
    const { candidates, forgottenTo } = found.ok;
    for (const offset of candidates) if ((await this.#hashAt(offset)) === hash) return ok(offset);
    return forgottenTo === 0 ? ok(undefined) : this.#searching.run(() => this.#search(hash, forgottenTo));
  }

  /** Where what was kept of it was forgotten. */
  async #search(hash: string, to: Offset): Promise<Result<Offset | undefined, LedgerErrorData>> {
    for await (const page of transactionTextPages(this.#context, { format: everything, after: 0, to })) {
      if (isFailure(page)) return page;
      const found = page.ok.find((transaction) => hashOf(transaction) === hash);
      if (found) return ok(found.offset);
    }
    return ok(undefined);
  }

  async #hashAt(offset: Offset): Promise<string | undefined> {
    const read = await this.#context.ledger.readUpdate({ by: { offset }, format: effects(everything), form: "flat" });
    return isFailure(read) ? undefined : hashIn(memberOf(read.ok, hashMember)); // it may have been pruned
  }
}

const hashMember = "externalTransactionHash",
  hashIn = (json = "null"): string | undefined => (json === "null" ? undefined : unquoted(json)),
  hashOf = (transaction: TransactionText): string | undefined => hashIn(transaction.get(hashMember));

function hashesIn(transaction: TransactionText): readonly string[] {
  const hash = hashOf(transaction);
  return hash === undefined ? [] : [hash];
}
