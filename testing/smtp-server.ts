/** A real SMTP server on a loopback port, which keeps the mails that it receives. */
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import type { MailServer } from "../lib/mail/smtp.ts";
import { mailServer } from "../lib/mail/smtp.ts";
import { smtpServerFrom } from "../lib/settings/mail-settings.ts";

export interface ReceivedMail extends ParsedMail {
  /** The message as it came. */
  raw: string;
  /** The addresses of RCPT TO. */
  recipients: string[];
}

export interface TestSmtpServer {
  /** For MAIL_URL. */
  url: string;
  /** The mails, in the order in which they were accepted. */
  mails: ReceivedMail[];
  /** Its client, as the app has it. */
  client: MailServer;
  stop(): Promise<void>;
}

interface SmtpBehaviour {
  /** The answer to RCPT TO, such as "550 No such user", in place of accepting it. */
  refusal?: (address: string) => string | undefined;
  /** Is awaited before a message is accepted. */
  beforeAccepting?: () => Promise<void>;
  /** The only user and password that are accepted; required when given. */
  credentials?: { user: string; password: string };
  port?: number;
}

export async function startSmtpServer({
  refusal = () => undefined,
  beforeAccepting = async () => {},
  credentials,
  port = 0,
}: SmtpBehaviour = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: !credentials,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === credentials?.user && password === credentials?.password;
      done(isRight ? null : new Error("Wrong user or password"), { user: username });
    },
    onRcptTo: ({ address }, _session, done) => {
      const answer = refusal(address);
      if (answer === undefined) return done();
      done(Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) }));
    },
    onData: (stream, session, done) => {
      void (async () => {
        const raw = await buffer(stream);
        await beforeAccepting();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ ...(await simpleParser(raw)), raw: raw.toString(), recipients });
        done();
      })().catch(done);
    },
  });
  // Clients that die in the middle of an email are part of tests.
  server.on("error", () => {});
  const listener = server.listen(port, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (typeof address !== "object" || address === null) throw new Error("It listens on a port");
  const user = credentials ? `${encodeURIComponent(credentials.user)}:${credentials.password}@` : "";
  const url = `smtp://${user}127.0.0.1:${address.port}`;
  return {
    url,
    mails,
    client: clientOf(url),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The app's client of the server at an address. */
export function clientOf(url: string): MailServer {
  const server = smtpServerFrom(url);
  if (!server) throw new Error(`${url} is not the address of a mail server`);
  return mailServer(server);
}
