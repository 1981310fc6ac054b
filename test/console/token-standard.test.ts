/** What the console makes of views of the token standard and of Scan's answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChoiceContext, FactoryWithChoiceContext } from "../../src/api/registry/types.js";
import type {
  GetAmuletRulesResponse,
  GetClosedRoundsResponse,
  GetDsoPartyIdResponse,
  GetOpenAndIssuingMiningRoundsResponse,
  GetSpliceInstanceNamesResponse,
  ListDsoRulesVoteRequestsResponse,
  ListDsoRulesVoteResultsResponse,
} from "../../src/api/scan/types.js";
import {
  type ChoiceContextAnswer,
  type ClosedRoundsAnswer,
  type DsoAnswer,
  type FactoryAnswer,
  type NamesAnswer,
  roundsOf,
  type RoundsAnswer,
  type RulesAnswer,
  voteRequestOf,
  type VoteRequestsAnswer,
  type VoteResultsAnswer,
} from "../../src/console/daml/network.js";
import { amountText, askedBy, type Holding, type Json, sumsOf, tokenOf, units } from "../../src/console/daml/token-standard.js";

/** Compiles as long as each answer of the servers is one that the console reads. */
type Is<Declared extends Read, Read> = Declared;
export type Answers = [
  Is<GetDsoPartyIdResponse, DsoAnswer>,
  Is<GetSpliceInstanceNamesResponse, NamesAnswer>,
  Is<GetAmuletRulesResponse, RulesAnswer>,
  Is<GetOpenAndIssuingMiningRoundsResponse, RoundsAnswer>,
  Is<GetClosedRoundsResponse, ClosedRoundsAnswer>,
  Is<ListDsoRulesVoteRequestsResponse, VoteRequestsAnswer>,
  Is<ListDsoRulesVoteResultsResponse, VoteResultsAnswer>,
  Is<ChoiceContext, ChoiceContextAnswer>,
  Is<FactoryWithChoiceContext, FactoryAnswer>,
];

const contract = (views: Readonly<Record<string, unknown>>, code = 0) =>
  ({
    createdEvent: {
      contractId: "00ab",
      offset: 7,
      interfaceViews: Object.entries(views).map(([entity, viewValue]) => ({
        interfaceId: `1220aa:Splice.Api.Token.${entity}`,
        viewStatus: { code, message: "" },
        viewValue,
      })),
    },
  }) as unknown as Parameters<typeof tokenOf>[0];
const instrumentId = { admin: "dso", id: "Amulet" };

test("console tokens: views of both generations are one form, and the first is used where there are both", () => {
  const v1 = tokenOf(
    contract({
      "HoldingV2:Holding": { account: { owner: "bob" } },
      "HoldingV1:Holding": { owner: "alice", instrumentId, amount: "1.5", lock: { expiresAt: "2026-01-01T00:00:00Z" } },
    }),
  );
  assert.deepEqual(v1, {
    contractId: "00ab",
    offset: 7,
    generation: "v1",
    part: "holding",
    owner: "alice",
    instrument: instrumentId,
    amount: "1.5",
    isLocked: true,
    lockedUntil: "2026-01-01T00:00:00Z",
  });
  const v2 = tokenOf(
    contract({ "HoldingV2:Holding": { account: { owner: "bob", provider: null, id: "" }, instrumentId, amount: "2", lock: null } }),
  );
  assert.deepEqual([v2?.generation, (v2 as Holding).owner, (v2 as Holding).isLocked], ["v2", "bob", false]);
  const allocation = tokenOf(
    contract({
      "AllocationV2:Allocation": {
        settlement: { executors: ["venue"] },
        allocation: {
          admin: "dso",
          authorizer: { owner: "alice" },
          settlementDeadline: null,
          transferLegSides: [
            { transferLegId: "0", side: "SenderSide", otherside: { owner: "bob" }, amount: "3", instrumentId: "Amulet" },
            { transferLegId: "1", side: "ReceiverSide", otherside: { owner: "bob" }, amount: "4", instrumentId: "Amulet" },
          ],
        },
      },
    }),
  );
  assert.equal(allocation?.part, "allocation");
  assert.deepEqual(allocation?.part === "allocation" && allocation.legs.map(({ sender, receiver, amount }) => [sender, receiver, amount]), [
    ["alice", "bob", "3"],
    ["bob", "alice", "4"],
  ]);
  const request = tokenOf(
    contract({
      "AllocationRequestV1:AllocationRequest": {
        settlement: { executor: "venue", settleBefore: "" },
        transferLegs: {
          leg0: { sender: "alice", receiver: "bob", amount: "1", instrumentId },
          leg1: { sender: "bob", receiver: "alice", amount: "2", instrumentId },
        },
      },
    }),
  );
  assert.deepEqual(request?.part === "request" && askedBy(request), ["alice", "bob"]);
});

