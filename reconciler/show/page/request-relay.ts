import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { readStored, readJson, type StoredForm } from "../../../core/files/stored-form.ts";
import { form, optional } from "../../../core/outputs/forms/forms.ts";
import type { Json } from "../../../core/values/json.ts";
import { type PeopleGate, type SessionIdentity, sessionIdentityForm } from "../../people/index.ts";
import { guestOf } from "./pages.ts";
import { userActionOfForm } from "../../requests/index.ts";
import type { PagePeople } from "./people.ts";
import { isOfBrowser, sendRefusal } from "./reply.ts";
import { isOfProgram, refuseForeign, reportedForm } from "./sessions.ts";

const requestForm = form({
  method: Type.String(),
  /** Below the source: `/journal?page=2`. */
  path: Type.String(),
  body: optional(Type.Unknown()),
  identity: optional(sessionIdentityForm),
  from: Type.String(),
  guest: form({
    proof: Type.String(),
    isSignedIn: Type.Boolean(),
    canSignIn: Type.Boolean(),
    reported: optional(reportedForm),
  }),
});

/** A request about another worker's source. The sender's identity is checked here; the permission, there. */
type PassedRequest = StoredForm<typeof requestForm>;

const wordsForm = form({ message: optional(Type.String()) });

const answerForm = form({
  status: Type.Integer(),
  type: Type.String(),
  policy: optional(Type.String()),
  body: Type.String(),
});

declare module "fastify" {
  interface FastifyRequest {
    /** The request that another worker has passed on; undefined if the client sent it to this worker. */
    passed: PassedRequest | undefined;
  }
}

/** The header that names a passed request inside this process. */
const passedHeader = "x-infrasync-passed";

/** The requests that other workers have passed on to this one. */
export class PassedRequests {
  readonly #open = new Map<string, PassedRequest>();

  /** The request that another worker has passed on; a client cannot name one. */
  of({ headers }: Pick<FastifyRequest, "headers">): PassedRequest | undefined {
    return this.#open.get(String(headers[passedHeader]));
  }

  /** @param message of another worker. Undefined: nobody can read it */
  async answer(app: FastifyInstance, source: string, message: Json): Promise<Json | undefined> {
    const passed = readStored(requestForm, message).content;
    if (!passed) return undefined;
    const name = randomUUID();
    this.#open.set(name, passed);
    try {
      const { statusCode, headers, body } = await app.inject({
        method: passed.method === "POST" ? "POST" : "GET",
        url: `/sources/${encodeURIComponent(source)}${passed.path}`,
        headers: { [passedHeader]: name, host: "localhost" },
        ...(passed.body !== undefined && { payload: passed.body as object }),
      });
      const policy = headers["content-security-policy"];
      return {
        status: statusCode,
        type: String(headers["content-type"] ?? ""),
        ...(policy !== undefined && { policy: String(policy) }),
        body,
      };
    } finally {
      this.#open.delete(name);
    }
  }
}

/** Passes a request to the worker of a source, and sends that worker's answer to the client. */
export async function passOn(
  app: FastifyInstance,
  people: PagePeople,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (request: Json) => Promise<Json | undefined>,
): Promise<FastifyReply> {
  const { method, url, session, from } = request;
  const isProgram = isOfProgram(request);
  const isUserAction = method === "POST";
  if (isUserAction && !isProgram) await refuseForeign(app, request, reply);
  const { person: _person, ...guest } = await guestOf(request, reply, people);
  const identity = await identityOf(people.gate, request);
  const { reported } = session;
  if (reported && !isUserAction) session.set("reported", undefined as never);
  const message = {
    method,
    path: url.replace(/^\/sources\/[^/?]*/, ""),
    from,
    guest: { ...guest, reported },
    ...(identity && { identity }),
    ...(isUserAction && { body: isProgram ? request.body : userActionOfForm(request.body) }),
  } satisfies PassedRequest;
  const answer = readStored(answerForm, await ask(message as object as Json)).content;
  if (!answer)
    return sendRefusal(
      request,
      reply,
      504,
      "the worker that runs this source does not answer; try again in half a minute",
    );
  const isRefused = answer.status >= 400;
  const isOfPage = isUserAction ? !isProgram : isRefused && isOfBrowser(request);
  if (isOfPage && answer.type.includes("json")) {
    const { message: text = "" } = readJson(wordsForm, answer.body).content ?? {};
    if (!isUserAction) return sendRefusal(request, reply, answer.status, text);
    session.reported = { text, isRefused };
    return reply.redirect("./", 303);
  }
  if (answer.policy !== undefined) reply.header("content-security-policy", answer.policy);
  return reply.code(answer.status).type(answer.type).send(answer.body);
}

async function identityOf(
  gate: PeopleGate,
  { headers, session }: FastifyRequest,
): Promise<SessionIdentity | undefined> {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer === undefined ? session.identity : gate.identify(bearer);
}
