/** The token standard's servers over a participant's ledger: loaded where somebody asks for them. */
import { readFileSync } from "node:fs";
import type { Api } from "./api/index.js";
import { registryApis } from "./api/registry/index.js";
import { scanApi } from "./api/scan/index.js";
import { validatorApis } from "./api/validator/index.js";
import type { Authentication } from "./auth/index.js";
import { isFailure } from "./base/result.js";
import type { Turns } from "./base/turns.js";
import type { Participant } from "./ledger/index.js";
import { clashAmong, createSplice, readTokenRegistries, type SpliceOptions, type TokenRegistry } from "./splice/index.js";
import { StartFailure } from "./start-failure.js";
import type { StartOptions } from "./start-options.js";

export interface TokenStandardParts {
  readonly ledger: Participant;
  readonly turns: Turns;
  readonly authentication: Authentication;
  readonly printing: NonNullable<SpliceOptions["printing"]>;
  readonly ready: () => boolean;
}

export interface TokenStandard {
  /** With the user whose primary party operates the validator, and the validator's participant, where that is not the ledger's own. */
  apis(operator: string, home?: Participant): readonly Api[];
  /** Goes on with what is printed ahead. */
  resume(): Promise<void>;
  printedOffset(): number;
  close(): Promise<void>;
}

export function openTokenStandard(
  options: Pick<StartOptions, "tokenRegistries">,
  { ledger, turns, authentication, printing, ready }: TokenStandardParts,
): TokenStandard {
  const shared = createSplice({ ledger, turns, registries: tokenRegistriesOf(options, ledger), printing, warn: printing.warn });
  return {
    apis: (operator, home) => {
      const splice = shared.operatedBy(operator, home),
        services = { splice, ready, participantId: ledger.participantId };
      return [scanApi(services), ...registryApis({ splice, authentication }), ...validatorApis({ services, authentication })];
    },
    resume: () => shared.resume(),
    printedOffset: () => shared.printedOffset(),
    close: () => shared.close(),
  };
}

function tokenRegistriesOf(
  { tokenRegistries }: Pick<StartOptions, "tokenRegistries">,
  { participantId }: Participant,
): readonly TokenRegistry[] {
  const namespace = participantId.slice(participantId.indexOf("::") + "::".length);
  const registries = tokenRegistries.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      throw new StartFailure(`--token-registry: cannot read ${file}: ${(error as Error).message}`);
    }
    const read = readTokenRegistries(file, text, { namespace });
    if (isFailure(read)) throw new StartFailure(`--token-registry: ${read.error}`);
    return read.ok;
  });
  const clash = clashAmong(registries);
  if (clash !== undefined) throw new StartFailure(`--token-registry: ${clash}`);
  return registries;
}
