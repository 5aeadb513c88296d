/** The page with webhooks, for administrators. */
export const webhooks = {
  title: "Webhooks",
  intro:
    "A webhook tells another program what happens on this site: the site sends a signed message to an address of that program.",
  add: "Add a webhook",
  url: "Address",
  urlHelp: "Where the other program receives messages. It begins with https://.",
  events: "Tell it about",
  event: {
    published: "Published posts",
    opened: "Floods of ratings",
    decided: "Decisions on floods",
  },
  addButton: "Add",
  adding: "Adding…",
  secret: "Secret",
  copyNow:
    "Copy this secret into the other program now: it is not shown again. With it the program checks that messages come from this site.",
  copyNowRenewed:
    "Copy this secret into the other program now: it is not shown again. Messages are signed with the secret before, too, for a day.",
  finished: "Done",
  test: "Send a test",
  sending: "Sending…",
  turnOn: "Turn on",
  turnOff: "Turn off",
  renew: "New secret",
  remove: "Remove",
  saving: "Saving…",
  noneSent: "Nothing has been sent to it yet.",
  last: "Last message on <time></time>: <result></result>",
  fault: {
    timeout: "no answer within ten seconds",
    privateAddress: "the address is in a private network (WEBHOOK_PRIVATE_ADDRESSES)",
    secret: "its secret cannot be read, because AUTH_SECRET has changed: make a new secret",
  },
  state: {
    failing:
      "Messages have failed since <time></time>. The site tries again, and turns the webhook off after five days.",
    administrator: "Off since <time></time>: nothing is sent or kept for it.",
    failures:
      "Off since <time></time>, because messages failed for five days. Repair the other program, then turn the webhook on.",
    gone: "Off since <time></time>, because the other program answered that it no longer takes messages (410).",
  },
  change: "Change address and events",
  save: "Save",
  notice: {
    saved: "The webhook is saved.",
    on: "The webhook is on.",
    off: "The webhook is off.",
    removed: "The webhook is removed.",
    tested: "A test is on its way. Reload this page to see the result.",
    "test-off": "The webhook is off: turn it on first.",
    "test-busy": "Too many messages are waiting for this webhook. Wait until they are sent.",
    gone: "There is no such webhook any more.",
  },
} as const;
