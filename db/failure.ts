/** A failure that its message explains to the operator, without a stack. */
export class Failure extends Error {
  override name = "Failure";
}
