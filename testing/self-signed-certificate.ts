/**
 * A certificate for tests.
 * For localhost, signed by its own key, valid for two days.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { dayMs } from "../lib/time/units.ts";

/**
 * The certificate and its private key as PEM.
 * With `revocationList`, a URL, it is one that WebAuthn accepts for attestations.
 */
export function selfSignedCertificate({
  now = Date.now(),
  revocationList,
}: {
  now?: number;
  revocationList?: string;
} = {}): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const signatureAlgorithm = sequence(Buffer.from("06082a8648ce3d040302", "hex")); // ecdsa-with-SHA256
  const attributes: [type: number, value: string][] = [
    [6, "XX"], // country
    [10, "Tests"], // organization
    [11, "Authenticator Attestation"], // organizational unit
    [3, "localhost"], // common name
  ];
  const name = sequence(...attributes.map(([type, value]) => der(0x31, attribute(type, value))));
  const signed = sequence(
    ...(revocationList === undefined ? [] : [version3]),
    der(0x02, Buffer.from([1])), // serial number
    signatureAlgorithm,
    name,
    sequence(utcTime(now - dayMs), utcTime(now + dayMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    ...(revocationList === undefined ? [] : [extensions(distributionPoint(revocationList))]),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", signed, privateKey)]));
  const bytes = sequence(signed, signatureAlgorithm, signature);
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

const version3 = der(0xa0, der(0x02, Buffer.from([2])));

function attribute(type: number, value: string): Buffer {
  return sequence(Buffer.from([0x06, 3, 0x55, 4, type]), der(0x0c, Buffer.from(value)));
}

function extensions(...each: Buffer[]): Buffer {
  return der(0xa3, sequence(...each));
}

/** The extension that names a URL with the certificates that are revoked. */
function distributionPoint(url: string): Buffer {
  const point = sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))));
  return sequence(Buffer.from([0x06, 3, 0x55, 0x1d, 0x1f]), der(0x04, sequence(point)));
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
