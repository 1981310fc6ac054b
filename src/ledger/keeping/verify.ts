/** Checks a ledger at rest: every record's checksum, the order of offsets, and every index against what it is an index of. */
import { createHash } from "node:crypto";
import { isFailure } from "../../base/result.js";
import { checkFile, openStore, type Store } from "../../store/index.js";
import { decodeExternalParty } from "../external/index.js";
import { readIdentity } from "../model/index.js";
import { checkPart, isKeyOfPart, PackageRegistry, readPayload } from "../packages/index.js";
import { PartyRegistry } from "../parties/index.js";
import { TemplateNames } from "../records/index.js";
import { type Check, type Progress, Verification, type Verified, type VerifyReport } from "./verification.js";
import { acceptances, history, indexes, log } from "./verify-log.js";
import { runs } from "./verify-runs.js";

export type { Progress, VerifyReport } from "./verification.js";

/** First as a file, because LMDB itself does not survive going through one that is not sound. */
export async function verifyLedger(folder: string, progress?: Progress): Promise<VerifyReport> {
  const checked = checkFile(folder, { withJournal: true });
  if (checked && isFailure(checked)) return { sound: false, text: checked.error.text };
  const store = await openStore({ folder, readOnly: true, readsJournal: true });
  try {
    const report = new Verification(participantsOf(store) as [Verified, ...Verified[]], progress).run([
      registries,
      externalParties,
      packagePayloads,
      runs,
      log,
      history,
      indexes,
      acceptances,
    ]);
    const ahead = store.commitsInJournal();
    return ahead === 0
      ? report
      : { ...report, text: `${report.text} Commits behind that, which a start takes from the journal: ${ahead}.` };
  } finally {
    await store.close();
  }
}

const participantsOf = (store: Store): Verified[] =>
  Array.from({ length: store.sets }, (_, set) => {
    const tables = store.tablesOf(set),
      identity = readIdentity(tables);
    return { name: identity === undefined ? String(set) : identity.participantName, tables };
  });

const registries: Check = (verification) => {
  const { tables } = verification;
  verification.count("parties", PartyRegistry.read(tables).sorted().length);
  TemplateNames.read(tables);
  verification.count("packages", PackageRegistry.read(tables).ids().length);
};

/** A party signs for itself exactly when it was onboarded with its keys, on each synchronizer with those for it. */
const externalParties: Check = (verification) => {
  const { tables } = verification,
    parties = PartyRegistry.read(tables),
    onboarded = new Set<string>();
  for (const { key, value } of tables.externalParties.all()) {
    const external = verification.attempt(`external party ${key}`, () => decodeExternalParty(key, value));
    if (external?.isOnboarded !== true) continue;
    const { party, synchronizer } = external,
      known = parties.get(party);
    onboarded.add(`${party}/${synchronizer}`);
    if (known?.isExternal !== true || !known.synchronizers.includes(synchronizer))
      verification.find(`external party ${key}: onboarded, but no party of the ledger`);
  }
  for (const party of parties.sorted()) {
    const { isExternal, synchronizers } = parties.get(party)!;
    if (isExternal && synchronizers.some((synchronizer) => !onboarded.has(`${party}/${synchronizer}`)))
      verification.find(`party ${party}: external, but without keys`);
  }
};

const packagePayloads: Check = (verification) => {
  const { tables } = verification,
    missing = new Set(PackageRegistry.read(tables).ids());
  for (const { key, value } of tables.packagePayloads.all()) {
    missing.delete(key);
    if (isKeyOfPart(key)) {
      verification.attempt(`package ${key}`, () => checkPart(value)); // it may be of an upload that broke off
      continue;
    }
    const payload = verification.attempt(`package ${key}`, () => readPayload(tables, key));
    if (payload && createHash("sha256").update(payload).digest("hex") !== key)
      verification.find(`package ${key}: its bytes have another hash`);
  }
  for (const packageId of missing) verification.find(`package ${packageId}: its bytes are missing`);
};
