/** A contract that a run made; its blob is written when somebody asks for it. */
import { encodeContractInstance, type ContractInstance, type NodeId } from "../transaction/index.js";
import type { CreatedContract } from "./submission.js";

export class Created implements CreatedContract {
  #blob: Uint8Array | undefined;
  constructor(
    readonly nodeId: NodeId,
    readonly instance: ContractInstance,
  ) {}
  get blob(): Uint8Array {
    return (this.#blob ??= encodeContractInstance(this.instance));
  }
}
