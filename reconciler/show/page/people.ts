import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  type BegunSignIn,
  callbackPath,
  FailedEntries,
  type PeopleGate,
  type SignIn,
  type Deed,
} from "../../people/index.ts";
import { type UserAction, userActionIn, UserActionError, type UserActions } from "../../requests/index.ts";
import { anybody } from "../../identity.ts";
import { userActionStatuses } from "../control.ts";
import { renderEntrance, renderFrame } from "./frame.ts";
import { entryOriginOf, isForeign, isOfProgram, refuseForeign } from "./sessions.ts";
import { isFields } from "../../../core/values/json.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { moment } from "./words.ts";

/** The access and the actions of people. */
export interface PagePeople {
  gate: PeopleGate;
  /** Writes down that somebody has come or gone. */
  signed: UserActions["signed"];
  /** The sign-in of people; undefined means with tokens only. */
  signIn(): Promise<SignIn | undefined>;
  /** Is told why a request has failed. */
  onError(error: unknown): void;
  /** Takes out of an answer what nobody may see. */
  redact(text: string): string;
}

/** Keeps a sign-in that is under way. */
const begunCookie = "infrasync-sign-in";

const plain = "text/plain; charset=utf-8";
const page = "text/html; charset=utf-8";

/** Adds the ways in and out, which everybody reaches. */
export function addEntrance(app: FastifyInstance, { gate, signed, signIn, onError }: PagePeople): void {
  const onFailure = (error: unknown): undefined => void onError(error);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string | Buffer) =>
      Object.fromEntries(new URLSearchParams(String(body))),
  );
  app.get("/enter", async (_request, reply) => reply.type(page).send(await entranceOf({ gate, signIn })));
  const failed = new FailedEntries();
  app.post("/enter", async (request, reply) => {
    const refuse = async (status: number, why: string) =>
      reply
        .code(status)
        .type(page)
        .send(await entranceOf({ gate, signIn }, why));
    const wrong = "This is not a token of this page.";
    // It is no try of the person whose browser sends it.
    if (isForeign(request.headers)) return refuse(401, wrong);
    const { token = "" } = (request.body ?? {}) as { token?: string };
    const identity = await gate.identify(token);
    // Afterwards: of many that come at once, each counts for the next.
    const origin = entryOriginOf(request);
    if (failed.isLimited(origin))
      return refuse(429, "There were too many wrong tokens. Try again in ten minutes.");
    if (!identity) {
      const why = failed.failed(origin);
      if (why !== undefined) await signed("signed in", anybody, request.from, why);
      return refuse(401, wrong);
    }
    // A name that somebody has given this browser before is worth nothing from now on.
    await request.session.regenerate();
    request.session.identity = identity;
    await signed("signed in", identity.identity, request.from);
    return reply.redirect("/", 303);
  });
  app.get("/sign-in", async (request, reply) => {
    const provider = await signIn();
    if (!provider) return reply.code(404).type(plain).send("There is no sign-in here.\n");
    const start = await provider.begin().catch(onFailure);
    if (!start)
      return reply
        .code(502)
        .type(plain)
        .send("The provider of the sign-in does not answer as it should. See the log.\n");
    const { url, begun } = start;
    // In the browser, and not here: sign-ins that nobody ends take no memory.
    return reply
      .setCookie(begunCookie, [begun.state, begun.nonce, begun.verifier].join("."), {
        httpOnly: true,
        sameSite: "lax",
        secure: request.protocol === "https",
        path: callbackPath,
        maxAge: 600,
      })
      .redirect(url.href, 303);
  });
  app.get(callbackPath, async (request, reply) => {
    const provider = await signIn();
    const begun = begunIn(request.cookies[begunCookie]);
    if (!provider || !begun) return reply.redirect("/", 303);
    reply.clearCookie(begunCookie, { path: callbackPath });
    const query = request.url.split("?")[1] ?? "";
    const signedIn = await provider.end(query, begun).catch(onFailure);
    if (!signedIn)
      return reply
        .code(401)
        .type(page)
        .send(await entranceOf({ gate, signIn }, "The sign-in has failed. Try again."));
    await request.session.regenerate();
    request.session.identity = { type: "provider", ...signedIn };
    await signed("signed in", signedIn.identity, request.from);
    return reply.redirect("/", 303);
  });
}

