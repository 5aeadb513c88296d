/**
 * The keys of an encrypted ZeroMQ connection (CURVE), derived from a shared token.
 *
 * A program with the token has both pairs; one without it can neither act as the server nor connect.
 *
 * A secret key is the HMAC-SHA256 of a fixed text under the token; CURVE takes any 32 bytes for one. The public key
 * belongs to it by X25519 (RFC 7748). All are written as ZeroMQ writes keys: Z85, 40 characters
 * (https://rfc.zeromq.org/spec/32). Keep all of it out of logs, but for the public keys.
 */
import { createHmac, createPrivateKey, createPublicKey } from "node:crypto";

export interface CurveKeyPair {
  publicKey: string;
  secretKey: string;
}

interface CurveKeys {
  server: CurveKeyPair;
  client: CurveKeyPair;
}

/** The same keys for the same token, wherever it is run. */
export function curveKeysFrom(token: string): CurveKeys {
  return { server: pairFrom(token, "weir limiter server"), client: pairFrom(token, "weir limiter client") };
}

/** The public key of a secret key's 32 bytes, as 32 bytes. */
export function curvePublicKey(secret: Uint8Array): Buffer {
  const der = Buffer.concat([privateKeyHead, secret]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  return publicKey.export({ format: "der", type: "spki" }).subarray(-keyBytes);
}

/**
 * Bytes as Z85 text: five characters for each four bytes.
 *
 * @throws RangeError when their number is not a multiple of 4
 */
export function z85(bytes: Uint8Array): string {
  if (bytes.length % 4 !== 0) throw new RangeError(`Z85 takes multiples of 4 bytes, not ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 4) {
    let rest = view.getUint32(offset);
    let five = "";
    for (let place = 0; place < 5; place += 1) {
      five = alphabet.charAt(rest % 85) + five;
      rest = Math.floor(rest / 85);
    }
    text += five;
  }
  return text;
}

const keyBytes = 32;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
// The bytes before the 32 bytes of an X25519 private key in PKCS #8 (RFC 8410, section 7).
const privateKeyHead = Buffer.from("302e020100300506032b656e04220420", "hex");

function pairFrom(token: string, name: string): CurveKeyPair {
  const secret = createHmac("sha256", token).update(name).digest();
  return { publicKey: z85(curvePublicKey(secret)), secretKey: z85(secret) };
}
