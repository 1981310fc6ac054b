/**
 * Submissions to the packages `bench` and `iou`: the recorded cases. One run is, as the recording has it, a command as JSON text
 * to a transaction whose new contracts have the ids that the engine gives them, and its metadata, on contracts that are read and
 * checked against their ids each time. The suffixes of contract ids, blinding and blobs were not recorded, so the time with
 * them stands beside it.
 */
import { assert } from "../../src/base/assert.js";
import type { EngineCase } from "./figures.js";
import { BenchLedger, type JsonCommand } from "./ledger.js";
import { benchPackages } from "./packages.js";

const alice = "Alice",
  bank = "Bank",
  bob = "Bob";
const leaf = "#bench:Bench:Leaf2",
  main = "#bench:Bench:Main",
  iou = "#iou:Iou:Iou";

export function* submissions(): IterableIterator<EngineCase> {
  yield* benchSubmissions(new BenchLedger(benchPackages("bench-2.1")));
  yield* iouSubmissions(new BenchLedger(benchPackages("iou-2.1")));
}

function* benchSubmissions(ledger: BenchLedger): IterableIterator<EngineCase> {
  const createLeaf: JsonCommand = { kind: "create", template: leaf, argument: { owner: alice, n: "7" } };
  const [root] = ledger.commit([alice], [{ kind: "create", template: main, argument: { p: alice } }]);
  const leaves = ledger.commit([alice], new Array<JsonCommand>(100).fill(createLeaf));
  const onRoot = (choice: string, argument: unknown): JsonCommand[] => [
    { kind: "exercise", template: main, contractId: root!, choice, argument },
  ];
  const submit = (name: string, commands: readonly JsonCommand[]): EngineCase => ledger.submission(name, [alice], commands);
  yield submit("single create", [createLeaf]);
  yield submit("single exercise", [{ kind: "exercise", template: leaf, contractId: leaves[0]!, choice: "Hit", argument: {} }]);
  yield submit("create x100 in one choice", onRoot("CreateMany", { n: "100" }));
  yield submit("create x1000 in one choice", onRoot("CreateMany", { n: "1000" }));
  yield submit("fetch x100", onRoot("FetchMany", { cids: leaves }));
  yield submit("exercise x100", onRoot("HitMany", { cids: leaves }));
  yield submit("interface exercise x100", onRoot("BumpMany", { cids: leaves }));
  yield submit("exercise tree 2^10 leaves", onRoot("Tree", { d: "10" }));
  yield submit("100 create commands", new Array<JsonCommand>(100).fill(createLeaf));
}

function* iouSubmissions(ledger: BenchLedger): IterableIterator<EngineCase> {
  const [contractId] = ledger.commit(
    [bank],
    [{ kind: "create", template: iou, argument: { issuer: bank, owner: alice, amount: "100.0", watchers: [bob] } }],
  );
  assert(contractId !== undefined, "an Iou");
  const onIou = (name: string, choice: string, argument: unknown): EngineCase =>
    ledger.submission(name, [alice], [{ kind: "exercise", template: iou, contractId, choice, argument }]);
  yield onIou("iou transfer", "Transfer", { newOwner: bob });
  yield onIou("iou split", "Split", { part: "30.0" });
}
