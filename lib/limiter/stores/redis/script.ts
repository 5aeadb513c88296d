/**
 * The one script that the Redis store runs, and the values that it compares.
 *
 * A value is the text `tag writtenAt lifetime state`. Each write has a tag of its own: comparing that is enough, so states need not be sent to be compared, and
 * one that was replaced and put back is not taken for untouched. A string that does not begin with a tag counts as no value, and
 * is overwritten; a key that holds no string makes the call fail.
 */
import { createHash, randomBytes } from "node:crypto";

/** A state and its times in milliseconds; `expiresAt` may be infinite. */
export type Saved = { state: unknown; writtenAt: number; expiresAt: number };

/** What a key held when it was last seen. Without a value the tag is "". */
export type Seen = { tag: string; saved?: Saved | undefined };

export const nothing: Seen = { tag: "" };

/** What the script answers: either it saved and tells how many calls wait for the key, or it changed nothing and tells what the key holds. */
export type Reply = { serverMs: number; waiting: number; seen?: Seen | undefined };

// ARGV: the tag that the key should have; the caller's estimate of this server's time; "keep", "" (delete) or the next value; for how many
// milliseconds ("": for good); and a "!" if the caller has come too late several times.
// An estimate ahead of this clock could leak a bucket before its time. One that is a second late was long under way: its caller has given up.
// SETRANGE of "" changes nothing but fails wherever a write would, so that no refusal comes from an outdated replica.
// A "!" behind the value is the plea of one who came too late: whoever writes next learns how many there are.
export const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local value = redis.call('GET', KEYS[1]) or ''
local tag = string.match(value, '^=%S+ ') or ''
local late = now - ARGV[2]
if tag ~= ARGV[1] or late < 0 or late > 1000 then
  if tag == '' then
    return {now * 1000, ''}
  end
  if ARGV[5] then
    redis.call('APPEND', KEYS[1], ARGV[5])
  end
  return {now * 1000, value}
end
if ARGV[3] == 'keep' then
  redis.call('SETRANGE', KEYS[1], 0, '')
  return now * 1000
end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[4] == '' then
  redis.call('SET', KEYS[1], ARGV[3])
else
  redis.call('PSETEX', KEYS[1], ARGV[4], ARGV[3])
end
if string.byte(value, -1) == 33 then
  return {now * 1000, #string.match(value, '!+$')}
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

/** @throws TypeError when the state is no JSON data */
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
export function readReply(reply: unknown): Reply {
  const [time, value]: unknown[] = Array.isArray(reply) ? reply : [reply];
  const serverMs = Number(time) / 1000;
  if (!(serverMs > 0)) throw new TypeError(`${JSON.stringify(reply)} is no reply of the script`);
  const seen = typeof value === "string" ? decodeValue(value) : undefined;
  return { serverMs, waiting: Number(seen ? 0 : (value ?? 0)), seen };
}
