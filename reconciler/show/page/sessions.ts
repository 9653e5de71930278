import { randomBytes } from "node:crypto";
import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import sessions, { type SessionStore } from "@fastify/session";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EntryOrigin, SessionIdentity, Person } from "../../people/index.ts";

declare module "fastify" {
  interface Session {
    /** Who has signed in. */
    identity?: SessionIdentity;
    /** The outcome of the person's last action. */
    told?: { text: string; isRefused: boolean };
  }
  interface FastifyRequest {
    /** Who sends it. */
    person: Person;
    /** Who would send it now, while it is open: undefined as soon as nobody with a role. */
    personNow(): Promise<Person | undefined>;
    /** The address that it comes from; one behind a proxy says for whom it asks. */
    from: string;
  }
}

/** Who has signed in with the session of a request, as the session is now. */
export function identityNow({ session, sessionStore }: FastifyRequest): Promise<SessionIdentity | undefined> {
  return new Promise((resolve, reject) => {
    sessionStore.get(session.sessionId, (error, kept) => {
      if (error) reject(error);
      else resolve(kept?.identity);
    });
  });
}

/** How long a session lasts, in milliseconds: after that, a person signs in again, and brings new groups along. */
const lifetime = 8 * 3_600_000;

/** Sessions in memory: a restart ends them, and the cookie of a browser is nothing but a signed name. */
export async function addSessions(app: FastifyInstance): Promise<void> {
  // A cookie that is signed for one purpose is worth nothing for another.
  const makeSecret = () => randomBytes(32).toString("hex");
  await app.register(cookie, { secret: makeSecret() });
  await app.register(sessions, {
    secret: makeSecret(),
    cookieName: "infrasync",
    // Behind a proxy that ends TLS, the cookie travels over TLS only.
    cookie: { httpOnly: true, sameSite: "lax", secure: "auto", path: "/", maxAge: lifetime },
    saveUninitialized: false,
    rolling: false,
    store: new Sessions(),
  });
  await app.register(csrf, { sessionPlugin: "@fastify/session" });
}

type Kept = Parameters<SessionStore["set"]>[1];

class Sessions implements SessionStore {
  readonly #kept = new Map<string, { until: number; session: Kept }>();

  set(id: string, session: Kept, done: (error?: unknown) => void): void {
    const until = this.#kept.get(id)?.until ?? Date.now() + lifetime;
    this.#kept.set(id, { until, session });
    for (const [other, { until: end }] of this.#kept) if (end <= Date.now()) this.#kept.delete(other);
    done();
  }

  get(id: string, done: (error: unknown, session?: Kept | null) => void): void {
    const kept = this.#kept.get(id);
    done(null, kept && kept.until > Date.now() ? kept.session : null);
  }

  destroy(id: string, done: (error?: unknown) => void): void {
    this.#kept.delete(id);
    done();
  }
}

/**
 * Whether a request comes from a program: with a token, or passed on by another worker. A password is no proof, because a
 * browser adds it also to requests that another site makes it send.
 */
export function isOfProgram({ headers, passed }: Pick<FastifyRequest, "headers" | "passed">): boolean {
  return passed !== undefined || /^Bearer /i.test(headers.authorization ?? "");
}

/** Whether a browser says that another site has it send a request. */
export function isForeign({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return (
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== "null" && URL.parse(origin)?.host !== host)
  );
}

/**
 * Refuses what another site has a browser send: the token of the form is missing, or the browser says that it comes from
 * elsewhere.
 */
export function refuseForeign(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () =>
      reject(
        Object.assign(new Error("This form is not of this page, or it is too old."), { statusCode: 403 }),
      );
    if (isForeign(request.headers) || request.headers["sec-fetch-site"] === "none") refuse();
    else app.csrfProtection(request, reply, (error?: unknown) => (error ? refuse() : resolve()));
  });
}

const forwardedFor = ({ headers }: FastifyRequest) => [headers["x-forwarded-for"] ?? ""].flat().join(", ");

/** Where a try to come in comes from. Of a list, only the last address is the word of the proxy. */
export function entryOriginOf(request: FastifyRequest): EntryOrigin {
  const forwarded = forwardedFor(request).split(",").at(-1)?.trim().slice(0, 100);
  return { peer: request.socket.remoteAddress ?? "", forwarded: forwarded === "" ? undefined : forwarded };
}

/** The address that a request comes from, as long as its connection is open. */
export function originOf(request: FastifyRequest): string {
  const forwarded = forwardedFor(request).slice(0, 100);
  const peer = request.socket.remoteAddress ?? "";
  return forwarded === "" ? peer : `${peer}, for ${forwarded.replaceAll(/[^\w.:, ]/g, "?")}`;
}
