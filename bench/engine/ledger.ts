/** Contracts in a map, and an engine over them. */
import { hash } from "node:crypto";
import { assert } from "../../src/base/assert.js";
import { sha256 } from "../../src/base/sha256.js";
import { limits } from "../../src/config.js";
import { isFailure } from "../../src/base/result.js";
import {
  type Command,
  type ContractInstance,
  Engine,
  type Interpretation,
  LedgerContract,
  type LedgerReader,
  type PackageId,
  type TemplateReference,
} from "../../src/lf/index.js";
import type { EngineCase } from "./figures.js";
import type { BenchPackages } from "./packages.js";

export type JsonCommand =
  | { readonly kind: "create"; readonly template: string; readonly argument: unknown }
  | {
      readonly kind: "exercise";
      readonly template: string;
      readonly contractId: string;
      readonly choice: string;
      readonly argument: unknown;
    };

export interface Circumstances {
  readonly readAs?: readonly string[];
  readonly disclosed?: readonly string[];
  /** Microseconds. */
  readonly ledgerTime?: bigint;
}

/** Whether contracts that are read are authenticated each time, as in what was recorded of the reference, or are the engine's own. */
type Trust = "none" | "own";

const newYear2024 = 1_704_067_200_000_000n;
const submissionSeed = sha256(Buffer.from("bench"));
const salt = (discriminator: Uint8Array): Uint8Array => sha256(discriminator);

export class BenchLedger {
  readonly #engine: Engine;
  readonly #packagePreference: ReadonlyMap<string, PackageId>;
  readonly #contracts = new Map<string, ContractInstance>();
  /** As for the first time: nothing that was found out about a contract is kept from run to run. */
  readonly #readers: Readonly<Record<Trust, LedgerReader>> = {
    none: { readContract: (id) => this.#read(id, false), readKey: () => [] },
    own: { readContract: (id) => this.#read(id, true), readKey: () => [] },
  };

  constructor({ packages, reader }: BenchPackages) {
    this.#engine = new Engine({ packages: reader, limits });
    this.#packagePreference = new Map(packages.map(({ name, id }) => [name, id]));
  }

  #read(contractId: string, isOwn: boolean): LedgerContract | undefined {
    const instance = this.#contracts.get(contractId);
    return instance && new LedgerContract(instance, isOwn);
  }

  /** Keeps what the commands create, in the order of creation; archived contracts stay readable. */
  commit(actAs: readonly string[], commands: readonly JsonCommand[], circumstances: Circumstances = {}): readonly string[] {
    const { created } = this.#interpret(actAs, commands.map(readCommand), circumstances);
    for (const { instance } of created) this.#contracts.set(instance.contractId, instance);
    return created.map(({ instance }) => instance.contractId);
  }

  /** Submits the same text again and again. */
  submission(name: string, actAs: readonly string[], commands: readonly JsonCommand[], circumstances: Circumstances = {}): EngineCase {
    const texts = commands.map((command) => JSON.stringify(command));
    const {
      transaction: { nodes },
      inputs,
    } = this.#interpret(actAs, commands.map(readCommand), circumstances);
    const creates = nodes.filter(({ kind }) => kind === "create").length;
    const submit = (trust: Trust): Interpretation =>
      this.#interpret(
        actAs,
        texts.map((text) => readCommand(JSON.parse(text) as JsonCommand)),
        { ...circumstances, trust },
      );
    return {
      name,
      run: () => submit("none").nodeCount,
      more: {
        name: "of the node's own contracts, with full contract ids, blinding and blobs",
        run() {
          const { blinding, created } = submit("own");
          return created.reduce((size, { blob }) => size + blob.length, blinding.disclosure.length);
        },
      },
      byHand: {
        name: "its JSON and hashes alone",
        run: () => texts.map((text) => JSON.parse(text) as unknown).length + hashes({ creates, reads: inputs.length }),
      },
    };
  }

  #interpret(
    actAs: readonly string[],
    commands: readonly Command[],
    { readAs = [], disclosed = [], ledgerTime = newYear2024, trust = "none" }: Circumstances & { readonly trust?: Trust },
  ): Interpretation {
    const result = this.#engine.interpret(
      {
        actAs,
        readAs,
        commands,
        disclosed: disclosed.map((id) => this.#contracts.get(id)!),
        ledgerTime,
        preparationTime: ledgerTime,
        submissionSeed,
        participantId: "participant1",
        packagePreference: this.#packagePreference,
        mode: "NUCK",
      },
      { salt, reader: this.#readers[trust] },
    );
    assert(!isFailure(result), `the commands succeed: ${JSON.stringify(result.error)}`);
    return result.ok;
  }
}

const someBytes = Buffer.alloc(100);

/**
 * For each new contract a seed and an id, which are HMACs and so two hashes each; for each that is read the hash of what is in it, and the
 * one in its id.
 */
function hashes({ creates, reads }: { readonly creates: number; readonly reads: number }): number {
  let size = 0;
  for (let index = 0; index < 4 * creates + 2 * reads; index++) size += hash("sha256", someBytes, "hex").length;
  return size;
}

const readCommand = (command: JsonCommand): Command => {
  const template = templateReference(command.template),
    argument = { json: command.argument };
  if (command.kind === "create") return { kind: "create", template, argument };
  return { kind: "exercise", template, contractId: command.contractId, choice: command.choice, argument };
};

/** `#package-name:Module:Name` */
function templateReference(text: string): TemplateReference {
  const [package_, module, name] = text.split(":");
  assert(package_ !== undefined && package_.startsWith("#") && module !== undefined && name !== undefined, "a reference by package name");
  return { package: { name: package_.slice(1) }, module, name };
}
