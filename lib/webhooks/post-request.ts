/**
 * One POST request to an address that an administrator typed.
 * It reaches no private network, follows no redirect, and reads no body of a response.
 */
import { lookup as resolve } from "node:dns/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { errorCode } from "../../db/error-code.ts";
import { errorMessage } from "../logging/error-message.ts";
import { deliveryFaults } from "./delivery-faults.ts";
import { isPublicAddress } from "./public-address.ts";

interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Whether it may connect to addresses that are not public. */
  mayBePrivate: boolean;
}

type PostResult = { kind: "answered"; status: number } | { kind: "failed"; fault: string };

/** The timeout of one request, from resolving the name to the response's headers. */
export const requestTimeoutMs = 10_000;
/** How long a delivery is claimed by the process that sends it. */
export const claimMs = 2 * requestTimeoutMs;
const faultMaximum = 200;
/** The longest headers of a response, in bytes. */
const headersMaximum = 16_384;

/** Sends a request; any response is an answer, whatever its status. */
export async function sendPost({ url, headers, body, mayBePrivate }: PostRequest): Promise<PostResult> {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  try {
    const { hostname, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, "");
    // Checked here, since no name is looked up for it.
    if (isIP(host) !== 0 && !mayBePrivate && !isPublicAddress(host)) throw new PrivateAddress();
    const send = protocol === "https:" ? httpsRequest : httpRequest;
    const status = await new Promise<number>((settle, fail) => {
      const request = send(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
          "User-Agent": "Weir",
          ...headers,
        },
        // A connection of its own, made to the address that was checked.
        agent: false,
        lookup: checkedLookup(mayBePrivate),
        maxHeaderSize: headersMaximum,
        signal,
      });
      request
        .once("error", fail)
        .once("response", (response) => {
          // Destroyed unread, whatever its size.
          response.destroy();
          settle(response.statusCode ?? 0);
        })
        // Without an error, as after a response that switches the protocol.
        .once("close", () => fail(new Error(deliveryFaults.closed)));
      request.end(body);
    });
    return { kind: "answered", status };
  } catch (error) {
    return { kind: "failed", fault: faultOf(error, signal.aborted).slice(0, faultMaximum) };
  }
}

class PrivateAddress extends Error {}

/** Resolves a name, and yields only addresses that may be connected to. */
function checkedLookup(mayBePrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { family: options.family, hints: options.hints, all: true }).then(
      (found) => {
        const allowed = mayBePrivate ? found : found.filter(({ address }) => isPublicAddress(address));
        const [first] = allowed;
        if (!first) return callback(new PrivateAddress(), "");
        if (options.all) return callback(null, allowed);
        return callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}

function faultOf(error: unknown, isTimeout: boolean): string {
  if (isTimeout) return deliveryFaults.timeout;
  if (error instanceof PrivateAddress) return deliveryFaults.privateAddress;
  return errorCode(error) ?? errorMessage(error).replace(/\s+/g, " ");
}
