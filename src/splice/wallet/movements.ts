/** Amulet that came and went in a part of a transaction. */
import type { Party } from "../../ledger/index.js";
import { ownerOf } from "../active-contracts.js";
import type { Contracts } from "../contracts.js";
import { isOfNetwork } from "../dso-of.js";
import type { Exercised, LedgerEvent, Node } from "../history/transaction.js";
import { initialOf, type Holding } from "../holdings-summary.js";
import { entityOf, templates } from "../names.js";

export interface PartyAndAmount {
  readonly party: Party;
  readonly amount: string;
}

/** What came and went below a choice, by owner; what is locked counts as gone. */
export class Movements {
  readonly #net = new Map<Party, bigint>();
  /** What a transaction makes and spends is nowhere else. */
  readonly #made = new Map<string, Holding>();
  readonly lockedOwners = new Set<Party>();

  add(party: Party, parts: bigint): void {
    this.#net.set(party, (this.#net.get(party) ?? 0n) + parts);
  }
  make(contractId: string, holding: Holding): void {
    this.#made.set(contractId, holding);
    this.add(ownerOf(holding), initialOf(holding));
  }
  madeAs(contractId: string): Holding | undefined {
    return this.#made.get(contractId);
  }
  of(party: Party): bigint {
    return this.#net.get(party) ?? 0n;
  }
  get isEmpty(): boolean {
    return this.#net.size === 0 && this.lockedOwners.size === 0;
  }
  concern(party: Party): boolean {
    return this.#net.has(party) || this.lockedOwners.has(party);
  }
  /** Who got something, be it burnt at once. */
  received(): readonly { readonly party: Party; readonly parts: bigint }[] {
    return [...this.#net].filter(([, parts]) => parts >= 0n).map(([party, parts]) => ({ party, parts }));
  }
  payer(): Party | undefined {
    return [...this.#net].find(([, parts]) => parts < 0n)?.[0];
  }
}

export interface MovementsContext {
  readonly contracts: Pick<Contracts, "creationsOf">;
  /** The network's, whose Amulet is told; undefined: there is none. */
  readonly dso: Party | undefined;
}

export async function movementsBelow({ contracts, dso }: MovementsContext, node: Node<LedgerEvent>): Promise<Movements> {
  const movements = new Movements(),
    spent = await contracts.creationsOf<Holding["payload"]>(spentBelow(node));
  const move = ({ event: { CreatedEvent: created, ExercisedEvent: exercised }, children }: Node<LedgerEvent>): void => {
    if (created && isAmulet(created.templateId, created.packageName)) {
      if (isOfNetwork(created.createArgument, dso)) movements.make(created.contractId, { payload: created.createArgument } as Holding);
    } else if (exercised && spends(exercised)) {
      const { contractId, templateId, packageName } = exercised,
        known = movements.madeAs(contractId) ?? spent.get(contractId),
        holding = known && isOfNetwork(known.payload, dso) ? known : undefined;
      if (holding && isAmulet(templateId, packageName)) movements.add(ownerOf(holding), -initialOf(holding));
      else if (holding) movements.lockedOwners.add(ownerOf(holding));
    }
    children.forEach(move);
  };
  move(node);
  return movements;
}

/** Holdings, by their ids: but for Amulet that is made there, which is known. */
function spentBelow(node: Node<LedgerEvent>): readonly string[] {
  const spent = new Set<string>(),
    made = new Set<string>();
  const look = ({ event: { CreatedEvent: created, ExercisedEvent: exercised }, children }: Node<LedgerEvent>): void => {
    if (created && isAmulet(created.templateId, created.packageName)) made.add(created.contractId);
    else if (exercised && spends(exercised)) spent.add(exercised.contractId);
    children.forEach(look);
  };
  look(node);
  return [...spent].filter((contractId) => !made.has(contractId));
}

const spends = (exercised: Exercised): boolean => exercised.consuming && isHolding(exercised);

export const isAmulet = (templateId: string, packageName: string): boolean =>
  packageName === templates.amulet.packageName && entityOf(templateId) === templates.amulet.entity;
const isHolding = ({ templateId, packageName }: Exercised): boolean =>
  isAmulet(templateId, packageName)
  || (packageName === templates.lockedAmulet.packageName && entityOf(templateId) === templates.lockedAmulet.entity);
