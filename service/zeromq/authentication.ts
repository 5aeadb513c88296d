/**
 * Decides which clients may connect.
 * libzmq calls a handler for each connection (ZAP, https://rfc.zeromq.org/spec/27).
 */
import { type Context, Reply } from "zeromq";
import { type CurveKeyPair, curveKeysFrom, z85 } from "../../lib/limiter/curve-keys.ts";
import { isLoopback } from "../addresses.ts";

const version = "1.0";

/**
 * The options of a socket that checks its clients.
 * With a token it also encrypts (CURVE) with the server's keys.
 */
export function serverSecurity(token: string | undefined) {
  const checked = { zapDomain: "limiter", zapEnforceDomain: true };
  return token === undefined
    ? checked
    : { ...checked, curveServer: true, curveSecretKey: curveKeysFrom(token).server.secretKey };
}

/** The options of a socket that connects to such a server. */
export function clientSecurity(token: string | undefined) {
  if (token === undefined) return {};
  const { server, client } = curveKeysFrom(token);
  return {
    curveServerKey: server.publicKey,
    curvePublicKey: client.publicKey,
    curveSecretKey: client.secretKey,
  };
}

/**
 * Decides for all servers of `context`.
 * With a token it requires the token's client key, without one an address of this machine. Returns a function that ends
 * the handler.
 */
export async function authenticate(context: Context, token: string | undefined): Promise<() => void> {
  const clientKeys = token === undefined ? undefined : curveKeysFrom(token).client;
  const handler = new Reply({ context, linger: 0 });
  await handler.bind("inproc://zeromq.zap.01");
  void answerAll(handler, clientKeys);
  return () => handler.close();
}

async function answerAll(handler: Reply, clientKeys: CurveKeyPair | undefined): Promise<void> {
  for await (const [, requestId = "", , address, , mechanism, credentials] of handler) {
    const isAdmitted = clientKeys
      ? String(mechanism) === "CURVE" &&
        credentials?.length === 32 &&
        z85(credentials) === clientKeys.publicKey
      : String(mechanism) === "NULL" && isLoopback(String(address));
    const verdict = isAdmitted ? ["200", "OK", "client"] : ["400", "Not admitted", ""];
    // Closed meanwhile: then no socket waits for the answer.
    if (handler.closed) return;
    await handler.send([version, requestId, ...verdict, ""]);
  }
}
