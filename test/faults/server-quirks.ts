import fc from "fast-check";
import { type Fields, isFields } from "../../core/values/json.ts";
import { type Passing, type Reply, switchProtocol, type Treatment } from "../fixtures/hostile-server.ts";

/** A quirk of a server for some time. */
export type Manner =
  /** Lists show new resources only after this number of milliseconds. */
  | { way: "lags"; milliseconds: number }
  /** A new resource gets another spelling of its name. */
  | { way: "renames" }
  /** The server applies half of a write, and responds with 502. */
  | { way: "halves" }
  /** A write gets a 101, after the server carried it out or without that. */
  | { way: "switches"; carriesOut: boolean }
  /** A creation or deletion gets a 202, and is never carried out. */
  | { way: "pretends" }
  /** A cache in between answers lists as they were before the last run. */
  | { way: "recalls" }
  /** The remaining quota is true, the reset time is invalid. */
  | { way: "misdates"; reset: Reset };

type Reset = "seconds from now" | "milliseconds" | "long ago" | "far ahead";

/** A quirk, and the share of matching requests that it applies to. */
export interface Quirk {
  manner: Manner;
  after: number;
  times: number;
}

export const quirks: fc.Arbitrary<Quirk[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Quirk[]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.record({
        manner: fc.constantFrom<Manner>(
          { way: "lags", milliseconds: 20 },
          { way: "lags", milliseconds: 150 },
          { way: "lags", milliseconds: 500 },
          { way: "renames" },
          { way: "halves" },
          { way: "switches", carriesOut: false },
          { way: "switches", carriesOut: true },
          { way: "pretends" },
          { way: "recalls" },
          { way: "misdates", reset: "seconds from now" },
          { way: "misdates", reset: "milliseconds" },
          { way: "misdates", reset: "long ago" },
          { way: "misdates", reset: "far ahead" },
        ),
        after: fc.nat({ max: 3 }),
        times: fc.constantFrom(1, 2, 20),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

/** Lists of a server at some time, as JSON: path -> answer. */
export type Lists = ReadonlyMap<string, string>;

/** A server with quirks. */
export class Manners {
  /** The number of requests that it treated differently. */
  met = 0;
  readonly #made = new Map<string, number>();
  readonly #quirks: (Quirk & { left: number })[];
  readonly #earlier: Lists;
  #remaining = quota;

  /** @param earlier the lists as they were before the last run */
  constructor(all: readonly Quirk[], earlier: Lists) {
    this.#earlier = earlier;
    this.#quirks = all.map((quirk) => ({ ...quirk, left: quirk.after + quirk.times }));
  }

  readonly treat: Treatment = async (passing) => {
    for (const quirk of this.#quirks) {
      const { manner } = quirk;
      if (!isAbout(manner, passing) || !isDue(quirk)) continue;
      const reply = await this.#behave(manner, passing);
      if (reply) this.met += 1;
      if (reply) return reply;
    }
    return this.#noted(passing, await passing.pass());
  };

  async #behave(manner: Manner, passing: Passing): Promise<Reply | "done" | undefined> {
    switch (manner.way) {
      case "lags":
        return this.#withoutNew(await passing.pass(), manner.milliseconds);
      case "renames":
        return this.#rename(passing);
      case "halves":
        return this.#halve(passing);
      case "switches":
        if (manner.carriesOut) this.#noted(passing, await passing.pass());
        return switchProtocol(passing);
      case "pretends":
        return pretended(passing);
      case "recalls":
        return this.#recalled(passing);
      case "misdates":
        this.#remaining = this.#remaining === 0 ? quota : this.#remaining - 1;
        return withReset(this.#noted(passing, await passing.pass()), manner.reset, this.#remaining);
      default:
        return manner satisfies never;
    }
  }

  #recalled({ path }: Passing): Reply | undefined {
    const body = this.#earlier.get(pathWithoutQuery(path));
    return body === undefined ? undefined : { status: 200, body };
  }

  /** Stores the creation time of a resource. */
  #noted({ method }: Passing, reply: Reply): Reply {
    const { id } = method === "POST" ? parsed(reply.body) : {};
    if (typeof id === "string") this.#made.set(id, Date.now());
    return reply;
  }

  #withoutNew(reply: Reply, lag: number): Reply {
    const answer = parsed(reply.body);
    const all = answer["results"];
    if (!Array.isArray(all)) return reply;
    const results = all.filter(
      (each) => !isFields(each) || Date.now() >= (this.#made.get(String(each["id"])) ?? 0) + lag,
    );
    return { ...reply, body: JSON.stringify({ ...answer, results }) };
  }

  async #rename(passing: Passing): Promise<Reply | undefined> {
    const desired = parsed(passing.body);
    const name = String(desired["name"]);
    if (!name.includes("-")) return undefined;
    const body = JSON.stringify({ ...desired, name: rewrittenName(name) });
    return this.#noted(passing, await passing.pass(body));
  }

  async #halve(passing: Passing): Promise<Reply | undefined> {
    const { method, path, body } = passing;
    const now = method === "PUT" ? parsed((await passing.ask("GET", path)).body) : {};
    const desired = parsed(body);
    const isScalar = (value: unknown): boolean =>
      value !== undefined && value !== null && typeof value !== "object";
    const scalars = Object.keys(desired).filter(
      (member) => isScalar(desired[member]) && (method === "PUT" ? isScalar(now[member]) : member !== "name"),
    );
    const left = new Set(scalars.filter((_, index) => index % 2 === 1));
    if (left.size === 0) return undefined;
    const half: Fields = {};
    for (const [member, value] of Object.entries(desired)) {
      const before = now[member];
      if (!left.has(member)) half[member] = value;
      else if (before !== undefined) half[member] = before;
    }
    const reply = this.#noted(passing, await passing.pass(JSON.stringify(half)));
    if (reply.status < 300) return { status: 502, body: "" };
    // Only a half that is not a valid request is sent whole: any other failure may have carried it out.
    return reply.status === 400 ? undefined : reply;
  }
}

