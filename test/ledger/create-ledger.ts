/** A network of one participant. */
import { createNetwork, type Interpreter, type NetworkOptions, type Participant, type UpgradeCheck } from "../../src/ledger/index.js";

export interface LedgerOptions extends Omit<NetworkOptions, "participantNames" | "interpreterOf" | "checkUpgradeOf"> {
  readonly interpreter: Interpreter;
  /** Undefined: any. */
  readonly participantName?: string | undefined;
  readonly checkUpgrade?: UpgradeCheck;
}

export async function createLedger({ interpreter, participantName, checkUpgrade, ...options }: LedgerOptions): Promise<Participant> {
  const {
    participants: [only],
  } = await createNetwork({
    ...options,
    participantNames: [participantName],
    interpreterOf: () => interpreter,
    ...(checkUpgrade === undefined ? {} : { checkUpgradeOf: () => checkUpgrade }),
  });
  return only;
}
