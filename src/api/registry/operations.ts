/** What every registry answers. */
import { allocationInstructionOperations } from "./allocation-instructions.js";
import { allocationOperations } from "./allocations.js";
import { metadataOperations } from "./metadata.js";
import { transferInstructionOperations } from "./transfer-instructions.js";

export const registryOperations = {
  ...metadataOperations,
  ...transferInstructionOperations,
  ...allocationInstructionOperations,
  ...allocationOperations,
};
