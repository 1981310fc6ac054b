/** The ledger's and the node's API as the program serves them, around whatever services a test has. */
import { type LedgerApiOptions, ownApis, type Served, serveApis, type ServingOptions } from "../../src/api/index.js";
import { ownTurns } from "./turns.js";

export type ServedOptions = LedgerApiOptions & Omit<ServingOptions, "turns"> & Partial<Pick<ServingOptions, "turns">>;

export const servedNode = ({ services, authentication, ...serving }: ServedOptions): Served =>
  serveApis(ownApis({ services, authentication }), { turns: ownTurns(), ...serving });
