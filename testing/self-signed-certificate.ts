/**
 * A certificate for tests.
 * For localhost, signed by its own key, valid for two days.
 */
import { generateKeyPairSync, sign } from "node:crypto";

const dayMs = 86_400_000;

/** The certificate and its private key as PEM. */
export function selfSignedCertificate(now = Date.now()): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const signatureAlgorithm = sequence(Buffer.from("06082a8648ce3d040302", "hex")); // ecdsa-with-SHA256
  const commonName = sequence(Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("localhost")));
  const name = sequence(der(0x31, commonName));
  const signed = sequence(
    der(0x02, Buffer.from([1])), // serial number
    signatureAlgorithm,
    name,
    sequence(utcTime(now - dayMs), utcTime(now + dayMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", signed, privateKey)]));
  const bytes = sequence(signed, signatureAlgorithm, signature);
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function utcTime(at: number): Buffer {
  const [, digits = ""] = /^20(.{17})/.exec(new Date(at).toISOString()) ?? [];
  return der(0x17, Buffer.from(`${digits.replace(/\D/g, "")}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** A value in DER: its tag, its length and its bytes. */
function der(tag: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), bytes]);
}
