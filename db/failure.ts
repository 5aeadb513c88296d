/** A failure that its message explains to whoever runs a command: no stack is needed. */
export class Failure extends Error {
  override name = "Failure";
}