const quota = 6;

/** Whether a quirk applies now; names are always rewritten in the same way. */
function isDue(quirk: Quirk & { left: number }): boolean {
  if (quirk.manner.way === "renames") return true;
  quirk.left -= 1;
  return quirk.left >= 0 && quirk.left < quirk.times;
}

/** How a server that rewrites names spells this name. */
function rewrittenName(name: string): string {
  return name.replaceAll("-", "_");
}

/** The requested name; undefined for a name that was not rewritten. */
export function originalName(name: string): string | undefined {
  return name.includes("_") ? name.replaceAll("_", "-") : undefined;
}

function isAbout({ way }: Manner, { method, path }: Passing): boolean {
  const isCreation = method === "POST" && !path.endsWith("/clone");
  switch (way) {
    case "lags":
    case "recalls":
      return method === "GET";
    case "renames":
      return isCreation;
    case "halves":
      return isCreation || method === "PUT";
    case "switches":
      return method !== "GET";
    case "pretends":
      return isCreation || method === "DELETE";
    case "misdates":
      return true;
    default:
      return way satisfies never;
  }
}

function pathWithoutQuery(path: string): string {
  return path.replace(/\?.*$/, "");
}

function pretended({ method, body }: Passing): Reply {
  if (method === "DELETE") return { status: 202, body: "" };
  return { status: 202, body: JSON.stringify({ id: crypto.randomUUID(), name: parsed(body)["name"] }) };
}

function withReset(reply: Reply, reset: Reset, remaining: number): Reply {
  const now = Math.floor(Date.now() / 1000);
  const times: Record<Reset, number> = {
    "seconds from now": 30,
    milliseconds: (now + 30) * 1000,
    "long ago": now - 86_400,
    "far ahead": now + 86_400,
  };
  const headers = {
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(times[reset]),
  };
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function parsed(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
