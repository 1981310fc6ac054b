/** What Scan tells of the Scans and sequencers that a network's operators published. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scanUrlOf } from "../../src/hosted-network.js";
import { parseCommandLine } from "../../src/command-line.js";
import { bySynchronizer, scansOf, sequencersOf, type SvNodeState, type SynchronizerNode } from "../../src/splice/node-states.js";

const stateOf = (svName: string, ...synchronizerNodes: readonly (readonly [string, SynchronizerNode])[]): SvNodeState => ({
  dso: "DSO",
  sv: svName,
  svName,
  state: { synchronizerNodes },
});
const sequencer = { migrationId: "1", sequencerId: "SEQ::sv::1220", url: "https://sequencer.example" };

test("scans: by synchronizer in the order of their ids, each with its SV; the network's own synchronizer is there in any case", () => {
  const one = stateOf("one", ["global::2", { scan: { publicUrl: "https://one.example" } }], ["global::1", { scan: null }]),
    two = stateOf("two", ["global::2", { scan: { publicUrl: "https://two.example" } }]);
  assert.deepEqual(bySynchronizer([one, two], scansOf, "global::1"), [
    { domainId: "global::1", nodes: [] },
    {
      domainId: "global::2",
      nodes: [
        { publicUrl: "https://one.example", svName: "one" },
        { publicUrl: "https://two.example", svName: "two" },
      ],
    },
  ]);
});

test("sequencers: those that may be used from some time on, at addresses of the web; of earlier migrations from the beginning", () => {
  const availableAfter = "2026-01-01T00:00:00Z";
  assert.deepEqual(sequencersOf({ sequencer }, "sv"), [], "it may not be used yet");
  assert.deepEqual(sequencersOf({ sequencer: { ...sequencer, url: "sequencer:5008", availableAfter } }, "sv"), []);
  assert.deepEqual(
    sequencersOf({ sequencer: { ...sequencer, availableAfter }, legacySequencerConfig: { ...sequencer, migrationId: "0" } }, "sv"),
    [
      {
        migrationId: 0,
        id: "SEQ::sv::1220",
        url: "https://sequencer.example",
        svName: "sv",
        availableAfter: "-999999999-01-01T00:00:00+18:00",
      },
      { migrationId: 1, id: "SEQ::sv::1220", url: "https://sequencer.example", svName: "sv", availableAfter },
    ],
  );
});

test("sequencers: one of a physical synchronizer goes by its serial and by the identity of the SV's sequencer", () => {
  const availableAfter = "2026-01-01T00:00:00Z",
    physicalSynchronizers = [
      ["2", { sequencer: { url: "https://two.example" } }],
      ["3", { sequencer: null }],
    ] as const;
  assert.deepEqual(sequencersOf({ physicalSynchronizers, sequencerIdentity: { sequencerId: "SEQ::sv::1220", availableAfter } }, "sv"), [
    { migrationId: -1, synchronizerSerial: 2, id: "SEQ::sv::1220", url: "https://two.example", svName: "sv", availableAfter },
  ]);
  assert.deepEqual(sequencersOf({ physicalSynchronizers }, "sv"), []);
});

test("the address of a node's own Scan: LocalNet's, or where a node on this machine alone listens; others do not know theirs", () => {
  const urlOf = (...args: string[]): string | undefined => {
    const parsed = parseCommandLine(["start", "--memory", ...args], {});
    assert.ok(parsed.ok?.command === "start", parsed.error);
    return scanUrlOf(parsed.ok.options);
  };
  assert.equal(urlOf("--localnet", "dars"), "http://scan.localhost:4000");
  assert.equal(urlOf("--localnet", "dars", "--port-shift", "10000"), "http://scan.localhost:14000");
  assert.equal(urlOf("--splice", "dars"), "http://127.0.0.1:7575");
  assert.equal(urlOf("--splice", "dars", "--host", "::1", "--port", "8080"), "http://[::1]:8080");
  assert.equal(urlOf("--splice", "dars", "--port", "0"), undefined);
  assert.equal(urlOf("--splice", "dars", "--host", "0.0.0.0", "--insecure"), undefined);
});
