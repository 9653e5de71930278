import { type Fields, isFields } from "../../../core/values/json.ts";
import { escapeControl, shorten } from "../../../core/values/text.ts";
import type { Exchange } from "./server.ts";
import { NotKnown } from "./not-known.ts";

/** Whether a request was carried out. */
export function isDone({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Whether a request was refused for its content: not for the token, the address or the quota. */
export function isRefused({ status }: Exchange): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 429].includes(status);
}

/** The resource in an answer. @throws NotKnown if the request was not carried out, or the answer has no resource */
export function resourceIn(exchange: Exchange): Fields & { id: string } {
  const { answer } = exchange;
  const id = isFields(answer) ? answer["id"] : undefined;
  if (isDone(exchange) && isFields(answer) && typeof id === "string") return { ...answer, id };
  throw unexpected(exchange);
}

/** The elements of a list. @throws NotKnown if it was not answered */
export function elementsIn(exchange: Exchange): Fields[] {
  const results = isFields(exchange.answer) ? exchange.answer["results"] : undefined;
  if (isDone(exchange) && Array.isArray(results)) return results.filter((each) => isFields(each));
  throw unexpected(exchange);
}

/** That a request got an answer that the case has no use for. */
export function unexpected({ method, path, status, answer }: Exchange): NotKnown {
  const message = isFields(answer) ? answer["message"] : undefined;
  const words = typeof message === "string" ? `: ${shorten(escapeControl(message), 200)}` : "";
  return new NotKnown(`${method} ${path} was answered with ${status}${words}`);
}
