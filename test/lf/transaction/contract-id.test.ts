import assert from "node:assert/strict";
import { test } from "node:test";
import { HmacSha256 } from "../../../src/base/sha256.js";
import {
  authenticationData,
  childSeed,
  type ContractInstance,
  isSuffixed,
  localContractId,
  localContractIds,
  type NewContract,
  parseContractId,
  suffixContractId,
} from "../../../src/lf/transaction/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { id, valueTypes } from "../value/types.js";
import { isAuthentic } from "./typed-ids.js";

const local = `00${"1f".repeat(32)}`;

test("contract ids: both versions are taken apart", () => {
  assert.deepEqual(parseContractId(`${local}ca12`), { ok: { version: 1, discriminator: "1f".repeat(32), suffix: "ca12" } });
  assert.deepEqual(parseContractId(`01${"2e".repeat(12)}80`), { ok: { version: 2, local: "2e".repeat(12), suffix: "80" } });
  assert.deepEqual([isSuffixed(local), isSuffixed(`${local}00`), isSuffixed(`01${"2e".repeat(12)}`)], [false, true, false]);
});

test("contract ids: sizes are bounded and letters are lower-case hex", () => {
  const valid = (hex: string): boolean => parseContractId(hex).ok !== undefined;
  assert(valid(local + "ab".repeat(94)));
  assert(!valid(local + "ab".repeat(95)));
  assert(valid(`01${"2e".repeat(12 + 33)}`));
  assert(!valid(`01${"2e".repeat(12 + 34)}`));
  for (const wrong of ["", "00", local.slice(2), local.toUpperCase(), `${local}a`, `02${"1f".repeat(32)}`, `${local} `, `${local}zz`])
    assert(!valid(wrong), wrong);
});

test("contract ids: the salt is wrapped", () => {
  const salt = Uint8Array.from({ length: 32 }, (_, i) => i);
  assert.equal(Buffer.from(authenticationData(salt)).toString("hex"), `0a260a2408011220${Buffer.from(salt).toString("hex")}101e`);
});

test("contract ids: an id is authentic with the parts that it was made of, and of its own version", () => {
  const type = valueTypes().ofData(id("Point"));
  const contract: ContractInstance = {
    contractId: local,
    packageName: "types",
    templateId: id("Point"),
    version: "2.1",
    signatories: ["A"],
    stakeholders: ["A", "B"],
    key: undefined,
    argument: { kind: "record", fields: [{ value: { kind: "int64", value: 1n } }, { value: { kind: "int64", value: -2n } }] },
    createdAt: -1n,
    authenticationData: authenticationData(new Uint8Array(32)),
  };
  const { contractId: localId, templateId: template, ...parts } = contract;
  const full = suffixContractId({ ...parts, localId, template, type, salt: new Uint8Array(32) });
  assert.equal(full.length, 138);
  const made = { ...contract, contractId: full };
  assert(isAuthentic(made, type));
  assert(!isAuthentic({ ...contract, contractId: full.replace("ca12", "ca10") }, type), "of another version");
  assert(!isAuthentic(contract, type), "a local id");
  assert(isAuthentic({ ...contract, contractId: full.replace("1f", "2f") }, type), "the discriminator is not part of the suffix");
  const { authenticationData: data } = made;
  for (const wrong of [new Uint8Array(0), data.slice(1), Uint8Array.of(...data, 0), Uint8Array.of(...data.slice(0, -1), 0)])
    assert(!isAuthentic({ ...made, authenticationData: wrong }, type), "bytes that hold no salt");
  const mistyped: LedgerValue = { kind: "record", fields: [{ value: { kind: "int64", value: 1n } }, { value: { kind: "unit" } }] };
  assert.throws(() => isAuthentic(made, type, mistyped));
  assert(isAuthentic(made, type), "after a hash that ended in the middle");
});

test("contract ids: local ones that are made together are those that are made one by one", () => {
  const seeds = [1, 2, 3].map((each) => new Uint8Array(32).fill(each)),
    keys = seeds.map((seed) => new HmacSha256(seed));
  const stakeholders = (count: number): string[] => Array.from({ length: count }, (_, i) => `party-${i}::1220${"ab".repeat(32)}`);
  for (let count = 0; count < 40; count++) {
    const contracts = Array.from({ length: count }, (_, i): NewContract & { readonly at: number } => {
      const at = (i * count) % 3,
        parties = i % 11 === 10 ? 60 : (i * i * count) % 5; // 60 parties are more than a lane takes
      return { seed: keys[at]!, index: i, stakeholders: stakeholders(parties), at };
    });
    const singly = contracts.map(({ at, index, stakeholders: parties }) =>
      localContractId(childSeed(new HmacSha256(seeds[at]!), index), 5n, parties),
    );
    assert.deepEqual(localContractIds(contracts, 5n), singly, `${count} contracts`);
  }
});
