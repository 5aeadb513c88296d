/** A request, from its head to its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "../../lib/http/problem.ts";
import { createAccess } from "./access.ts";
import { answerReply } from "./answers.ts";
import { type Asker, createAsking } from "./asking.ts";
import { bodyMaximumBytes, createBodies, faultBefore } from "./body.ts";
import type { Connection, Connections } from "./connections.ts";
import { createPages, type PageSettings } from "./pages.ts";
import { problemReply, type Reply, send, sendBare, sendUnread } from "./reply.ts";
import { type Asked, type Target, targetOf } from "./target.ts";

export interface ExchangeSettings extends PageSettings {
  /** Without one, everybody may ask who reaches the address. */
  token?: string | undefined;
  /** Is told what nobody expected. */
  report: (error: unknown) => void;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  connection: Connection;
  /** The client sends the body when it is told to go on. */
  awaitsContinue: boolean;
}

/** How many requests a client may send on one connection without awaiting their answers. */
const inFlightMaximum = 100;
const tooManyInFlight: Problem = {
  status: 503,
  detail: `At most ${inFlightMaximum} requests can be in flight on one connection: await answers, or open another.`,
};
const noHost: Problem = { status: 400, detail: "The request has no Host header." };
const unmetExpectation: Problem = { status: 417, detail: "Of expectations, only 100-continue can be met." };
const crash: Problem = {
  status: 500,
  detail: "The service could not do this. What went wrong is in its log.",
};

export function createExchanges(connections: Connections, engine: Asker, settings: ExchangeSettings) {
  const refusalOf = createAccess(settings.token);
  const bodies = createBodies();
  const pages = createPages(settings);
  const ask = createAsking(engine);
  let isClosing = false;

  /** `problem` speaks against the request already, and nothing that comes after it is heard. */
  function begin(
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue = false,
    problem?: Problem,
  ): void {
    const connection = connections.of(request.socket);
    // Nobody would get the answer, so nothing may be counted.
    if (!connection || connection.isEnding || !request.socket.writable) return;
    connection.inFlight += 1;
    connection.newest = response;
    const exchange = { request, response, connection, awaitsContinue };
    const refusal = problem ?? (connection.inFlight > inFlightMaximum ? tooManyInFlight : undefined);
    if (refusal) {
      endAfter(exchange);
      refuse(exchange, refusal);
    } else answer(exchange);
  }

  function answer(exchange: Exchange): void {
    const { request, response } = exchange;
    const target = targetOf(request.method ?? "", request.url ?? "");
    const problem = problemBefore(request, target);
    if (problem) refuse(exchange, problem);
    else if (target.kind === "page") settle(exchange, pages[target.page](), (reply) => reply);
    else if (target.kind === "verb") {
      if (exchange.awaitsContinue) response.writeContinue();
      exchange.awaitsContinue = false;
      bodies.read(request, {
        onValue: (value) => answerVerb(exchange, value, target),
        onFault: (fault) => refuse(exchange, fault),
      });
    }
  }

  function answerVerb(exchange: Exchange, value: unknown, asked: Asked): void {
    const answer = ask(value, asked, exchange.connection);
    if (answer instanceof Promise)
      settle(exchange, answer, (settled) => answerReply(settled, asked.decidesStatus));
    else refuse(exchange, answer);
  }

  /** What speaks against a request before its body is read. */
  function problemBefore(request: IncomingMessage, target: Target): Problem | undefined {
    if (request.headers.host === undefined && request.httpVersion === "1.1") return noHost;
    const isPage = target.kind === "page";
    const refusal = refusalOf(request.headers, isPage, isPage && target.page === "/v1/alive");
    if (refusal) return refusal;
    if (target.kind === "problem") return target.problem;
    return target.kind === "verb" ? faultBefore(request) : undefined;
  }

  /** One promise, and no more: this is on the way of every request. */
  function settle<T>(exchange: Exchange, work: Promise<T>, toReply: (value: T) => Reply): void {
    work.then(
      (value) => atTurnsEnd(() => finish(exchange, toReply(value)), exchange),
      (error: unknown) => fail(exchange, error),
    );
  }

  /** What is to be answered when all that has arrived is asked: who awaits several answers is then woken once for them. */
  let due: { answer: () => void; exchange: Exchange }[] = [];

  function atTurnsEnd(answer: () => void, exchange: Exchange): void {
    if (due.length === 0) setImmediate(answerDue);
    due.push({ answer, exchange });
  }

  function answerDue(): void {
    const all = due;
    due = [];
    for (const { answer, exchange } of all) {
      try {
        answer();
      } catch (error) {
        fail(exchange, error);
      }
    }
  }

  function fail(exchange: Exchange, error: unknown): void {
    settings.report(error);
    if (exchange.response.headersSent) exchange.response.destroy();
    else refuse(exchange, crash);
  }

  function refuse(exchange: Exchange, problem: Problem): void {
    finish(exchange, problemReply(problem));
  }

  function finish(exchange: Exchange, reply: Reply): void {
    const { request, response, connection } = exchange;
    if (isClosing && connection.newest === response) endAfter(exchange);
    if (response.destroyed) connection.inFlight -= 1;
    else if (request.complete || !(exchange.awaitsContinue || mayBeLong(request))) {
      send(response, reply);
      connection.inFlight -= 1;
    } else {
      endAfter(exchange);
      sendUnread(request, response, reply);
      connection.inFlight -= 1;
    }
  }

  return {
    begin: (request: IncomingMessage, response: ServerResponse) => begin(request, response),
    /** For a client that sends its body only when it is told to go on. */
    beginExpecting: (request: IncomingMessage, response: ServerResponse) => begin(request, response, true),
    refuseExpectation: (request: IncomingMessage, response: ServerResponse) =>
      begin(request, response, true, unmetExpectation),

    /** What came last on a connection is no request, or not all of one: no more can be heard there. */
    breakOff(socket: Socket, problem: Problem): void {
      const connection = connections.of(socket);
      if (!connection || !socket.writable) socket.destroy();
      if (!connection || !socket.writable || connection.isEnding) return;
      connection.isEnding = true;
      const { newest, inFlight } = connection;
      if (newest && !newest.req.complete && !newest.headersSent) {
        connection.inFlight -= 1;
        newest.shouldKeepAlive = false;
        send(newest, problemReply(problem));
      } else if (inFlight === 0) sendBare(socket, problemReply(problem));
      else if (newest) newest.shouldKeepAlive = false;
    },

    /** Begins nothing new on new connections, answers what is in flight, and resolves when all is closed. */
    async end(): Promise<void> {
      isClosing = true;
      await connections.close();
    },
  };
}

/** The connection is closed behind this answer. */
function endAfter({ response, connection }: Exchange): void {
  response.shouldKeepAlive = false;
  connection.isEnding = true;
}

/** Whether reading on until the body's end might take long. */
function mayBeLong({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bodyMaximumBytes
  );
}
