/** The token standard as the ledger shows it: views of its interfaces, of both generations, in one form. */
import type { JsActiveContract } from "../../api/ledger/types/state.js";
import { qualifiedName } from "./names.js";

export type Generation = "v1" | "v2";
export type Part = "holding" | "transfer" | "allocation" | "request";

interface Interface {
  readonly part: Part;
  readonly generation: Generation;
  readonly packageName: string;
  readonly entity: string;
}

const of = (part: Part, name: string, module: string, entity: string): readonly Interface[] =>
  (["v1", "v2"] as const).map((generation) => ({
    part,
    generation,
    packageName: `splice-api-token-${name}-${generation}`,
    entity: `Splice.Api.Token.${module}${generation.toUpperCase()}:${entity}`,
  }));

export const interfaces: readonly Interface[] = [
  ...of("holding", "holding", "Holding", "Holding"),
  ...of("transfer", "transfer-instruction", "TransferInstruction", "TransferInstruction"),
  ...of("allocation", "allocation", "Allocation", "Allocation"),
  ...of("request", "allocation-request", "AllocationRequest", "AllocationRequest"),
];

/** As commands and filters name it. */
export const idOf = ({ packageName, entity }: Pick<Interface, "packageName" | "entity">): string => `#${packageName}:${entity}`;
export const factoryOf = {
  transfer: (generation: Generation) => factory("transfer-instruction", "TransferInstruction", "TransferFactory", generation),
  allocation: (generation: Generation) => factory("allocation-instruction", "AllocationInstruction", "AllocationFactory", generation),
};
const factory = (name: string, module: string, entity: string, generation: Generation): string =>
  `#splice-api-token-${name}-${generation}:Splice.Api.Token.${module}${generation.toUpperCase()}:${entity}`;

export interface Instrument {
  readonly admin: string;
  readonly id: string;
}

interface Shown {
  readonly contractId: string;
  readonly generation: Generation;
  readonly offset: number;
}
export interface Holding extends Shown {
  readonly part: "holding";
  readonly owner: string;
  readonly instrument: Instrument;
  readonly amount: string;
  readonly isLocked: boolean;
  readonly lockedUntil: string | undefined;
}
export interface Transfer extends Shown {
  readonly part: "transfer";
  readonly sender: string;
  readonly receiver: string;
  readonly instrument: Instrument;
  readonly amount: string;
  readonly executeBefore: string;
}
/** `receiver`: the other side; `isGiven`: the owner pays. */
export interface Leg {
  readonly name: string;
  readonly sender: string;
  readonly receiver: string;
  readonly instrument: Instrument;
  readonly amount: string;
}
export interface Allocation extends Shown {
  readonly part: "allocation";
  readonly owner: string;
  readonly executors: readonly string[];
  readonly legs: readonly Leg[];
  readonly settleBefore: string;
}
/** What each party is asked to set aside, as its factory takes it. */
export interface AllocationRequest extends Shown {
  readonly part: "request";
  readonly executors: readonly string[];
  readonly legs: readonly Leg[];
  readonly settleBefore: string;
  readonly view: Json;
}
export type Token = Holding | Transfer | Allocation | AllocationRequest;

