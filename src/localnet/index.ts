/** What Splice's LocalNet is to those who use it: its ports, parties, users and tokens. */
export {
  localnetAcceptanceDelaySeconds,
  localnetAudience,
  localnetAuthentication,
  localnetMembers,
  localnetPausedTriggers,
} from "./members.js";
export { pingDar, pingPackageName } from "./ping-package.js";
export { localnetLedgerPort, localnetScanUrl, type LocalnetSite, localnetSites, portTable } from "./sites.js";
