import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkReassignment, type ReassignmentCommand, type ReassignmentSubmission } from "../../src/ledger/intake/reassignment-fields.js";
import { contractIdOf } from "./support.js";

const here = `synchronizer-1::1220${"aa".repeat(32)}`,
  elsewhere = `nope::1220${"bb".repeat(32)}`;
const unassign = (changes: object = {}): ReassignmentCommand => ({
  kind: "unassign",
  contractId: contractIdOf("a"),
  source: here,
  target: here,
  ...changes,
});
const assign = (changes: object = {}): ReassignmentCommand => ({
  kind: "assign",
  reassignmentId: `001220${"cc".repeat(32)}`,
  source: here,
  target: here,
  ...changes,
});
const submission = (commands: readonly ReassignmentCommand[], changes: Partial<ReassignmentSubmission> = {}): ReassignmentSubmission => ({
  userId: "user",
  commandId: "command",
  submissionId: "mine",
  workflowId: "",
  submitter: "alice",
  trace: { traceparent: null, tracestate: null },
  commands,
  ...changes,
});

describe("reassignments", () => {
  const malformed: readonly (readonly [title: string, submission: ReassignmentSubmission, code: string, says: RegExp])[] = [
    ["an empty submitter", submission([unassign()], { submitter: "" }), "INVALID_FIELD", /submitter/],
    ["an empty command id", submission([unassign()], { commandId: "" }), "INVALID_FIELD", /command_id/],
    ["an empty command", submission([{ kind: "empty" }]), "MISSING_FIELD", /command$/],
    ["no source", submission([unassign({ source: "" })]), "MISSING_FIELD", /source/],
    ["a source without namespace", submission([assign({ source: "nope" })]), "INVALID_FIELD", /source.*namespace/],
    ["a physical target", submission([unassign({ target: `${here}::35-0` })]), "INVALID_FIELD", /target/],
    ["no contract id", submission([unassign({ contractId: "" })]), "MISSING_FIELD", /contract_id/],
    ["a contract id that is none", submission([unassign({ contractId: "zz" })]), "INVALID_FIELD", /contract_id/],
    ["a reassignment id that is none", submission([assign({ reassignmentId: "zz" })]), "INVALID_FIELD", /reassignment_id/],
    ["no reassignment id", submission([assign({ reassignmentId: "" })]), "INVALID_FIELD", /reassignment_id/],
  ];
  for (const [title, asked, code, says] of malformed) {
    it(`${title} is refused by its field, naming the submission`, () => {
      const error = checkReassignment(asked)!;
      assert.deepEqual([error.code, error.category, error.correlationId], [code, 8, "mine"]);
      assert.match(error.cause, says);
    });
  }

  const impossible: readonly (readonly [title: string, submission: ReassignmentSubmission, says: RegExp])[] = [
    ["no commands", submission([]), /no commands/],
    ["two assignments", submission([assign(), assign()]), /mixed assign/],
    ["an unassignment beside an assignment", submission([unassign(), assign()]), /mixed assign/],
    ["unassignments to different places", submission([unassign(), unassign({ target: elsewhere })]), /differing synchronizers/],
  ];
  for (const [title, asked, says] of impossible) {
    it(`${title} cannot be one reassignment`, () => {
      const error = checkReassignment(asked)!;
      assert.deepEqual([error.code, error.category, error.correlationId], ["INVALID_ARGUMENT", 8, undefined]);
      assert.match(error.cause, says);
    });
  }

  it("a reassignment id is a version and anything behind it", () => {
    for (const reassignmentId of ["00", "00ff", `00${"AB".repeat(40)}`])
      assert.equal(checkReassignment(submission([assign({ reassignmentId })])), undefined, reassignmentId);
    for (const reassignmentId of ["0", "01", "0g", "01ff"])
      assert.equal(checkReassignment(submission([assign({ reassignmentId })]))?.code, "INVALID_FIELD", reassignmentId);
  });

  it("without a user nobody can be told from the request", () => {
    const withoutUser = checkReassignment(submission([], { userId: "" }))!;
    assert.deepEqual([withoutUser.code, withoutUser.context], ["MISSING_FIELD", { field_name: "user_id" }]);
  });
});
