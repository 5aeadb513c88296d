/**
 * Loaded with `--import` into a server: what is asked before the app stands in front of it waits until it does. The framework
 * listens first, and then loads the app.
 */
import { Server } from "node:http";

const { emit } = Server.prototype;
const held = [];
let isHolding = true;

Server.prototype.emit = function (event, ...values) {
  if (!isHolding || event !== "request") return Reflect.apply(emit, this, [event, ...values]);
  held.push(() => this.emit(event, ...values));
  return true;
};

/** Called by `instrumentation.ts`. */
globalThis.weirAnswerHeld = () => {
  isHolding = false;
  for (const answer of held.splice(0)) answer();
};
