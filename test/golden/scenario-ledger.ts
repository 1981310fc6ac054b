/** The contract store of the scenario harness: visibility, key order and salts as its README describes them. */
import { createHash } from "node:crypto";
import type { ContractInstance } from "../../src/lf/transaction/contract-instance.js";
import { type Interpretation, LedgerContract, type LedgerReader } from "../../src/lf/interpret/engine.js";

const sha256 = (...parts: (string | Uint8Array)[]): Uint8Array => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const saltSeed = sha256("harness contract salt");
export const harnessSalt = (discriminator: Uint8Array): Uint8Array => sha256(saltSeed, discriminator);
export const harnessSubmissionSeed = (scenario: string, step: string): Uint8Array => sha256(`${scenario}/${step}`);

export class ScenarioLedger {
  readonly #contracts = new Map<string, ContractInstance>(); // oldest first
  readonly #archived = new Set<string>();

  /** Contracts ever created, archived ones included. */
  contract(contractId: string): ContractInstance | undefined {
    return this.#contracts.get(contractId);
  }

  reader(parties: readonly string[]): LedgerReader {
    const visible = (instance: ContractInstance): boolean =>
      !this.#archived.has(instance.contractId) && instance.stakeholders.some((party) => parties.includes(party));
    return {
      readContract: (contractId) => {
        const instance = this.#contracts.get(contractId);
        return instance !== undefined && visible(instance) ? new LedgerContract(instance) : undefined;
      },
      readKey: (keyHash) =>
        [...this.#contracts.values()]
          .reverse()
          .filter((instance) => instance.key?.hash === keyHash && visible(instance))
          .map((instance) => new LedgerContract(instance)),
    };
  }

  commit({ transaction, created }: Interpretation): void {
    for (const { instance } of created) this.#contracts.set(instance.contractId, instance);
    const visit = (ids: readonly number[]): void => {
      for (const id of ids) {
        const node = transaction.nodes[id];
        if (node?.kind !== "exercise") continue;
        if (node.consuming) this.#archived.add(node.contractId);
        visit(node.children);
      }
    };
    visit(transaction.roots);
  }
}
