/** Which texts may be ids (formats of Ref.scala), and the errors for those that may not. */
import { type Int64, int64Of } from "../../base/int64.js";
import { fail, ok } from "../../base/result.js";
import { invalidField, ledgerStringProblem, missingField, type Outcome, userIdPattern, userIdProblem } from "../model/index.js";

export const isUserId = (text: string): boolean => userIdPattern.test(text);

export function requireUserId(userId: string, field: string): Outcome<string> {
  if (userId === "") return fail(missingField(field));
  const problem = userIdProblem(userId);
  return problem === undefined ? ok(userId) : fail(invalidField(field, problem));
}

export const requireIdentityProviderId = (id: string, field: string): Outcome<string> =>
  id === "" ? fail(missingField(field)) : optionalIdentityProviderId(id, field);

/** "" is the default provider. */
export function optionalIdentityProviderId(id: string, field = "identity_provider_id"): Outcome<string> {
  const problem = id === "" ? undefined : ledgerStringProblem(id);
  return problem === undefined ? ok(id) : fail(invalidField(field, problem));
}

/** What stands between the marks; as Java splits, marks at the end are followed by nothing. */
export function partsOf(text: string, mark: string): readonly string[] {
  const parts = text.split(mark);
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts;
}

const int64Max = 2n ** 63n - 1n;

/** "" is no version: the change is made whatever the current one is. */
export function optionalResourceVersion(text: string, field: string): Outcome<Int64 | undefined> {
  if (text === "") return ok(undefined);
  const valid = /^[+-]?[0-9]{1,19}$/.test(text) && BigInt(text.replace(/^\+/, "")) <= int64Max;
  return valid ? ok(int64Of(text)) : fail(invalidField(field, "Invalid resource version number"));
}
