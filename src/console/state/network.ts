/** The network's servers, and the commands of the token standard: contexts come from the registry, the ledger takes the rest. */
import type {
  Command,
  JsSubmitAndWaitForTransactionRequest,
  JsSubmitAndWaitForTransactionResponse,
} from "../../api/ledger/types/commands.js";
import {
  type ChoiceContextAnswer,
  type ClosedRoundsAnswer,
  type Described,
  type DsoAnswer,
  type FactoryAnswer,
  type NamesAnswer,
  type Round,
  type RoundsAnswer,
  type RulesAnswer,
  type VoteRequest,
  type VoteRequestsAnswer,
  type VoteResult,
  type VoteResultsAnswer,
  roundsOf,
  voteRequestsOf,
  voteResultsOf,
} from "../daml/network.js";
import {
  type Allocation,
  type AllocationRequest,
  factoryOf,
  type Holding,
  idOf,
  type Instrument,
  interfaces,
  type Json,
  type Part,
  type Transfer,
  units,
} from "../daml/token-standard.js";
import { asFailure } from "../client/errors.js";
import { client } from "./session.js";
import { newCommandId, submission, submit, submitPath } from "./submission.js";

export interface Network {
  /** Undefined: nobody made a network on this ledger. */
  readonly dso: string | undefined;
  readonly name: string;
  readonly amuletName: string;
  readonly isDevNet: boolean;
}

export async function readNetwork(): Promise<Network> {
  try {
    const { dso_party_id: dso } = await client.get<DsoAnswer>("/api/scan/v0/dso-party-id");
    const [
      { network_name: name, amulet_name: amuletName },
      {
        amulet_rules_update: { contract },
      },
    ] = await Promise.all([client.get<NamesAnswer>("/api/scan/v0/splice-instance-names"), readRules()]);
    return { dso, name, amuletName, isDevNet: ((contract?.payload as Json | undefined)?.["isDevNet"] as unknown) === true };
  } catch (error) {
    if (asFailure(error).status === 404) return { dso: undefined, name: "", amuletName: "", isDevNet: false };
    throw error;
  }
}

const readRules = (): Promise<RulesAnswer> => client.post("/api/scan/v0/amulet-rules", {});
const askRounds = (): Promise<RoundsAnswer> =>
  client.post("/api/scan/v0/open-and-issuing-mining-rounds", {
    cached_open_mining_round_contract_ids: [],
    cached_issuing_round_contract_ids: [],
  });

export async function readRounds(): Promise<readonly Round[]> {
  const [open, closed] = await Promise.all([askRounds(), client.get<ClosedRoundsAnswer>("/api/scan/v0/closed-rounds")]);
  return roundsOf(open, closed, Date.now());
}

const resultsShown = 50;

export async function readVotes(): Promise<{ readonly open: readonly VoteRequest[]; readonly results: readonly VoteResult[] }> {
  const [open, results] = await Promise.all([
    client.get<VoteRequestsAnswer>("/api/scan/v0/admin/sv/voterequests"),
    client.post<object, VoteResultsAnswer>("/api/scan/v0/admin/sv/voteresults", { limit: resultsShown }),
  ]);
  return { open: voteRequestsOf(open), results: voteResultsOf(results) };
}

/** By the node's own SV. */
export const castVote = (request: VoteRequest, isAccepted: boolean): Promise<string> =>
  client.send("/api/sv/v0/admin/sv/votes", {
    vote_request_contract_id: request.contractId,
    is_accepted: isAccepted,
    reason_url: "",
    reason_description: "",
  });

export interface Asked {
  readonly path: string;
  readonly body: unknown;
}
/** A command, with all that was asked on its way to the ledger. */
export interface Sent {
  readonly asked: readonly Asked[];
  readonly answer: JsSubmitAndWaitForTransactionResponse;
}

/** Keeps what it asks. */
class Asking {
  readonly asked: Asked[] = [];

  ask<A>(path: string, body: object): Promise<A> {
    this.asked.push({ path, body });
    return client.post<object, A>(path, body);
  }

  async submit(command: Command, actAs: readonly string[], disclosed: ChoiceContextAnswer["disclosedContracts"]): Promise<Sent> {
    const body = submission(command, { actAs, commandId: newCommandId(), disclosed });
    this.asked.push({ path: submitPath, body });
    return { asked: this.asked, answer: await submit(body) };
  }
}

