import assert from "node:assert/strict";
import { test } from "node:test";
import { noAuthentication, noRights } from "../../src/auth/index.js";
import { fail, ok } from "../../src/base/result.js";
import { ledgerError } from "../../src/ledger/index.js";
import { apiWith, request } from "./support.js";

const summary = (packageId: string) => ({
  packageId,
  name: `n-${packageId}`,
  version: "1.0.0",
  lfVersion: "2.1",
  isUtility: false,
  dependencies: [],
  templates: ["M:T"],
  interfaces: [],
  implements: {},
});

test("packages: their summaries come in pages, each behind the token of the one before", async () => {
  const asked: string[] = [];
  const api = apiWith({
    listPackageSummaries: ({ after }) => {
      asked.push(after);
      return after === "" ? { packages: [summary("a"), summary("b")], hasMore: true } : { packages: [summary("c")], hasMore: false };
    },
  });
  const first = JSON.parse((await request(api, "GET", "/admin/packages")).text),
    second = JSON.parse((await request(api, "GET", "/admin/packages", { query: "pageToken=b" })).text);
  assert.deepEqual([first.packages.map((one: { packageName: string }) => one.packageName), first.nextPageToken], [["n-a", "n-b"], "b"]);
  assert.deepEqual([second.packages.length, second.nextPageToken, asked], [1, undefined, ["", "b"]]);
});

test("packages: a description is handed on as it was written; one that is not there is not found", async () => {
  const api = apiWith({
    describePackage: async (id) =>
      id === "a" ? ok('{"packageId":"a"}') : fail(ledgerError("PACKAGE_NOT_FOUND", "Could not find package.")),
  });
  const found = await request(api, "GET", "/admin/packages/{package-id}", { params: { "package-id": "a" } });
  assert.deepEqual([found.status, found.text], [200, '{"packageId":"a"}']);
  assert.equal((await request(api, "GET", "/admin/packages/{package-id}", { params: { "package-id": "b" } })).status, 404);
});

test("packages: all that are known are told at once with their sizes, to admins", async () => {
  const api = apiWith({ listPackageSizes: async () => [{ summary: summary("a"), bytes: 7 }] });
  assert.deepEqual(JSON.parse((await request(api, "GET", "/admin/known-packages")).text), {
    packageDetails: [{ packageId: "a", packageSize: 7, name: "n-a", version: "1.0.0" }],
  });
  const nobody = {
    ...noAuthentication,
    enabled: true,
    authenticate: async () => ok({ userId: "u", identityProviderId: "", rights: noRights }),
  };
  assert.equal((await request(apiWith({}, { authentication: nobody }), "GET", "/admin/known-packages")).status, 403);
});
