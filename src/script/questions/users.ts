/** Users and their rights. An answer of None says: exists already, or is not there. */
import { assert } from "../../base/assert.js";
import { userIdProblem } from "../../ledger/index.js";
import { unit, Variant, type Value } from "../../lf/running-code.js";
import type { ParticipantName, ScriptUser, UserRight, UserRightKind } from "../ledger.js";
import type { ScriptLibrary } from "../library.js";
import { elementsOf, fieldsOf, list, optional, optionalText, tuple } from "../values.js";
import { type Asked, question, type Questions } from "./question.js";

export const userQuestions: Questions = {
  ValidateUserId: question(async ([name]) => optional(userIdProblem(name as string))),
  CreateUser: question(async ([user, rights, participant], { ledger }) =>
    optional((await ledger.createUser(userOf(user!), rightsOf(rights!), optionalText(participant!))) ? unit : undefined),
  ),
  GetUser: question(async ([userId, participant], { ledger }) => {
    const user = await ledger.getUser(userIdOf(userId!), optionalText(participant!));
    return optional(user && userValue(user));
  }),
  DeleteUser: question(async ([userId, participant], { ledger }) =>
    optional((await ledger.deleteUser(userIdOf(userId!), optionalText(participant!))) ? unit : undefined),
  ),
  ListAllUsers: question(async ([participant], { ledger }) => list((await ledger.listUsers(optionalText(participant!))).map(userValue))),
  GrantUserRights: changing((ledger, userId, rights, participant) => ledger.grantRights(userId, rights, participant)),
  RevokeUserRights: changing((ledger, userId, rights, participant) => ledger.revokeRights(userId, rights, participant)),
  ListUserRights: question(async ([userId, participant], { ledger, library }) =>
    rightValues(library, await ledger.listRights(userIdOf(userId!), optionalText(participant!))),
  ),
};

function changing(
  change: (
    ledger: Asked["ledger"],
    userId: string,
    rights: readonly UserRight[],
    participant: ParticipantName,
  ) => Promise<readonly UserRight[] | undefined>,
) {
  return question(async ([userId, rights, participant], { ledger, library }) =>
    rightValues(library, await change(ledger, userIdOf(userId!), rightsOf(rights!), optionalText(participant!))),
  );
}

const userIdOf = (userId: Value): string => fieldsOf(userId)[0] as string;
const userOf = (user: Value): ScriptUser => {
  const [userId, primaryParty] = fieldsOf(user);
  return { userId: userIdOf(userId!), primaryParty: optionalText(primaryParty!) };
};
const userValue = ({ userId, primaryParty }: ScriptUser): Value => tuple([userId], optional(primaryParty));

const rightsOf = (rights: Value): readonly UserRight[] =>
  elementsOf(rights).map((right) => {
    assert(right instanceof Variant, "a right of a user is a variant");
    return { kind: right.constructor_ as UserRightKind, party: typeof right.value === "string" ? right.value : undefined };
  });

/** Rights that this release of the library has no name for are left out. */
const rightValues = (library: ScriptLibrary, rights: readonly UserRight[] | undefined): Value =>
  optional(rights && list(rights.flatMap(({ kind, party }) => library.variant("UserRight", kind, party ?? unit) ?? [])));