/** The sign-in that a cookie keeps: whoever forges one can end no sign-in but the own. */
function begunIn(cookie = ""): BegunSignIn | undefined {
  const [state, nonce, verifier] = cookie.split(".");
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

/** The page that asks who comes. @param mishap what has gone wrong */
export async function entranceOf(
  { gate, signIn }: Pick<PagePeople, "gate" | "signIn">,
  mishap?: string,
): Promise<string> {
  return renderEntrance({
    takesTokens: await gate.takesTokens(),
    provider: (await signIn()) !== undefined,
    mishap,
  });
}

/** Adds the way out. */
export function addExit(app: FastifyInstance, { signed }: Pick<PagePeople, "signed">): void {
  app.post("/sign-out", async (request, reply) => {
    await refuseForeign(app, request, reply);
    await signed("signed out", request.person.identity, request.from);
    await request.session.destroy();
    return reply.redirect("/", 303);
  });
}

/** Adds what people can ask of a source, once it is known who they are. */
export function addUserActions(app: FastifyInstance): void {
  const take = (request: FastifyRequest, action: UserAction) =>
    request.shown.userActions.take(action, request.person, request.from);
  app.post("/requests", async (request, reply) => {
    const isProgram = isOfProgram(request);
    const action = userActionIn(isProgram ? request.body : userActionOfForm(request.body));
    if (!action) return reply.code(400).send({ message: "this is nothing that can be asked for" });
    // A browser sends its cookie along with whatever another site has it send.
    if (!isProgram) await refuseForeign(app, request, reply);
    try {
      const text = await take(request, action);
      if (isProgram) return { message: text };
      request.session.told = { text, isRefused: false };
    } catch (error) {
      if (!(error instanceof UserActionError)) throw error;
      if (isProgram) return reply.code(userActionStatuses[error.code]).send({ message: error.message });
      request.session.told = { text: error.message, isRefused: true };
    }
    return reply.redirect("./", 303);
  });
  app.get("/audit", async ({ shown: { board, userActions } }, reply) => {
    const { now, source } = board.status();
    return reply
      .type(page)
      .send(renderFrame("Audit", renderAudit(await userActions.deeds(), Date.parse(now)), source, "audit"));
  });
}

/** What a form asks for: one click approves nothing that is lost for good, so its name is typed, too. */
export function userActionOfForm(body: unknown): unknown {
  return isFields(body) ? { lost: "", ...body } : body;
}

/** The deeds of people, the newest first; who came and went is folded. */
function renderAudit(deeds: readonly Deed[], now: number): Html {
  const isComing = ({ what, refused }: Deed) => what.startsWith("signed ") && refused === undefined;
  const coming = deeds.filter(isComing);
  const others = deeds.filter((deed) => !isComing(deed));
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-told="Audit">Audit</h1>
    ${others.length === 0 && html`<p>No actions yet.</p>`} ${others.map((deed) => renderDeed(deed, now))}
    ${
      coming.length > 0 &&
      html`<details id="coming" class="card plain">
        <summary>Signed in or out ${coming.length === 1 ? "once" : `${coming.length} times`}</summary>
        <ul class="plain">
          ${coming.map(
            ({ at, who, from, what }) =>
              html`<li title="${who.id}">
                ${who.name} ${what} <span class="faint">${from} · ${moment(at, now)}</span>
              </li> `,
          )}
        </ul>
      </details>`
    }
  </main>`;
}

/** The digest of a plan, or the id of a commit, and the beginning that suffices to name it. */
const digests = /\b([0-9a-f]{16})[0-9a-f]{24,48}\b/g;

function renderDeed({ at, who, from, what, environment, detail, refused }: Deed, now: number): Html {
  return html`<article class="card ${refused === undefined ? "plain" : "note"}">
    <div class="head">
      <h3>${what}${environment !== undefined && ` ${environment}`}</h3>
      <span class="far" title="${who.id}">${who.name} · ${from} · ${moment(at, now)}</span>
    </div>
    ${detail !== undefined && html`<p>${detail.replaceAll(digests, "$1")}</p>`}
    ${refused !== undefined && html`<p>Refused: ${refused}.</p>`}
  </article> `;
}
