/** Who calls and what he may do: tokens to callers, callers against required claims. */
export type {
  Authenticated,
  Authentication,
  AuthenticationFailure,
  KnownIdentityProvider,
  KnownUser,
  UserDirectory,
} from "./authentication.js";
export { noAuthentication } from "./authentication.js";
export type { Caller, Rights } from "./caller.js";
export { everyone, noRights } from "./caller.js";
export type { Claims, RequiredClaim } from "./claims.js";
export {
  actAs,
  authenticated,
  identityProviderAdmin,
  impliedIdentityProvider,
  malformedProvider,
  missingClaim,
  participantAdmin,
  readAs,
} from "./claims.js";
export type { AuthenticationSettings } from "./configuration.js";
export { configureAuthentication, keySetProblem } from "./configuration.js";
export type { Credentials } from "./credentials.js";
export { credentialsOf } from "./credentials.js";
export { ReloadableAuthentication } from "./reloadable.js";
export { secretOf } from "./secret-file.js";
export { parseServiceOption } from "./service-option.js";
export type { StreamEnd, StreamWatch, Watched } from "./stream-watch.js";
