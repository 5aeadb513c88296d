/**
 * Sends values one after the other.
 * So no earlier one is saved after a later one. Of the values that arrive during a request only the last is sent.
 * Resolves with the last answer; undefined for a call whose value was left to an earlier one. `send` must not reject.
 */
export function latestSender<Value, Answer>(
  send: (value: Value) => Promise<Answer>,
): (value: Value) => Promise<Answer | undefined> {
  let next: { value: Value } | undefined;
  let isSending = false;
  return async (value) => {
    next = { value };
    if (isSending) return undefined;
    isSending = true;
    let answer: Answer | undefined;
    while (next) {
      const { value: sent }: { value: Value } = next;
      next = undefined;
      answer = await send(sent);
    }
    isSending = false;
    return answer;
  };
}
