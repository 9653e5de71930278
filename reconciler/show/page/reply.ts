import type { FastifyReply, FastifyRequest } from "fastify";
import { renderAlone } from "./frame.ts";

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(page);
}

export function sendText(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).type("text/plain; charset=utf-8").send(text);
}

/** Whether a person reads the answer in a browser. Everybody else gets JSON. */
export function isOfBrowser({ headers, url }: Pick<FastifyRequest, "headers" | "url">): boolean {
  const isPage = !/\.json(?:\?|$)/.test(url) && !/^Bearer /i.test(headers.authorization ?? "");
  return isPage && (headers.accept ?? "").includes("text/html");
}

/** Refuses a request: with a page for a browser, and with JSON for a program. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  return isOfBrowser(request)
    ? sendPage(reply, renderAlone(message), status)
    : reply.code(status).send({ message });
}
