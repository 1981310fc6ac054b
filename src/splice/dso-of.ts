/**
 * Which DSO a contract of Amulet's templates says that it belongs to. Any party may make such contracts for a DSO of its own: they are
 * neither this network's money nor offers of it.
 */
import type { Party } from "../ledger/index.js";

interface Instrument {
  readonly instrumentId: { readonly admin: Party };
}

/** Where templates have it, of all generations. */
interface OfSomeDso {
  readonly dso?: Party;
  readonly amulet?: OfSomeDso;
  readonly subscriptionData?: OfSomeDso;
  readonly transfer?: Instrument;
  readonly allocation?: { readonly admin?: Party; readonly transferLeg?: Instrument };
}

function dsoOf({ dso, amulet, subscriptionData, transfer, allocation }: OfSomeDso): Party | undefined {
  const inside = amulet ?? subscriptionData;
  return dso ?? (inside ? dsoOf(inside) : (allocation?.admin ?? (transfer ?? allocation?.transferLeg)?.instrumentId.admin));
}

/** `dso`: the network's; undefined: there is none. */
export const isOfNetwork = (payload: unknown, dso: Party | undefined): boolean => dso === undefined || dsoOf(payload as OfSomeDso) === dso;
