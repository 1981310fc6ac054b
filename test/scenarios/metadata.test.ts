/**
 * Annotations and versions of users and of parties, which have the same rules (after the metadata suites of the Ledger API's own test
 * tool).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { AdministeredNode, mask } from "./administration-world.js";
import type { Json } from "./world.js";

let node: AdministeredNode;
before(async () => {
  node = await AdministeredNode.start();
});
after(() => node.stop());

/** What tells users and parties apart. */
interface Resource {
  readonly prefix: string;
  readonly idPath: string;
  readonly invalidUpdate: string;
  readonly tooLarge: string;
  readonly concurrent: string;
  /** How a creation with these annotations ends. */
  create(annotations: Json): Promise<{ readonly refusal: string } | { readonly id: string; readonly metadata: Json }>;
  update(id: string, metadata: Json, paths: readonly string[]): readonly [method: string, path: string, body: Json];
  metadataOf(reply: Json): Json;
}

const users: Resource = {
  prefix: "metadata",
  idPath: "id",
  invalidUpdate: "400 INVALID_USER_UPDATE_REQUEST",
  tooLarge: "400 MAX_USER_ANNOTATIONS_SIZE_EXCEEDED",
  concurrent: "409 CONCURRENT_USER_UPDATE_DETECTED",
  async create(annotations) {
    const id = node.fresh("user"),
      body = { user: { id, metadata: { resourceVersion: "", annotations } }, rights: [] };
    const refusal = await node.refusal("POST", "/v2/users", body);
    return refusal === "200" ? { id, metadata: (await node.ask("GET", `/v2/users/${id}`)).user.metadata } : { refusal };
  },
  update: (id, metadata, paths) => ["PATCH", `/v2/users/${id}`, { user: { id, metadata }, updateMask: mask(...paths) }],
  metadataOf: ({ user }) => user.metadata,
};

const parties: Resource = {
  prefix: "local_metadata",
  idPath: "party",
  invalidUpdate: "400 INVALID_PARTY_DETAILS_UPDATE_REQUEST",
  tooLarge: "400 MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED",
  concurrent: "409 CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED",
  async create(annotations) {
    const partyIdHint = node.fresh("party"),
      body = { partyIdHint, localMetadata: { resourceVersion: "", annotations } };
    const refusal = await node.refusal("POST", "/v2/parties", body);
    if (refusal !== "200") return { refusal };
    const [{ party, localMetadata }] = (await node.ask("GET", `/v2/parties?filter-party=${partyIdHint}::`)).partyDetails;
    return { id: party, metadata: localMetadata };
  },
  update: (id, localMetadata, paths) => [
    "PATCH",
    `/v2/parties/${encodeURIComponent(id)}`,
    { partyDetails: { party: id, localMetadata }, updateMask: mask(...paths) },
  ],
  metadataOf: ({ partyDetails }) => partyDetails.localMetadata,
};

const validKey = "0-aaaa.management.daml/foo",
  invalidKey = ".aaaa.management.daml/foo_";
/** With a key of one letter, as large as annotations may be together. */
const largest = "a".repeat(limits.annotationsBytesMax - 1);

