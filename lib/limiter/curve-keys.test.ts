import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { curveKeyPair } from "zeromq";
import { curveKeysFrom, curvePublicKey, z85 } from "./curve-keys.ts";

test("Z85 is that of its specification", () => {
  expect(z85(Buffer.from("864fd26fb559f75b", "hex"))).toBe("HelloWorld");
  expect(z85(Buffer.alloc(4, 0xff))).toBe("%nSc0");
  expect(z85(Buffer.alloc(0))).toBe("");
  expect(() => z85(Buffer.alloc(3))).toThrow("multiples of 4");
});

/** A key pair made by libzmq's curveKeyPair. */
const known = {
  publicKey: "oSFv}Q:ifeB<=5tr{FRW3xW!}z3.ikd<lob68MJ&",
  secretKey: "D+^)PK!*NK]6LK-TncI9edqSe!:hWSn]*Hs*H90O",
};

test("derives the same public key as libzmq", () => {
  const pairs = [known, ...Array.from({ length: 20 }, () => curveKeyPair())];
  for (const { publicKey, secretKey } of pairs)
    expect(z85(curvePublicKey(bytesOf(secretKey)))).toBe(publicKey);
});

test("derives the same keys from one token, and different keys from others", () => {
  const keys = curveKeysFrom("a token of 32 characters, or so…");
  expect(keys).toEqual(curveKeysFrom("a token of 32 characters, or so…"));
  const all = [keys, curveKeysFrom("A token of 32 characters, or so…")].flatMap(({ server, client }) => [
    server.publicKey,
    server.secretKey,
    client.publicKey,
    client.secretKey,
  ]);
  expect(new Set(all).size).toBe(8);
  for (const key of all) expect(key).toMatch(/^[0-9a-zA-Z.\-:+=^!/*?&<>()[\]{}@%$#]{40}$/);
});

test("keeps a token's keys across versions", () => {
  const { server, client } = curveKeysFrom("0123456789abcdef0123456789abcdef");
  const text = [server.publicKey, server.secretKey, client.publicKey, client.secretKey].join(" ");
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "bfb3f446e67540bd5bb3dc0baa95906ac84c5a04c21e947f19b786c30d01f15b",
  );
});

function bytesOf(z85Text: string): Buffer {
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  const bytes = Buffer.alloc((z85Text.length / 5) * 4);
  for (let five = 0; five < z85Text.length / 5; five += 1) {
    let value = 0;
    for (const character of z85Text.slice(five * 5, five * 5 + 5))
      value = value * 85 + alphabet.indexOf(character);
    bytes.writeUInt32BE(value, five * 4);
  }
  return bytes;
}
