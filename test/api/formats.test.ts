/** What readers ask for, as the ledger is asked for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventFormatOf } from "../../src/api/ledger/formats.js";
import type { Filters } from "../../src/api/ledger/types/formats.js";

const ofTemplate = (templateId: string, includeCreatedEventBlob = false): Filters => ({
  cumulative: [{ identifierFilter: { TemplateFilter: { value: { templateId, includeCreatedEventBlob } } } }],
});

test("formats: an id that is null is missing, which is the ledger's to tell in its turn", () => {
  const { cumulative } = eventFormatOf({
    filtersForAnyParty: {
      cumulative: [
        { identifierFilter: { TemplateFilter: { value: { templateId: null } } } },
        { identifierFilter: { InterfaceFilter: { value: { interfaceId: null } } } },
      ],
    },
  }).filtersForAnyParty!;
  assert.deepEqual(cumulative, [
    { kind: "template", templateId: undefined, includeCreatedEventBlob: false },
    { kind: "interface", interfaceId: undefined, includeInterfaceView: false, includeCreatedEventBlob: false },
  ]);
});

test("formats: parties that ask for the same share a filter, which is read once; others have their own", () => {
  const format = eventFormatOf({
    filtersByParty: {
      a: ofTemplate("#p:M:T"),
      b: ofTemplate("#p:M:T"),
      c: ofTemplate("#p:M:T", true),
      d: ofTemplate("#p:M:U"),
      e: {},
      f: {},
    },
  });
  const { a, b, c, d, e, f } = format.filtersByParty;
  assert.equal(a, b);
  assert.equal(e, f);
  assert.deepEqual(
    [a, c, d, e].map((filters) => filters!.cumulative),
    [
      [{ kind: "template", templateId: "#p:M:T", includeCreatedEventBlob: false }],
      [{ kind: "template", templateId: "#p:M:T", includeCreatedEventBlob: true }],
      [{ kind: "template", templateId: "#p:M:U", includeCreatedEventBlob: false }],
      [],
    ],
  );
});
