/** The two settings of mail, as text and as their parts. */
import { z } from "zod";

export interface SmtpServer {
  host: string;
  /** Undefined for the protocol's own. */
  port: number | undefined;
  /** Whether TLS begins with the connection; else STARTTLS, if the server has it. */
  isSecure: boolean;
  credentials: { user: string; password: string } | undefined;
}

export interface Sender {
  name: string;
  address: string;
}

export const mailUrlFault =
  "must be an smtps: or smtp: address such as smtps://user:password@mail.example.org, with %40 for an @ in the user";
export const mailFromFault =
  'must be an address such as blog@example.org or "The Blog <blog@example.org>", on one line';

/** The longest address of a mail server, and the longest sender, in characters. */
export const mailUrlMaximum = 1_000;
export const mailFromMaximum = 400;

/** The parts of MAIL_URL; undefined when it is not such an address. */
export function smtpServerFrom(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (!/^smtps?:$/.test(protocol) || hostname === "" || port === "0") return undefined;
  if (!/^\/?$/.test(pathname) || search !== "" || hash !== "") return undefined;
  if ((username === "") !== (password === "")) return undefined;
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    return {
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? undefined : Number(port),
      isSecure: protocol === "smtps:",
      credentials: user === "" ? undefined : { user, password: secret },
    };
  } catch {
    return undefined;
  }
}

/** The parts of MAIL_FROM; undefined when it is not one address. */
export function senderFrom(text: string): Sender | undefined {
  const [, name = "", inBrackets] = /^(?:"?([^"<>\p{Cc}]*?)"?\s*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  return z.email().max(254).safeParse(address).success ? { name: name.trim(), address } : undefined;
}
