/** What an operator says of a token of his own, so that it has its registry without code. */
import type { Party } from "../../ledger/index.js";
import type { Name } from "../names.js";

export interface TokenInstrument {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** A contract of the token's admin that choices need: under a key of the context, as one id or as a list of them, or only disclosed. */
export interface TokenContract {
  readonly template: Name;
  readonly key?: string;
  readonly asList?: boolean;
  /** Also those that others signed and the admin only observes. */
  readonly observed?: boolean;
}

export interface TokenRegistry {
  /** Its part of the path: `/registries/NAME/registry/...` */
  readonly name: string;
  readonly admin: Party;
  readonly instruments: readonly TokenInstrument[];
  readonly contracts: readonly TokenContract[];
  /** The templates whose contracts are the factories. */
  readonly factories: { readonly transfer?: Name; readonly allocation?: Name; readonly settlement?: Name };
}
