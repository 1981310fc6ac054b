import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { decodePackage, isStablePackageId, loadDar, packageIdOf, stablePackages } from "../../../src/lf/archive/index.js";
import { encodeDar } from "../../../src/lf/archive/encode.js";
import { writeMessage } from "../../../src/lf/archive/wire-writer.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { validatePackage } from "../../../src/lf/validation/index.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";

test("stable packages: all of them pass, although an upload takes them as known", () => {
  const packages = new Map(stablePackages().map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
  const reader = new PackageInterface({ getPackage: (id) => packages.get(id) });
  for (const package_ of packages.values()) {
    assert.ok(isStablePackageId(package_.id));
    assert.equal(validatePackage(package_, reader).error, undefined, package_.name);
  }
});

test("known packages: what was validated before is not looked at again", () => {
  const main = new ModuleBuilder("Main");
  main.value("f", type.int64, expr.text("no number"));
  const archive = buildPackage({ name: "ill-typed", version: "1.0.0", modules: [main] });
  const dar = buildDar(archive);
  assert.equal(loadDar(dar, limits).error?.code, "DAR_VALIDATION_ERROR");
  assert.equal(loadDar(dar, limits, { earlier: new Map([[archive.id, decodePackage(archive.id, archive.payload).ok!]]) }).error, undefined);
});

test("a package with an expression that cannot be decoded is told before one that breaks a rule, wherever the two lie in the DAR", () => {
  const main = new ModuleBuilder("Main");
  main.value("f", type.int64, expr.text("no number"));
  const illTyped = buildPackage({ name: "ill-typed", version: "1.0.0", modules: [main] }),
    malformed = malformedPackage();
  for (const dar of [encodeDar("test", illTyped, [malformed]), encodeDar("test", malformed, [illTyped])]) {
    const { error } = loadDar(dar, limits);
    assert.equal(error?.message, "there is no interned string with index 99");
  }
});

/** Its only value is a variable whose name is the hundredth of three strings. */
function malformedPackage(): { readonly id: string; readonly payload: Uint8Array } {
  const package_ = writeMessage("Package", {
    modules: [
      {
        flags: {
          forbidPartyLiterals: true,
          dontDivulgeContractIdsInCreateArguments: true,
          dontDiscloseNonConsumingChoicesToObservers: true,
        },
        values: [{ nameWithType: { nameInternedDname: 1, type: { internedType: 0 } }, expr: { varInternedStr: 99 } }],
      },
    ],
    internedStrings: ["M", "f", "1.0.0"],
    internedDottedNames: [{ segmentsInternedStr: [0] }, { segmentsInternedStr: [1] }],
    metadata: { nameInternedStr: 0, versionInternedStr: 2 },
    internedTypes: [{ builtin: { builtin: 0 } }],
  });
  const payload = writeMessage("ArchivePayload", { minor: "1", damlLf_2: package_ });
  return { id: packageIdOf(payload), payload };
}
