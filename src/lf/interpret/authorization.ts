/**
 * Who must have agreed to a node (specification: "Authorization failures"). Each rule stands with its failure; the first
 * that does not hold ends the transaction. `authorizers` are the parties in scope: the submitters at the root, inside an
 * exercise its actors and the contract's signatories.
 */
import { type DefinitionId, showId } from "../ast.js";
import { fatal } from "../errors.js";
import type { AuthorizationArguments, AuthorizationRule } from "../interpretation-error.js";
import type { NodeId } from "../transaction/index.js";
import { intersection, isSubset, type PartySet, union } from "./parties.js";

interface Scope {
  readonly nodeId: NodeId;
  readonly authorizers: PartySet;
  readonly templateId: DefinitionId;
}

function fail<R extends AuthorizationRule>(scope: Scope, rule: R, given: AuthorizationArguments<R>): never {
  const templateId = showId(scope.templateId),
    detail = { nid: scope.nodeId, fa: { class: rule, templateId, ...given } };
  throw fatal(`FailedAuthorization.${rule}` as const, messages[rule](templateId, given), detail as never);
}

const list = (parties: PartySet): string => parties.join(", ") || "nobody";

const messages: { readonly [R in AuthorizationRule]: (template: string, given: AuthorizationArguments<R>) => string } = {
  CreateMissingAuthorization: (t, d) =>
    `creating ${t} requires authorizers ${list(d.requiredParties)}, but only ${list(d.authorizingParties)} were given`,
  NoSignatories: (t) => `creating ${t}: the contract has no signatories`,
  MaintainersNotSubsetOfSignatories: (t, d) =>
    `creating ${t}: the key maintainers ${list(d.maintainers)} are not a subset of the signatories ${list(d.signatories)}`,
  FetchMissingAuthorization: (t, d) =>
    `fetching ${t} requires one of the stakeholders ${list(d.stakeholders)} of the fetched contract to be an authorizer, but authorizers were ${list(d.authorizingParties)}`,
  LookupByKeyMissingAuthorization: (t, d) =>
    `${t} requires authorizers ${list(d.maintainers)} for lookup by key, but it only has ${list(d.authorizingParties)}`,
  NoControllers: (t, d) => `exercising ${d.choiceid} on ${t}: the choice has no controllers`,
  NoAuthorizers: (t, d) => `exercising ${d.choiceid} on ${t}: the choice has no authorizers`,
  ExerciseMissingAuthorization: (t, d) =>
    `exercising ${d.choiceId} on ${t} requires authorizers ${list(d.requiredParties)}, but only ${list(d.authorizingParties)} were given`,
};

export function authorizeCreate(scope: Scope, signatories: PartySet, maintainers: PartySet | undefined): void {
  if (!isSubset(signatories, scope.authorizers))
    fail(scope, "CreateMissingAuthorization", { authorizingParties: scope.authorizers, requiredParties: signatories });
  if (signatories.length === 0) fail(scope, "NoSignatories", {});
  if (maintainers !== undefined && !isSubset(maintainers, signatories))
    fail(scope, "MaintainersNotSubsetOfSignatories", { signatories, maintainers });
}

/** Gives the stakeholders who agreed. */
export function authorizeFetch(scope: Scope, stakeholders: PartySet): PartySet {
  const agreed = intersection(stakeholders, scope.authorizers);
  if (agreed.length === 0) fail(scope, "FetchMissingAuthorization", { stakeholders, authorizingParties: scope.authorizers });
  return agreed;
}

export function authorizeQueryByKey(scope: Scope, maintainers: PartySet): void {
  if (!isSubset(maintainers, scope.authorizers))
    fail(scope, "LookupByKeyMissingAuthorization", { maintainers, authorizingParties: scope.authorizers });
}

export function authorizeExercise(scope: Scope, choice: string, controllers: PartySet, explicitAuthorizers: PartySet | undefined): void {
  if (controllers.length === 0) fail(scope, "NoControllers", { choiceid: choice });
  if (explicitAuthorizers?.length === 0) fail(scope, "NoAuthorizers", { choiceid: choice });
  const requiredParties = explicitAuthorizers === undefined ? controllers : union(controllers, explicitAuthorizers);
  if (!isSubset(requiredParties, scope.authorizers))
    fail(scope, "ExerciseMissingAuthorization", { choiceId: choice, authorizingParties: scope.authorizers, requiredParties });
}