for (const [what, resource] of Object.entries({ users, parties })) {
  describe(`metadata of ${what}`, () => {
    const annotationsPath = `${resource.prefix}.annotations`;
    const made = async (annotations: Json = {}): Promise<{ readonly id: string; readonly metadata: Json }> => {
      const created = await resource.create(annotations);
      assert.ok("id" in created, JSON.stringify(created));
      return created;
    };
    const refused = async (annotations: Json): Promise<string> => {
      const created = await resource.create(annotations);
      return "refusal" in created ? created.refusal : "200";
    };
    const updated = async (id: string, metadata: Json, ...paths: readonly string[]): Promise<Json> =>
      resource.metadataOf(await node.ask(...resource.update(id, metadata, paths)));
    const refusedUpdate = (id: string, metadata: Json, ...paths: readonly string[]): Promise<string> =>
      node.refusal(...resource.update(id, metadata, paths));

    it("the id and the version may be named in a mask, and are not changed by it", async () => {
      const { id, metadata } = await made({ k: "v" });
      assert.deepEqual(
        (await updated(id, { annotations: {} }, resource.idPath, `${resource.prefix}.resource_version`)).annotations,
        metadata.annotations,
      );
    });
    it("an update that names the version it knows holds only while that is the current one", async () => {
      const { id, metadata } = await made(),
        first = await updated(id, { annotations: { k1: "v1", k2: "v2" } }, annotationsPath);
      assert.deepEqual([metadata.resourceVersion, first.resourceVersion], ["0", "1"]);
      assert.equal(await refusedUpdate(id, { resourceVersion: "0", annotations: { k1: "v1a" } }, annotationsPath), resource.concurrent);
      const second = await updated(id, { resourceVersion: "1", annotations: { k1: "v1a", k2: "", k3: "v3" } }, annotationsPath);
      assert.deepEqual(second, { resourceVersion: "2", annotations: { k1: "v1a", k3: "v3" } });
    });
    it("updates at once are all in, or told that they came too late, and none is half in", async () => {
      const { id } = await made();
      await Promise.all(Array.from({ length: 10 }, (_, index) => updated(id, { annotations: { [`k${index}`]: "v" } }, annotationsPath)));
      const { annotations, resourceVersion } = await updated(id, {}, resource.prefix);
      assert.deepEqual([Object.keys(annotations).length, resourceVersion], [10, "11"]);
    });
    it("a mask that is empty, doubled, or names what is not there is refused", async () => {
      const { id } = await made();
      for (const paths of [
        [],
        [annotationsPath, annotationsPath],
        ["unknown_field"],
        [`${resource.prefix}.unknown`],
        [`${resource.prefix}.annotations.k`],
        ["aaa!bbb"],
        [""],
      ]) {
        assert.equal(await refusedUpdate(id, { annotations: { k: "v" } }, ...paths), resource.invalidUpdate, paths.join());
      }
    });
    it("an annotation without a value is refused in what is new", async () =>
      assert.equal(await refused({ k1: "v1", k2: "" }), "400 INVALID_ARGUMENT"));
    it("keys that do not follow their syntax are refused in what is new", async () => {
      assert.equal(await refused({ [invalidKey]: "v" }), "400 INVALID_ARGUMENT");
      assert.deepEqual((await made({ [validKey]: "v" })).metadata.annotations, { [validKey]: "v" });
    });
    it("what is new may have 256 KiB of annotations and no byte more", async () => {
      assert.equal(await refused({ a: `${largest}a` }), "400 INVALID_ARGUMENT");
      assert.equal((await made({ a: largest })).metadata.annotations.a.length, largest.length);
    });
    it("annotations are added and replaced by key, by the path of their map or of its parent", async () => {
      const { id } = await made({ k1: "v1", k2: "v2" });
      assert.deepEqual((await updated(id, { annotations: { k1: "v1a", k3: "v3" } }, annotationsPath)).annotations, {
        k1: "v1a",
        k2: "v2",
        k3: "v3",
      });
      assert.deepEqual((await updated(id, { annotations: { k1: "v1b" } }, resource.prefix)).annotations, { k1: "v1b", k2: "v2", k3: "v3" });
    });
    it("an empty map changes no annotation", async () => {
      const { id } = await made({ k1: "v1" });
      for (const path of [annotationsPath, resource.prefix])
        assert.deepEqual((await updated(id, { annotations: {} }, path)).annotations, { k1: "v1" });
    });
    it("keys that do not follow their syntax are refused in an update, also where they would delete", async () => {
      const { id } = await made({ [validKey]: "a" });
      for (const value of ["v", ""])
        assert.equal(await refusedUpdate(id, { annotations: { [invalidKey]: value } }, annotationsPath), "400 INVALID_ARGUMENT");
      assert.deepEqual((await updated(id, { annotations: { [validKey]: "" } }, annotationsPath)).annotations, {});
    });
    it("keys that are deleted do not count towards the size", async () => {
      const { id } = await made();
      assert.deepEqual(Object.keys((await updated(id, { annotations: { a: largest, cc: "" } }, annotationsPath)).annotations), ["a"]);
    });
    it("an update is bounded in itself and in what it leads to", async () => {
      const { id } = await made({ a: largest });
      assert.equal(await refusedUpdate(id, { annotations: { a: `${largest}a` } }, annotationsPath), "400 INVALID_ARGUMENT");
      assert.equal(await refusedUpdate(id, { annotations: { b: "b" } }, annotationsPath), resource.tooLarge);
      assert.deepEqual((await updated(id, { annotations: { a: "", b: "b" } }, annotationsPath)).annotations, { b: "b" });
    });
  });
}
