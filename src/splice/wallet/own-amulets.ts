/** Amulet of the owners of wallets, as balances and payments read it. Wallets may hold thousands: each is read once. */
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Offset, Party } from "../../ledger/index.js";
import type { Contracts } from "../contracts.js";
import { numbersOf, type Amount, type AmountNumbers } from "../holdings-summary.js";
import { instantOf } from "../instants.js";
import { KnownContracts } from "../known-contracts.js";
import { templates } from "../names.js";

interface Amulet {
  readonly dso: Party;
  readonly owner: Party;
  readonly amount: Amount;
}
interface LockedAmulet {
  readonly amulet: Amulet;
  readonly lock: { readonly expiresAt: string };
}

export interface OwnAmulet extends AmountNumbers {
  readonly contractId: string;
  readonly dso: Party;
}
export interface OwnLockedAmulet extends OwnAmulet {
  /** Microseconds since the epoch. */
  readonly lockedUntil: bigint;
}

export interface OwnAmuletsOptions {
  readonly contracts: Contracts;
  readonly turns: Turns;
}

export class OwnAmulets {
  readonly #free: KnownContracts<Amulet, OwnAmulet>;
  readonly #locked: KnownContracts<LockedAmulet, OwnLockedAmulet>;
  /** Of most it is the same, which is in memory once. */
  #dso: Party = "";

  constructor(options: OwnAmuletsOptions) {
    const knownMax = limits.walletAmuletsKnownMax;
    this.#free = new KnownContracts({
      ...options,
      template: templates.amulet,
      knownMax,
      make: ({ contractId, payload }, party) => this.#ownAmulet(contractId, payload, party),
    });
    this.#locked = new KnownContracts({
      ...options,
      template: templates.lockedAmulet,
      knownMax,
      make: ({ contractId, payload: { amulet, lock } }, party) => {
        const own = this.#ownAmulet(contractId, amulet, party);
        return own && { ...own, lockedUntil: instantOf(lock.expiresAt) };
      },
    });
  }

  /** Those that are active at an offset, near the ledger's end; the oldest first. */
  free(party: Party, at: Offset): Promise<readonly OwnAmulet[]> {
    return this.#free.of(party, at);
  }
  locked(party: Party, at: Offset): Promise<readonly OwnLockedAmulet[]> {
    return this.#locked.of(party, at);
  }

  /** Undefined: the party has another part in it. */
  #ownAmulet(contractId: string, { dso, owner, amount }: Amulet, party: Party): OwnAmulet | undefined {
    if (owner !== party) return undefined;
    if (dso !== this.#dso) this.#dso = dso;
    return { contractId, dso: this.#dso, ...numbersOf(amount) };
  }
}