/** JSON of a contract, which may be anything: whoever implements an interface decides what its view says. */
export type Json = { readonly [name: string]: Json } & readonly Json[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
/** A party, or an account of one. */
const partyOf = (value: Json | undefined): string => text(typeof value === "object" && value !== null ? value["owner"] : value);
const instrumentOf = (value: Json | undefined): Instrument => ({ admin: text(value?.["admin"]), id: text(value?.["id"]) });
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The newer generation only where there is no other: both name the same contract. */
export function tokenOf({ createdEvent }: JsActiveContract): Token | undefined {
  const found = (createdEvent.interfaceViews ?? [])
    .flatMap(({ interfaceId, viewStatus, viewValue }) => {
      const known = interfaces.find(({ entity }) => entity === qualifiedName(interfaceId));
      return known && viewStatus.code === 0 ? [{ known, view: viewValue as Json }] : [];
    })
    .sort((left, right) => (left.known.generation < right.known.generation ? -1 : 1))[0];
  if (found === undefined) return undefined;
  const {
      known: { part, generation },
      view,
    } = found,
    shown: Shown = { contractId: createdEvent.contractId, generation, offset: createdEvent.offset };
  switch (part) {
    case "holding":
      return {
        ...shown,
        part,
        owner: partyOf(view["account"] ?? view["owner"]),
        instrument: instrumentOf(view["instrumentId"]),
        amount: text(view["amount"]),
        isLocked: Boolean(view["lock"]),
        lockedUntil: text(view["lock"]?.["expiresAt"]) || undefined,
      };
    case "transfer": {
      const transfer = view["transfer"];
      return {
        ...shown,
        part,
        sender: partyOf(transfer?.["sender"]),
        receiver: partyOf(transfer?.["receiver"]),
        instrument: instrumentOf(transfer?.["instrumentId"]),
        amount: text(transfer?.["amount"]),
        executeBefore: text(transfer?.["executeBefore"]),
      };
    }
    case "allocation":
      return generation === "v1" ? allocationV1(shown, view["allocation"]) : allocationV2(shown, view);
    case "request":
      return generation === "v1" ? requestV1(shown, view) : requestV2(shown, view);
  }
}

const legV1 = (name: string, leg: Json | undefined): Leg => ({
  name,
  sender: partyOf(leg?.["sender"]),
  receiver: partyOf(leg?.["receiver"]),
  instrument: instrumentOf(leg?.["instrumentId"]),
  amount: text(leg?.["amount"]),
});

/** A side of a leg belongs to the account that allocates. */
function legsV2(specification: Json | undefined): readonly Leg[] {
  const owner = partyOf(specification?.["authorizer"]),
    admin = text(specification?.["admin"]);
  return listOf(specification?.["transferLegSides"]).map((side) => {
    const other = partyOf(side["otherside"]),
      isGiven = text(side["side"]) === "SenderSide";
    return {
      name: text(side["transferLegId"]),
      sender: isGiven ? owner : other,
      receiver: isGiven ? other : owner,
      instrument: { admin, id: text(side["instrumentId"]) },
      amount: text(side["amount"]),
    };
  });
}

function allocationV1(shown: Shown, specification: Json | undefined): Allocation {
  const settlement = specification?.["settlement"],
    leg = legV1(text(specification?.["transferLegId"]), specification?.["transferLeg"]);
  return {
    ...shown,
    part: "allocation",
    owner: leg.sender,
    executors: [text(settlement?.["executor"])],
    legs: [leg],
    settleBefore: text(settlement?.["settleBefore"]),
  };
}

function allocationV2(shown: Shown, view: Json): Allocation {
  const specification = view["allocation"];
  return {
    ...shown,
    part: "allocation",
    owner: partyOf(specification?.["authorizer"]),
    executors: listOf(view["settlement"]?.["executors"]).map(text),
    legs: legsV2(specification),
    settleBefore: text(specification?.["settlementDeadline"]),
  };
}

function requestV1(shown: Shown, view: Json): AllocationRequest {
  const settlement = view["settlement"],
    legs = Object.entries(view["transferLegs"] ?? {}).map(([name, leg]) => legV1(name, leg as Json));
  return {
    ...shown,
    part: "request",
    executors: [text(settlement?.["executor"])],
    legs,
    settleBefore: text(settlement?.["settleBefore"]),
    view,
  };
}

function requestV2(shown: Shown, view: Json): AllocationRequest {
  const specifications = listOf(view["allocations"]);
  return {
    ...shown,
    part: "request",
    executors: listOf(view["settlement"]?.["executors"]).map(text),
    legs: specifications.flatMap(legsV2),
    settleBefore: text(specifications[0]?.["settlementDeadline"]),
    view,
  };
}

/** Who may say that something is set aside: of a first request who pays, of a second also who is paid. */
export function askedBy(request: AllocationRequest): readonly string[] {
  const parties =
    request.generation === "v1"
      ? request.legs.map(({ sender }) => sender)
      : listOf(request.view["allocations"]).map((one) => partyOf(one["authorizer"]));
  return [...new Set(parties)];
}

export interface Sum {
  readonly owner: string;
  readonly instrument: Instrument;
  readonly free: string;
  readonly locked: string;
  readonly contracts: number;
}

const scale = 10;
/** Amounts are decimals of ten places: floating point would not do. */
export function units(amount: string): bigint {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(amount) ?? [];
  const value = BigInt(whole + part.slice(0, scale).padEnd(scale, "0"));
  return sign === "" ? value : -value;
}

export function amountText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const whole = BigInt(digits.slice(0, -scale)).toLocaleString("en"),
    part = digits.slice(-scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${part === "" ? "" : `.${part}`}`;
}

/** Of each party and token; by token, the richest first. */
export function sumsOf(holdings: readonly Holding[]): readonly Sum[] {
  const sums = new Map<string, { owner: string; instrument: Instrument; free: bigint; locked: bigint; contracts: number }>();
  for (const { owner, instrument, amount, isLocked } of holdings) {
    const key = `${owner}\n${instrument.admin}\n${instrument.id}`,
      sum = sums.get(key) ?? { owner, instrument, free: 0n, locked: 0n, contracts: 0 };
    if (isLocked) sum.locked += units(amount);
    else sum.free += units(amount);
    sum.contracts++;
    sums.set(key, sum);
  }
  const total = ({ free, locked }: { readonly free: bigint; readonly locked: bigint }): bigint => free + locked;
  const ordered = [...sums.values()].sort((left, right) =>
    left.instrument.id === right.instrument.id ? (total(left) < total(right) ? 1 : -1) : left.instrument.id < right.instrument.id ? -1 : 1,
  );
  return ordered.map(({ free, locked, ...sum }) => ({ ...sum, free: amountText(free), locked: amountText(locked) }));
}
