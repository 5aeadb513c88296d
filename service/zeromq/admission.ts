/** Who may connect when there is a token: those who have the client's key (ZAP, https://rfc.zeromq.org/spec/27). */
import { type Context, Reply } from "zeromq";
import { type CurveKeyPair, z85 } from "../../lib/limiter/curve-keys.ts";

const version = "1.0";

/** What makes a socket encrypt with the server's keys, and ask whom to let in. */
export function curveServer({ secretKey }: CurveKeyPair) {
  return { curveServer: true, curveSecretKey: secretKey, zapDomain: "limiter", zapEnforceDomain: true };
}

/** Answers the sockets of `context`, which ask before they let anybody in. Returns how to end that. */
export async function admitOnly(publicKey: string, context: Context): Promise<() => void> {
  const handler = new Reply({ context, linger: 0 });
  await handler.bind("inproc://zeromq.zap.01");
  void answerAll(handler, publicKey);
  return () => handler.close();
}

async function answerAll(handler: Reply, publicKey: string): Promise<void> {
  for await (const [, requestId = "", , , , mechanism, credentials] of handler) {
    const admitted =
      String(mechanism) === "CURVE" && credentials?.length === 32 && z85(credentials) === publicKey;
    const verdict = admitted ? ["200", "OK", "client"] : ["400", "The key is another", ""];
    // Closed since it was asked: then nobody waits for the answer.
    if (handler.closed) return;
    await handler.send([version, requestId, ...verdict, ""]);
  }
}
