/** Topology transactions that clients bring beside that of the party, written by the schema. */
import { basename, join } from "node:path";
import protobuf from "protobufjs";
import type { Holder } from "./holders.js";
import { repositoryRoot } from "../support/paths.js";

const root = new protobuf.Root();
root.resolvePath = (_, target) => join(repositoryRoot(), "proto", basename(target));
root.loadSync(["topology.proto"], { keepCase: true }).resolveAll();
const typeOf = (name: string): protobuf.Type => root.lookupType(`ledgerline.topology.${name}`);

export function topologyTransaction(mapping: object, change: object = {}): Uint8Array {
  const data = typeOf("TopologyTransaction")
    .encode({ operation: 1, serial: 1, mapping, ...change })
    .finish();
  return typeOf("UntypedVersionedMessage").encode({ data, version: 30 }).finish();
}

const usage = { namespace: 1, protocol: 4 };
const keyOf = ({ key }: Holder, uses: keyof typeof usage) => ({ format: 4, public_key: key.spki, usage: [usage[uses]], key_spec: 1 });

/** Of a namespace to its own key, where nothing else is said. */
export const delegation = (holder: Holder, change: object = {}): Uint8Array =>
  topologyTransaction({
    namespace_delegation: {
      namespace: holder.key.fingerprint,
      target_key: keyOf(holder, "namespace"),
      can_sign_all_mappings: {},
      ...change,
    },
  });

export const decentralized = (namespace: string, threshold: number, owners: readonly Holder[]): Uint8Array =>
  topologyTransaction({
    decentralized_namespace_definition: {
      decentralized_namespace: namespace,
      threshold,
      owners: owners.map(({ key }) => key.fingerprint),
    },
  });

export const partyToKeys = (party: string, threshold: number, holders: readonly Holder[]): Uint8Array =>
  topologyTransaction({
    party_to_key_mapping: { party, threshold, signing_keys: holders.map((holder) => keyOf(holder, "protocol")) },
  });
