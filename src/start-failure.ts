/** Why a node did not start, in words for its user. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}
