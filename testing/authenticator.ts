/**
 * An authenticator in software, with real keys and signatures.
 * It makes passkeys and signs with them.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

interface Ceremony {
  /** The options of the server, as JSON. */
  options: string;
  origin: string;
}

/** Deviations in the response of an authenticator or an attacker. */
interface Deviations {
  challenge?: string;
  domain?: string;
  counter?: number;
  credentialId?: string;
  type?: string;
  /** Its statement, given the bytes that an attestation signs. */
  attestation?: { format: string; statement: (signed: Buffer) => Map<string, unknown> };
}

/** A passkey on a device, and its responses as JSON. */
export function newAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = randomBytes(32).toString("base64url");

  return {
    credentialId: own,
    /** The registration response to options. */
    create({ options, origin }: Ceremony, given: Deviations = {}): string {
      const { challenge, rp } = JSON.parse(options);
      const { credentialId = own, counter = 0, domain = rp.id } = given;
      const id = Buffer.from(credentialId, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const client = clientData({ type: "webauthn.create", challenge, origin, ...given });
      const data = Buffer.concat([authenticatorData(domain, 0x41, counter), credential]);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", given.attestation?.format ?? "none"],
          ["attStmt", given.attestation?.statement(signed) ?? new Map()],
          ["authData", data],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return credentialJson(credentialId, {
        clientDataJSON: client.toString("base64url"),
        attestationObject: Buffer.from(attestation).toString("base64url"),
      });
    },
    /** The authentication response to options. */
    authenticate({ options, origin }: Ceremony, given: Deviations = {}): string {
      const { challenge, rpId } = JSON.parse(options);
      const { credentialId = own, counter = 0, domain = rpId } = given;
      const client = clientData({ type: "webauthn.get", challenge, origin, ...given });
      const data = authenticatorData(domain, 0x01, counter);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      return credentialJson(credentialId, {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      });
    },
  };
}

/** A credential as a browser sends it. */
function credentialJson(id: string, response: Record<string, string>): string {
  return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
}

function clientData({
  type,
  challenge,
  origin,
}: {
  type: string;
  challenge: string;
  origin: string;
}): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(domain: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(domain).digest(), rest]);
}

/** A P-256 key for ES256, in COSE form. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]) as Parameters<typeof isoCBOR.encode>[0],
  );
}
