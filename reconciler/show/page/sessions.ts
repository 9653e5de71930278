import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import sessions, { type SessionStore } from "@fastify/session";
import { callbackify } from "node:util";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Clock } from "../../../core/api/index.ts";
import { readStored, type StoredForm } from "../../../core/files/stored-form.ts";
import { form, optional } from "../../../core/outputs/forms/forms.ts";
import { parsedJson } from "../../../core/values/json.ts";
import {
  type LoginOrigin,
  type Person,
  type SessionIdentity,
  sessionIdentityForm,
} from "../../people/index.ts";

export const reportedForm = form({ text: Type.String(), isRefused: Type.Boolean() });

declare module "fastify" {
  interface Session {
    identity?: SessionIdentity;
    /** The outcome of the person's last action. */
    reported?: StoredForm<typeof reportedForm>;
    /** It was stored before this request. */
    isStored?: boolean;
  }
  interface FastifyRequest {
    /** The sender. */
    person: Person;
    /** The sender's present identity, while the request is open: undefined as soon as the person has no role. */
    personNow(): Promise<Person | undefined>;
    /** The address of the sender; a proxy gives that of its client. */
    from: string;
  }
}

export function identityNow({ session, sessionStore }: FastifyRequest): Promise<SessionIdentity | undefined> {
  return new Promise((resolve, reject) => {
    sessionStore.get(session.sessionId, (error, stored) => {
      if (error) reject(error);
      else resolve(stored?.identity);
    });
  });
}

/** Milliseconds of a session: after that, a person signs in again, with the present groups. */
const lifetime = 8 * 3_600_000;

/** The store of sessions, by id. */
export interface SessionRecords {
  find(id: string): Promise<string | undefined>;
  begin(id: string, content: string, until: Date): Promise<void>;
  /** Changes a session, unless it has ended meanwhile. */
  change(id: string, content: string): Promise<void>;
  end(id: string): Promise<void>;
}

/** The identities are unavailable. */
export class SessionsAwayError extends Error {
  readonly statusCode = 503;

  constructor(cause: unknown) {
    super(
      "The database that the workers share does not answer, so this worker does not know who has signed in. Try again in a minute; a program with a token needs no sign-in.",
      { cause },
    );
  }
}

/** An unguessable id: other workers could not check a signature by a key of this process. */
const unsigned = {
  sign: (id: string) => id,
  unsign: (id: string) => ({ valid: /^[\w-]{32}$/.test(id), renew: false, value: id }),
};

/** @param stored by default in memory: a restart ends the sessions */
export async function addSessions(
  app: FastifyInstance,
  clock: Pick<Clock, "now">,
  stored: SessionRecords = new SessionsInMemory(clock),
): Promise<void> {
  await app.register(cookie);
  await app.register(sessions, {
    secret: unsigned,
    cookieName: "infrasync",
    // Behind a proxy that ends TLS, the cookie travels over TLS only.
    cookie: { httpOnly: true, sameSite: "lax", secure: "auto", path: "/", maxAge: lifetime },
    saveUninitialized: false,
    rolling: false,
    store: storeOf(stored, clock),
  });
  await app.register(csrf, { sessionPlugin: "@fastify/session" });
}

const sessionForm = form({
  cookie: Type.Record(Type.String(), Type.Unknown()),
  identity: optional(sessionIdentityForm),
  reported: optional(reportedForm),
});

type SessionData = Parameters<SessionStore["set"]>[1];

function storeOf(stored: SessionRecords, clock: Pick<Clock, "now">): SessionStore {
  const known = async <Value>(requested: Promise<Value>): Promise<Value> => {
    try {
      return await requested;
    } catch (error) {
      throw new SessionsAwayError(error);
    }
  };
  return {
    set: callbackify((id: string, session: SessionData) => {
      const content = JSON.stringify(session);
      const until = new Date(clock.now() + lifetime);
      return known(session.isStored ? stored.change(id, content) : stored.begin(id, content, until));
    }),
    get: callbackify(async (id: string) => {
      const content = await known(stored.find(id));
      const value = parsedJson(content ?? "");
      // Whoever has one that nobody can read signs in again.
      const isRead = readStored(sessionForm, value).damage === undefined;
      return isRead ? { ...(value as object as SessionData), isStored: true } : null;
    }),
    destroy: callbackify((id: string) => known(stored.end(id))),
  };
}

class SessionsInMemory implements SessionRecords {
  readonly #clock: Pick<Clock, "now">;
  readonly #sessions = new Map<string, { until: Date; content: string }>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async find(id: string): Promise<string | undefined> {
    const stored = this.#sessions.get(id);
    return stored && stored.until.getTime() > this.#clock.now() ? stored.content : undefined;
  }

  async begin(id: string, content: string, until: Date): Promise<void> {
    for (const [other, { until: end }] of this.#sessions)
      if (end.getTime() <= this.#clock.now()) this.#sessions.delete(other);
    this.#sessions.set(id, { until, content });
  }

  async change(id: string, content: string): Promise<void> {
    const stored = this.#sessions.get(id);
    if (stored) stored.content = content;
  }

  async end(id: string): Promise<void> {
    this.#sessions.delete(id);
  }
}

/** Whether a request comes from a program: with a token, or from another worker. A browser adds a password to foreign requests too. */
export function isOfProgram({ headers, passed }: Pick<FastifyRequest, "headers" | "passed">): boolean {
  return passed !== undefined || /^Bearer /i.test(headers.authorization ?? "");
}

/** Whether a browser reports that another site has caused a request. */
export function isForeign({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return (
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== "null" && URL.parse(origin)?.host !== host)
  );
}

/** Says why `refuseForeign` has refused a request. */
export const foreignRequest =
  "This form is not of this page, or it is too old: load the page again. For a request without the page, a program needs a token.";

/** Refuses requests that another site has caused: without the form's token, or from another origin. */
export function refuseForeign(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isForeign(request.headers) || request.headers["sec-fetch-site"] === "none")
      reject(Object.assign(new Error(foreignRequest), { statusCode: 403 }));
    // Without a right token it sends its own error, as the answer.
    else app.csrfProtection(request, reply, () => resolve());
  });
}

const forwardedFor = ({ headers }: FastifyRequest) => [headers["x-forwarded-for"] ?? ""].flat().join(", ");

/** The origin of a sign-in try. Of a list, only the last address is from the proxy. */
export function loginOriginOf(request: FastifyRequest): LoginOrigin {
  const forwarded = forwardedFor(request).split(",").at(-1)?.trim().slice(0, 100);
  return { peer: request.socket.remoteAddress ?? "", forwarded: forwarded === "" ? undefined : forwarded };
}

/** The address of a request, as long as its connection is open. */
export function originOf(request: FastifyRequest): string {
  const forwarded = forwardedFor(request).slice(0, 100);
  const peer = request.socket.remoteAddress ?? "";
  return forwarded === "" ? peer : `${peer}, for ${forwarded.replaceAll(/[^\w.:, ]/g, "?")}`;
}
