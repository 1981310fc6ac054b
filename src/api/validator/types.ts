/** What clients of a validator send and get; names are Splice's. */
import type { ContractWithState } from "../../splice/index.js";

export interface GetValidatorUserInfoResponse {
  readonly party_id: string;
  readonly user_name: string;
  readonly featured: boolean;
}
export interface OnboardUserRequest {
  readonly name: string;
  readonly party_id?: string | null;
  readonly createPartyIfMissing?: boolean | null;
}
export interface OnboardUserResponse {
  readonly party_id: string;
}
export interface ListUsersResponse {
  readonly usernames: readonly string[];
}
/** Nothing is asked for. */
export type RegistrationRequest = object | null;

export interface GetAmuletRulesProxyResponse {
  readonly amulet_rules: ContractWithState;
}
export interface GetOpenAndIssuingMiningRoundsProxyResponse {
  readonly open_mining_rounds: readonly ContractWithState[];
  readonly issuing_mining_rounds: readonly ContractWithState[];
}
