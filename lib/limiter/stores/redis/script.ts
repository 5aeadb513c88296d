/**
 * The one script that the Redis store runs, and the values that it compares.
 *
 * A value is the text `tag writtenAt lifetime state`. Each write has a tag of its own: comparing that is enough, so
 * states need not be sent to be compared, and one that was replaced and put back is not taken for untouched. A string
 * that does not begin with a tag counts as no value, and is overwritten; a key that holds no string makes the call
 * fail.
 */
import { createHash, randomBytes } from "node:crypto";

/** A state and its times in milliseconds; `expiresAt` may be infinite. */
export type Saved = { state: unknown; writtenAt: number; expiresAt: number };

/** The value of a key when it was last seen. Without a value the tag is "". */
export type Seen = { tag: string; saved?: Saved | undefined };

export const nothing: Seen = { tag: "" };

/**
 * The script's reply: it has either saved or changed nothing.
 * If saved, `waiting` callers want one of the keys. If not, `seen` is the present values of the keys, in their order;
 * undefined for a key that is as the caller saw it.
 */
export type ScriptReply = { serverMs: number; waiting: number; seen?: (Seen | undefined)[] | undefined };

// ARGV: the caller's estimate of this server's time; a "!" (contention mark) if the caller has lost several times; then for each key
// the tag that it should have; "keep", "" (delete) or the next value; and for how many milliseconds ("": for good).
// An estimate ahead of this clock could leak a bucket before its time. One that is a second late was long in flight: its caller has given up.
// SETRANGE of "" changes nothing but fails wherever a write would, so that no refusal comes from an outdated replica.
// A "!" appended to a value is a contention mark of an update that lost several times: the next writer gets their number.
export const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local late = now - ARGV[1]
local outdated = late < 0 or late > 1000
local refused = outdated
local reply = {now * 1000}
local marks = 0
for i, key in ipairs(KEYS) do
  local value = redis.call('GET', key) or ''
  local tag = string.match(value, '^=%S+ ') or ''
  reply[i + 1] = false
  if outdated or tag ~= ARGV[3 * i] then
    refused = true
    reply[i + 1] = tag ~= '' and value or ''
    if tag ~= '' and ARGV[2] ~= '' then
      redis.call('APPEND', key, ARGV[2])
    end
  elseif string.byte(value, -1) == 33 then
    marks = math.max(marks, #string.match(value, '!+$'))
  end
end
if refused then
  return reply
end
local written = false
for i, key in ipairs(KEYS) do
  local value, lifetime = ARGV[3 * i + 1], ARGV[3 * i + 2]
  if value ~= 'keep' then
    written = true
    if value == '' then
      redis.call('DEL', key)
    elseif lifetime == '' then
      redis.call('SET', key, value)
    else
      redis.call('PSETEX', key, lifetime, value)
    end
  end
end
if not written then
  redis.call('SETRANGE', KEYS[1], 0, '')
elseif marks > 0 then
  return {now * 1000, marks}
end
return now * 1000`;

export const scriptSha1 = createHash("sha1").update(script).digest("hex");

/** Makes tags; those of no two makers are the same. */
export function tagMaker(): () => string {
  const maker = randomBytes(6).toString("base64url");
  let made = 0;
  return () => {
    made += 1;
    return `=${maker}.${made.toString(36)} `;
  };
}

/** @throws TypeError when the state is not JSON data */
export function encodeValue(tag: string, { state, writtenAt, expiresAt }: Saved): string {
  return `${tag}${writtenAt} ${expiresAt - writtenAt} ${JSON.stringify(state)}`;
}

function decodeValue(value: string): Seen {
  const [, tag = "", writtenAt, lifetime, json = ""] = /^(=\S+ )(?:(\S+) (\S+) (.*?)!*$)?/s.exec(value) ?? [];
  const times = { writtenAt: Number(writtenAt), expiresAt: Number(writtenAt) + Number(lifetime) };
  if (Number.isNaN(times.expiresAt)) return { tag };
  try {
    return { tag, saved: { state: JSON.parse(json), ...times } };
  } catch {
    return { tag };
  }
}

/** @throws TypeError when the reply cannot be the script's */
export function readReply(reply: unknown): ScriptReply {
  const [time, ...rest]: unknown[] = Array.isArray(reply) ? reply : [reply];
  const serverMs = Number(time) / 1000;
  if (!(serverMs > 0)) throw new TypeError(`${JSON.stringify(reply)} is not a reply of the script`);
  const [first = 0] = rest;
  if (typeof first === "number") return { serverMs, waiting: first };
  const seen = rest.map((value) => (typeof value === "string" ? decodeValue(value) : undefined));
  return { serverMs, waiting: 0, seen };
}
