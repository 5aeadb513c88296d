/** Mail by SMTP. */
import { createTransport } from "nodemailer";
import { errorCode } from "../../db/error-code.ts";
import { errorMessage } from "../logging/error-message.ts";
import { secretRemover } from "../logging/without-secrets.ts";
import { within } from "../observe/deadline.ts";
import type { Sender, SmtpServer } from "../settings/mail-settings.ts";
import { minuteMs } from "../time/units.ts";

/** One message, ready to be sent. */
interface Message {
  from: Sender;
  to: string;
  /** Including its domain, without angle brackets. */
  messageId: string;
  date: Date;
  subject: string;
  text: string;
  html: string;
  /** The address to which mail programs post to turn such mails off (RFC 8058). */
  oneClickUrl?: string | undefined;
}

type Delivery =
  | { kind: "sent" }
  | {
      kind: "failed";
      /** A line without addresses and secrets. */
      fault: string;
      /** Whether the server refuses this message or recipient in every attempt. */
      isPermanent: boolean;
      /** Whether the server could not be used at all, so that other mails would fail too. */
      isOutage: boolean;
    };

export interface MailServer {
  send(message: Message): Promise<Delivery>;
  /** Why the server cannot be used; undefined when it can. */
  check(): Promise<string | undefined>;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/;
/** The timeout of sending one message. Shorter than a claim (`sender.ts`). */
export const sendTimeoutMs = minuteMs;
const faultMaximum = 300;

/** The server at an address; opens a connection for each message. */
export function mailServer({ host, port, isSecure, credentials }: SmtpServer): MailServer {
  const withoutSecrets = secretRemover(credentials ? [credentials.password, credentials.user] : []);
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    auth: credentials && { user: credentials.user, pass: credentials.password },
    // Otherwise an attacker on the way could remove STARTTLS from the server's response, and read the password.
    requireTLS: credentials !== undefined && !isSecure && !loopback.test(host),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 30_000,
  });

  function faultOf(error: unknown): string {
    const code = errorCode(error);
    const response = error instanceof Error && "response" in error ? String(error.response) : undefined;
    const text = `${code ?? "failed"}: ${response ?? errorMessage(error)}`;
    return withoutSecrets(text)
      .replace(/[^\s<>:,;"']+@[^\s<>:,;"']+/g, "[address]")
      .replace(/\s+/g, " ")
      .slice(0, faultMaximum);
  }

  return {
    async send({ from, to, messageId, oneClickUrl, ...message }) {
      try {
        const mail = {
          ...message,
          from,
          to: { name: "", address: to },
          envelope: { from: from.address, to: [to] },
          messageId: `<${messageId}>`,
          // So that holiday replies stay away (RFC 3834).
          headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(oneClickUrl) },
          disableFileAccess: true,
          disableUrlAccess: true,
        };
        await transport.sendMail({ ...mail, signal: AbortSignal.timeout(sendTimeoutMs) });
        return { kind: "sent" };
      } catch (error) {
        const isOfMessage = isRefusal(error);
        return {
          kind: "failed",
          fault: faultOf(error),
          isPermanent: isOfMessage && responseCodeOf(error) >= 500,
          isOutage: !isOfMessage,
        };
      }
    },
    async check() {
      try {
        await within(sendTimeoutMs, () => transport.verify());
        return undefined;
      } catch (error) {
        return faultOf(error);
      }
    },
  };
}

function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const header = { "List-Unsubscribe": `<${url}>` };
  // The second header promises https (RFC 8058, section 3.1).
  return url.startsWith("https:")
    ? { ...header, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : header;
}

/** Whether the server refused this message or recipient, not the site as a sender. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || ("command" in error && error.command === "MAIL FROM")) return false;
  return ["EENVELOPE", "EMESSAGE"].includes(errorCode(error) ?? "");
}

/** The number in the server's answer; 0 without one. */
function responseCodeOf(error: unknown): number {
  return error instanceof Error && "responseCode" in error ? Number(error.responseCode) || 0 : 0;
}
