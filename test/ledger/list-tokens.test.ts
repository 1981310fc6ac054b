import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ContinuationTokens, tokenChars } from "../../src/ledger/reading/continuation-tokens.js";
import { offsetMax, placeBytes, placeKey } from "../../src/store/keys.js";
import { blockBytes, ListTokens, TokenKey, tokenSealBytes } from "../../src/ledger/model/list-tokens.js";

const secret = new Uint8Array(32).fill(7),
  key = new TokenKey(secret),
  request = ["a filter", { of: ["some", "depth"] }];
const tokens = new ListTokens(key, "users", request);
const places = ["b", "bob", "bob::1220ab", "a place of more than one block", "p".repeat(255), "\u00e4\u{1F600}"];

describe("tokens of lists", () => {
  it("leads to the place that it was given for, after a restart too", () => {
    for (const place of places)
      for (const later of [tokens, new ListTokens(new TokenKey(secret), "users", request)]) {
        assert.equal(later.textPlace(tokens.text(place)).ok, place);
        assert.equal(later.place(tokens.token(Buffer.from(place))).ok?.toString(), place);
      }
  });

  it("means nothing to another ledger, list or request", () => {
    const others = [
      new ListTokens(new TokenKey(new Uint8Array(32)), "users", request),
      new ListTokens(key, "parties", request),
      new ListTokens(key, "users", []),
      new ListTokens(key, "users", ["a filter", { of: ["some"] }]),
    ];
    for (const other of others) for (const place of places) assert.equal(other.textPlace(tokens.text(place)).error, "foreign");
  });

  it("is refused with any bit changed, cut, lengthened, or with the seal of another place", () => {
    for (const place of places) {
      const token = tokens.token(Buffer.from(place));
      for (let bit = 0; bit < token.length * 8; bit++) {
        const changed = Buffer.from(token);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        assert.equal(tokens.place(changed).error, "foreign", `bit ${bit}`);
      }
      const zero = Buffer.of(0),
        ofAnother = Buffer.concat([Buffer.from("bobo"), token.subarray(-tokenSealBytes)]);
      for (const wrong of [
        token.subarray(1),
        token.subarray(0, -1),
        Buffer.concat([token, zero]),
        Buffer.concat([zero, token]),
        ofAnother,
      ]) {
        assert.ok(tokens.place(wrong).error);
      }
    }
    assert.equal(tokens.place(Buffer.of()).error, "foreign");
    for (const length of [1, tokenSealBytes]) assert.equal(tokens.place(Buffer.alloc(length)).error, "undecodable");
    assert.equal(tokens.place(tokens.token(Buffer.from("four")), 5).error, "undecodable");
  });

  it("has one text only", () => {
    for (const place of places) {
      const text = tokens.text(place);
      for (let at = 0; at < text.length; at++)
        for (const letter of "AZaz09-_+/=. ") {
          if (letter !== text[at]) assert.ok(tokens.textPlace(text.slice(0, at) + letter + text.slice(at + 1)).error);
        }
      for (const wrong of [`${text}=`, `${text}A`, ` ${text}`, text.slice(0, -1), `A${text}`, "%%%"])
        assert.ok(tokens.textPlace(wrong).error, wrong);
    }
  });

  it("is the same whether places are sealed one by one or many at once", () => {
    const numbers = [0, 1, 255, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1],
      offsets = [...numbers, 2 ** 32, 2 ** 40 + 12_345, offsetMax - 1],
      once = offsets.flatMap((offset) => numbers.map((nodeId) => ({ offset, nodeId }))),
      many = [...once, ...once, ...once, ...once], // more than are written at once
      seals = tokens.seals(many),
      streamed = new ContinuationTokens(key, request),
      texts = streamed.texts(many).toString();
    for (const [index, place] of many.entries()) {
      const bytes = Buffer.alloc(placeBytes);
      placeKey.writeKey(place, bytes, 0);
      assert.deepEqual(
        seals.subarray(index * blockBytes, index * blockBytes + tokenSealBytes),
        tokens.token(bytes).subarray(placeBytes),
        JSON.stringify(place),
      );
      const text = texts.slice(index * tokenChars, (index + 1) * tokenChars);
      assert.deepEqual(streamed.read(Buffer.from(text, "base64")).ok, place);
    }
  });
});