const meta = { values: {} };
const extraArgs = (context: ChoiceContextAnswer | undefined): object => ({ context: context?.choiceContextData ?? { values: {} }, meta });
const interfaceId = (part: Part, generation: "v1" | "v2"): string =>
  idOf(interfaces.find((one) => one.part === part && one.generation === generation)!);
const exercise = (templateId: string, contractId: string, choice: string, choiceArgument: object): Command => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument },
});
const withoutDebug = { excludeDebugFields: true };

export type TransferStep = "accept" | "reject" | "withdraw";

/** The receiver accepts or rejects, the sender withdraws. */
export async function endTransfer({ contractId, generation, sender, receiver }: Transfer, step: TransferStep): Promise<Sent> {
  const asking = new Asking(),
    actor = step === "withdraw" ? sender : receiver;
  const context = await asking.ask<ChoiceContextAnswer>(
    `/registry/transfer-instruction/${generation}/${contractId}/choice-contexts/${step}`,
    withoutDebug,
  );
  const argument = { ...(generation === "v2" && { actors: [actor] }), extraArgs: extraArgs(context) };
  return asking.submit(
    exercise(interfaceId("transfer", generation), contractId, `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`, argument),
    [actor],
    context.disclosedContracts,
  );
}

export async function withdrawAllocation({ contractId, generation, owner }: Allocation): Promise<Sent> {
  const asking = new Asking();
  const context = await asking.ask<ChoiceContextAnswer>(
    `/registry/allocations/${generation}/${contractId}/choice-contexts/withdraw`,
    withoutDebug,
  );
  const argument = { ...(generation === "v2" && { actors: [owner] }), extraArgs: extraArgs(context) };
  return asking.submit(
    exercise(interfaceId("allocation", generation), contractId, "Allocation_Withdraw", argument),
    [owner],
    context.disclosedContracts,
  );
}

/** A request says itself what its rejection needs. */
export function rejectRequest({ contractId, generation }: AllocationRequest, actor: string): Promise<Sent> {
  const argument = { ...(generation === "v1" ? { actor } : { actors: [actor] }), extraArgs: extraArgs(undefined) };
  return new Asking().submit(exercise(interfaceId("request", generation), contractId, "AllocationRequest_Reject", argument), [actor], []);
}

const inputsMax = 100;

/** What pays: contracts of the party that are free, the largest first, as many as it takes and one more for fees. */
export function inputsOf(holdings: readonly Holding[], owner: string, { admin, id }: Instrument, amount: string): readonly string[] {
  const free = holdings.filter((one) => one.owner === owner && !one.isLocked && one.instrument.admin === admin && one.instrument.id === id);
  const ordered = free.sort((left, right) => (units(left.amount) < units(right.amount) ? 1 : -1)).slice(0, inputsMax),
    chosen: string[] = [];
  let sum = 0n;
  for (const one of ordered) {
    chosen.push(one.contractId);
    if (sum > units(amount)) break;
    sum += units(one.amount);
  }
  return chosen;
}

/** Whose legs are set aside, one after the other: each is a command. */
export async function acceptRequest(request: AllocationRequest, owner: string, holdings: readonly Holding[]): Promise<readonly Sent[]> {
  const { view, generation } = request,
    sent: Sent[] = [],
    requestedAt = new Date().toISOString();
  if (generation === "v2") {
    const wanted = (view["allocations"] as readonly Json[]).filter((one) => (one["authorizer"]?.["owner"] as unknown) === owner);
    for (const allocation of wanted) {
      const paid = request.legs.find(({ sender }) => sender === owner),
        inputHoldingCids = paid ? inputsOf(holdings, owner, paid.instrument, paid.amount) : [];
      sent.push(
        await allocate("v2", owner, { settlement: view["settlement"], allocation, requestedAt, inputHoldingCids, actors: [owner] }),
      );
    }
    return sent;
  }
  for (const leg of request.legs.filter(({ sender }) => sender === owner)) {
    const allocation = { settlement: view["settlement"], transferLegId: leg.name, transferLeg: view["transferLegs"]?.[leg.name] };
    sent.push(
      await allocate("v1", owner, {
        expectedAdmin: leg.instrument.admin,
        allocation,
        requestedAt,
        inputHoldingCids: inputsOf(holdings, owner, leg.instrument, leg.amount),
      }),
    );
  }
  return sent;
}

