/** Parties, users and tokens as LocalNet's own configuration has them. */
import { publishedSecret, validatorUserDefault } from "../config.js";
import type { MembersPlan, UserPlan } from "../splice/bootstrap/index.js";

const partyOf = (site: string): string => `${site}_localnet-localparty-1`;
const appUser = partyOf("app_user"),
  appProvider = partyOf("app_provider");

/** Who may have a participant of their own, by its name. */
const homely: readonly UserPlan[] = [
  { id: "app-provider", primaryParty: appProvider, mayActAs: [], isAdmin: false },
  { id: "sv", primaryParty: "sv", mayActAs: ["DSO"], isAdmin: false },
];

export const localnetMembers: MembersPlan = {
  dso: "DSO",
  sv: "sv",
  validators: ["sv", appUser, appProvider],
  users: [
    // On each of LocalNet's participants this user acts for the party that is at home there; the first is at home to all.
    { id: validatorUserDefault, primaryParty: appUser, mayActAs: [appProvider, "sv", "DSO"], isAdmin: true },
    { id: "app-user", primaryParty: appUser, mayActAs: [], isAdmin: false },
    ...homely,
  ],
  homes: { [appProvider]: "app-provider", sv: "sv", DSO: "sv" },
  // Who is at home there, if it is one of LocalNet's; and the admin whose tokens scripts bring.
  usersAt(participant) {
    const atHome = homely.find(({ id }) => id === participant) ?? { primaryParty: "", mayActAs: [], isAdmin: false };
    const admin = { ...atHome, id: validatorUserDefault, isAdmin: true };
    return "id" in atHome ? [atHome, admin] : [admin];
  },
};

/** Everybody knows the secret: such a network is for one machine. */
export const localnetAuthentication = [`hs256:${publishedSecret}`];
export const localnetAudience = "https://canton.network.global";

/**
 * LocalNet's validators have to find the means first, and scripts count on it: a transfer soon after a proposal is still an offer;
 * between the two a script may wait twenty seconds for its right as a featured app. Those that wait for the approval have minutes.
 */
export const localnetAcceptanceDelaySeconds = 30;

/** What LocalNet leaves undone; allocations of the second generation it expires. */
export const localnetPausedTriggers = [
  "expire-preapprovals",
  "expire-names",
  "expire-name-subscriptions",
  "expire-transfers",
  "expire-allocations",
  "expire-amulets",
];
