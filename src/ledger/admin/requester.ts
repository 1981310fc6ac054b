/** Who asks, as far as the rules of administration look at it. */
export interface Requester {
  /** Undefined without authentication. */
  readonly userId: string | undefined;
  readonly participantAdmin: boolean;
  /** An admin of the participant or of an identity provider, as against a user who acts for himself. */
  readonly admin: boolean;
}