async function allocate(generation: "v1" | "v2", owner: string, argument: object): Promise<Sent> {
  const asking = new Asking(),
    choiceArguments = { ...argument, extraArgs: extraArgs(undefined) };
  const { factoryId, choiceContext } = await asking.ask<FactoryAnswer>(
    `/registry/allocation-instruction/${generation}/allocation-factory`,
    { choiceArguments, ...withoutDebug },
  );
  return asking.submit(
    exercise(factoryOf.allocation(generation), factoryId, "AllocationFactory_Allocate", {
      ...argument,
      extraArgs: extraArgs(choiceContext),
    }),
    [owner],
    choiceContext.disclosedContracts,
  );
}

export interface Sending {
  readonly sender: string;
  readonly receiver: string;
  readonly instrument: Instrument;
  readonly amount: string;
  readonly reason: string;
}

const offeredForMs = 24 * 3_600_000,
  reasonKey = "splice.lfdecentralizedtrust.org/reason";

export const transferFactoryPath = "/registry/transfer-instruction/v1/transfer-factory";

export function transferArgument({ sender, receiver, instrument, amount, reason }: Sending, holdings: readonly Holding[]): object {
  const transfer = {
    sender,
    receiver,
    amount,
    instrumentId: instrument,
    requestedAt: new Date().toISOString(),
    executeBefore: new Date(Date.now() + offeredForMs).toISOString(),
    inputHoldingCids: inputsOf(holdings, sender, instrument, amount),
    meta: { values: reason === "" ? {} : { [reasonKey]: reason } },
  };
  return { expectedAdmin: instrument.admin, transfer };
}

/** Completes at once where the receiver approved of transfers in advance; else it waits for him. */
export async function sendTransfer(sending: Sending, holdings: readonly Holding[]): Promise<Sent> {
  const asking = new Asking(),
    argument = transferArgument(sending, holdings);
  const { factoryId, choiceContext } = await asking.ask<FactoryAnswer>(transferFactoryPath, {
    choiceArguments: { ...argument, extraArgs: extraArgs(undefined) },
    ...withoutDebug,
  });
  return asking.submit(
    exercise(factoryOf.transfer("v1"), factoryId, "TransferFactory_Transfer", { ...argument, extraArgs: extraArgs(choiceContext) }),
    [sending.sender],
    choiceContext.disclosedContracts,
  );
}

/** What a tap needs of the network: its rules, and the last round that is open. */
export interface TapContext {
  readonly rulesId: string;
  readonly roundId: string;
  readonly disclosed: ChoiceContextAnswer["disclosedContracts"];
}

export async function readTapContext(): Promise<TapContext> {
  const [
    {
      amulet_rules_update: { contract: rules, domain_id: synchronizerId = "" },
    },
    rounds,
  ] = await Promise.all([readRules(), askRounds()]);
  const now = Date.now(),
    open = Object.values(rounds.open_mining_rounds).flatMap(({ contract }) => (contract ? [contract] : []));
  const opensAt = ({ payload }: Described): number => Date.parse(String((payload as Json)["opensAt"]));
  const round = open.filter((one) => opensAt(one) <= now).sort((left, right) => opensAt(right) - opensAt(left))[0];
  if (rules === undefined || round === undefined) throw new Error("the network has no round that is open");
  const disclosed = [rules, round].map(({ template_id: templateId, contract_id: contractId, created_event_blob: createdEventBlob }) => ({
    templateId,
    contractId,
    createdEventBlob,
    synchronizerId,
  }));
  return { rulesId: rules.contract_id, roundId: round.contract_id, disclosed };
}

/** New Amulet from nowhere, as development networks allow. */
export const tapRequest = (
  { rulesId, roundId, disclosed }: TapContext,
  { receiver, amount, commandId }: { readonly receiver: string; readonly amount: string; readonly commandId: string },
): JsSubmitAndWaitForTransactionRequest =>
  submission(
    exercise("#splice-amulet:Splice.AmuletRules:AmuletRules", rulesId, "AmuletRules_DevNet_Tap", { receiver, amount, openRound: roundId }),
    { actAs: [receiver], commandId, disclosed },
  );
