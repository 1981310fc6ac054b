/** Where this node's Scan is found stands on the ledger, in the state of its SV's nodes: other software reads it from any Scan. */
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { SvNodeState, SynchronizerNode } from "../node-states.js";
import { byRules, nothingDue, ofDso, type Trigger } from "./trigger.js";

/** Nodes that nobody described. */
const undescribed: SynchronizerNode & { readonly cometBft: object } = { cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] } };

export const publishScan: Trigger = {
  name: "publish-scan",
  what: "writes into the state of the SV's nodes where its Scan is found",
  async due(economy) {
    const { scanUrl, sv, dsoRules } = economy;
    if (scanUrl === undefined) return nothingDue;
    const own = (await ofDso<SvNodeState>(economy, templates.svNodeState)).filter(({ payload }) => payload.sv === sv).at(-1),
      synchronizerId = dsoRules.payload.config.decentralizedSynchronizer.activeSynchronizerId;
    if (own === undefined) return nothingDue;
    const [, node = undescribed] = own.payload.state.synchronizerNodes.find(([id]) => id === synchronizerId) ?? [];
    if (node.scan?.publicUrl === scanUrl) return nothingDue;
    const argument = { synchronizerId, newNodeConfig: { ...node, scan: { publicUrl: scanUrl } }, nodeStateCid: own.contractId },
      submission = () => byRules(economy, "DsoRules_SetSynchronizerNodeConfig", argument);
    return { tasks: [{ key: own.contractId, since: instantOf(own.createdAt), submission }] };
  },
};
