import type { Clock } from "../../../core/api/index.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type PendingSignIn,
  callbackPath,
  FailedLogins,
  type PeopleGate,
  type SignIn,
} from "../../people/index.ts";
import { anybody } from "../../identity.ts";
import { type Audit, type JournalEntry, wordsOf } from "../../journal/index.ts";
import { type PersonEntry, userActionOfForm } from "../../requests/index.ts";
import { counted } from "../../../core/values/text.ts";
import { answerRequest } from "../control.ts";
import { renderEntrance, renderFrame } from "./frame.ts";
import { sendPage, sendRefusal } from "./reply.ts";
import { loginOriginOf, isForeign, isOfProgram, refuseForeign } from "./sessions.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { moment, renderList } from "./words.ts";

/** The access and the actions of people. */
export interface PagePeople {
  gate: PeopleGate;
  clock: Pick<Clock, "now" | "sleep">;
  signed(entry: PersonEntry): Promise<void>;
  /** The sign-in of people; undefined means with tokens only. */
  signIn(): Promise<SignIn | undefined>;
  /** Gets the reason of a failed request. */
  onError(error: unknown): void;
  redact(text: string): string;
}

const startedCookie = "infrasync-sign-in";

/** Adds the sign-in pages, which everybody can open. */
export function addEntrance(
  app: FastifyInstance,
  { gate, signed, signIn, onError, clock }: PagePeople,
): void {
  const onFailure = (error: unknown): undefined => void onError(error);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string | Buffer) =>
      Object.fromEntries(new URLSearchParams(String(body))),
  );
  const entrance = async (reply: FastifyReply, status = 200, why?: string) =>
    sendPage(reply, await entranceOf({ gate, signIn }, why), status);
  app.get("/enter", (_request, reply) => entrance(reply));
  const failed = new FailedLogins(clock);
  app.post("/enter", async (request, reply) => {
    const wrong = "This is not a token of this page.";
    // It is no try of the person whose browser sends it.
    if (isForeign(request.headers)) return entrance(reply, 401, wrong);
    const { token = "" } = (request.body ?? {}) as { token?: string };
    const identity = await gate.identify(token);
    // Afterwards: each of several simultaneous tries counts for the next.
    const origin = loginOriginOf(request);
    if (failed.isLimited(origin))
      return entrance(reply, 429, "There were too many wrong tokens. Try again in ten minutes.");
    if (!identity) {
      const why = failed.failed(origin);
      if (why !== undefined) {
        const refusal = { request: "sign_in", by: anybody, client: request.from, reason: why };
        await signed({ type: "refused", ...refusal });
      }
      return entrance(reply, 401, wrong);
    }
    // Session fixation: an id from before the sign-in is no longer valid.
    await request.session.regenerate();
    request.session.identity = identity;
    await signed({ type: "signed_in", by: identity.identity, client: request.from });
    return reply.redirect("/", 303);
  });
  app.get("/sign-in", async (request, reply) => {
    const provider = await signIn();
    if (!provider) return sendRefusal(request, reply, 404, "there is no sign-in here");
    const start = await provider.begin().catch(onFailure);
    if (!start)
      return sendRefusal(
        request,
        reply,
        502,
        "the identity provider does not answer as it should; see the log",
      );
    const { url, started } = start;
    // In the browser, not here: unfinished sign-ins need no memory.
    return reply
      .setCookie(startedCookie, [started.state, started.nonce, started.verifier].join("."), {
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
    const started = startedIn(request.cookies[startedCookie]);
    if (!provider || !started) return reply.redirect("/", 303);
    reply.clearCookie(startedCookie, { path: callbackPath });
    const query = request.url.split("?")[1] ?? "";
    const signedIn = await provider.end(query, started).catch(onFailure);
    if (!signedIn) return entrance(reply, 401, "The sign-in has failed. Try again.");
    await request.session.regenerate();
    request.session.identity = { type: "provider", ...signedIn };
    await signed({ type: "signed_in", by: signedIn.identity, client: request.from });
    return reply.redirect("/", 303);
  });
}

/** The pending sign-in in a cookie: a forged one can only end its forger's own sign-in. */
function startedIn(cookie = ""): PendingSignIn | undefined {
  const [state, nonce, verifier] = cookie.split(".");
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

/** The sign-in page. @param mishap the error */
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

export function addExit(app: FastifyInstance, { signed }: Pick<PagePeople, "signed">): void {
  app.post("/sign-out", async (request, reply) => {
    await refuseForeign(app, request, reply);
    await signed({ type: "signed_out", by: request.person.identity, client: request.from });
    await request.session.destroy();
    return reply.redirect("/", 303);
  });
}

/** Adds the requests of people for a source, once their identity is known. */
export function addUserActions(app: FastifyInstance): void {
  app.post("/requests", async (request, reply) => {
    const isProgram = isOfProgram(request);
    // A browser sends its cookie along with requests from other sites.
    if (!isProgram) await refuseForeign(app, request, reply);
    const given = isProgram ? request.body : userActionOfForm(request.body);
    const { userActions } = request.shown;
    const { status, body } = await answerRequest(userActions, given, request.person, request.from);
    if (isProgram) return reply.code(status).send(body);
    request.session.reported = { text: body.message, isRefused: status !== 200 };
    return reply.redirect("./", 303);
  });
  app.get("/audit", async ({ shown: { board, userActions } }, reply) => {
    const { now, source } = board.status();
    const content = renderAudit(await userActions.audit.newest(), Date.parse(now));
    return sendPage(reply, renderFrame("Audit", content, source, "audit"));
  });
}

/** The audit log, the newest first; sign-ins and sign-outs are folded. */
function renderAudit({ entries, damaged }: Awaited<ReturnType<Audit["newest"]>>, now: number): Html {
  const isComing = ({ type }: JournalEntry) => type === "signed_in" || type === "signed_out";
  const coming = entries.filter(isComing);
  const others = entries.filter((entry) => !isComing(entry));
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-announced="Audit">Audit</h1>
    ${
      damaged > 0 &&
      html`<p class="banner">${counted(damaged, "line")} of the newest in audit.jsonl cannot be read.</p>`
    }
    ${others.length === 0 && html`<p>No actions yet.</p>`}
    ${others.map((entry) => renderPersonEntry(entry, now))}
    ${
      coming.length > 0 &&
      html`<details id="coming" class="card plain">
        <summary>Signed in or out ${coming.length === 1 ? "once" : `${coming.length} times`}</summary>
        ${renderList(coming.map((entry) => html`${wordsOf(entry).sentence} ${renderWho(entry, now)}`))}
      </details>`
    }
  </main>`;
}

/** The digest of a plan, or the id of a commit, and the prefix that suffices to name it. */
const digests = /\b([0-9a-f]{16})[0-9a-f]{24,48}\b/g;

function renderPersonEntry(entry: JournalEntry, now: number): Html {
  const { tone, sentence, details } = wordsOf(entry);
  return html`<article class="card ${tone}">
    <div class="head">
      <h2>${sentence}</h2>
      ${renderWho(entry, now)}
    </div>
    ${details.map((detail) => html`<p>${detail.replaceAll(digests, "$1")}</p>`)}
  </article> `;
}

function renderWho(entry: JournalEntry, now: number): Html {
  const client = "client" in entry ? `${entry.client} · ` : "";
  return html`<span class="far" title="${"by" in entry && entry.by ? entry.by.id : ""}"
    >${client}${moment(entry.at, now)}</span
  >`;
}