test("console tokens: views that failed, or that are made of something else, are no harm", () => {
  assert.equal(tokenOf(contract({ "HoldingV1:Holding": undefined }, 3)), undefined);
  for (const view of [
    {},
    { owner: 1, instrumentId: "x", amount: [] },
    { transfer: null, allocation: "a", settlement: 7, transferLegs: [1, "x", null] },
  ])
    for (const entity of [
      "HoldingV1:Holding",
      "HoldingV2:Holding",
      "TransferInstructionV1:TransferInstruction",
      "AllocationV1:Allocation",
      "AllocationV2:Allocation",
      "AllocationRequestV1:AllocationRequest",
      "AllocationRequestV2:AllocationRequest",
    ])
      assert.equal(tokenOf(contract({ [entity]: view }))?.contractId, "00ab", entity);
});

test("console tokens: sums are exact, by party and token", () => {
  assert.deepEqual(
    ["0.1", "0.2", "-1.0000000001", "99999999999999999999999999.9999999999", "many"].map((amount) => amountText(units(amount))),
    ["0.1", "0.2", "-1.0000000001", "99,999,999,999,999,999,999,999,999.9999999999", "0"],
  );
  const holding = (owner: string, amount: string, isLocked = false): Holding => ({
    part: "holding",
    contractId: "",
    generation: "v1",
    offset: 1,
    owner,
    instrument: instrumentId,
    amount,
    isLocked,
    lockedUntil: undefined,
  });
  const sums = sumsOf([holding("alice", "0.1"), holding("alice", "0.2"), holding("bob", "5"), holding("alice", "1", true)]);
  assert.deepEqual(
    sums.map(({ owner, free, locked, contracts }) => [owner, free, locked, contracts]),
    [
      ["bob", "5", "0", 1],
      ["alice", "0.3", "1", 3],
    ],
  );
});

test("console network: rounds tell their state, votes what they are about", () => {
  const round = (number: string, opensAt: string): object => ({
    contract: {
      template_id: "",
      contract_id: number,
      created_event_blob: "",
      payload: { round: { number }, opensAt, targetClosesAt: "", amuletPrice: "0.5" },
    },
  });
  const rounds = roundsOf(
    {
      open_mining_rounds: { a: round("2", "2026-01-02T00:00:00Z"), b: round("3", "2026-01-04T00:00:00Z") },
      issuing_mining_rounds: { c: round("1", "2026-01-01T00:00:00Z") },
    } as unknown as RoundsAnswer,
    { rounds: [] },
    Date.parse("2026-01-03T00:00:00Z"),
  );
  assert.deepEqual(
    rounds.map(({ number, state }) => `${number} ${state}`),
    ["3 opens", "2 open", "1 issuing"],
  );
  const payload = {
    requester: "sv1",
    reason: { url: "", body: "why" },
    voteBefore: "soon",
    votes: [["sv1", { sv: "sv1", accept: true, reason: { url: "", body: "" } }]],
    action: { tag: "ARC_DsoRules", value: { dsoAction: { tag: "SRARC_GrantFeaturedAppRight", value: { provider: "alice" } } } },
  };
  const request = voteRequestOf("00", payload as unknown as Json);
  assert.deepEqual(
    [request.action, request.details, request.votes],
    ["ARC_DsoRules › SRARC_GrantFeaturedAppRight", { provider: "alice" }, [{ name: "sv1", isAccepted: true, reason: "" }]],
  );
});
