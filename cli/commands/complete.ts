import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { decodeName, encodeName } from "../../core/model/addresses/address.ts";
import { findOrganization, type Organization } from "../../core/state/organization.ts";
import { findKind, type Kind, kinds } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { CompletionCache, type KnownName } from "./complete/cache.ts";
import { readSettings } from "../session/read-settings.ts";

/** `infrasync complete`: prints the live addresses that complete a word, for the scripts of `completion`. */
export const complete: Command<[word: string | undefined], object> = {
  async run({ args: [word = ""], console }) {
    const addresses = await addressesFor(word, console);
    if (addresses.length > 0) console.data(addresses.join("\n"));
    return exitCodes.done;
  },
};

/** The most requests of one completion. The next completion reads the rest. */
const mostRequests = 2;

/** The milliseconds after which a completion gives up: somebody waits for it. */
const timeLimit = 3_000;

/** The live addresses that complete a word, a level at a time: cached, or with at most two requests. Never fails. */
async function addressesFor(word: string, console: Console): Promise<string[]> {
  try {
    // A settings file must not decide where the token goes when somebody only presses Tab.
    const settings = await readSettings({}, console, { unwatched: "completion" });
    const { io } = console;
    const now = io.clock?.now() ?? Date.now();
    const cache = CompletionCache.open(io.env, settings, now);
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(timeLimit)]);
    return await completions(word, new Names(settings, io, signal, cache));
  } catch {
    return [];
  }
}

async function completions(word: string, names: Names): Promise<string[]> {
  const [, prefix = "", path = ""] = /^((?:[a-z]+:)?)(.*)$/is.exec(word) ?? [];
  const desired = prefix === "" ? undefined : findKind(prefix.slice(0, -1));
  if (prefix !== "" && !desired) return [];
  const parts = path.split("/");
  const above = parts.slice(0, -1);
  const depth = above.length;
  if (depth > Math.max(...kinds.map((kind) => kind.depth))) return [];
  const inside = await names.inside(above.map(decodeName));
  const typed = nameKey(decodeName(parts.at(-1) ?? ""));
  const found = inside.filter(
    ({ kind, name }) =>
      escapeControl(name) === name &&
      nameKey(name).startsWith(typed) &&
      (!desired || desired.slug === kind || isAbove(kind, desired)),
  );
  const start = prefix + above.map((name) => `${name}/`).join("");
  return [
    ...new Set(
      found.flatMap(({ kind, name }) => {
        const address = start + encodeName(name);
        const isChosen = !desired || desired.slug === kind;
        const holds = kinds.some(({ parent }) => parent?.slug === kind);
        return [...(isChosen ? [address] : []), ...(holds && desired?.slug !== kind ? [`${address}/`] : [])];
      }),
    ),
  ].toSorted();
}

function isAbove(slug: string, kind: Kind): boolean {
  return kind.parent !== undefined && (kind.parent.slug === slug || isAbove(slug, kind.parent));
}

/** The names on the server, from the cache or with requests. */
class Names {
  readonly #settings: Settings;
  readonly #cache: CompletionCache;
  readonly #io: Io;
  readonly #signal: AbortSignal;
  #run: Run | undefined;

  constructor(settings: Settings, io: Io, signal: AbortSignal, cache: CompletionCache) {
    this.#settings = settings;
    this.#io = io;
    this.#signal = signal;
    this.#cache = cache;
  }

  /** The run that sends requests; cached names need none, and no modules for one. */
  async #started(): Promise<Run> {
    if (this.#run) return this.#run;
    const { clientFor } = await import("../session/session.ts");
    const { startRun } = await import("../../core/execution/session/run.ts");
    const signal = this.#signal;
    const io = { ...this.#io, signal };
    const client = clientFor({ ...this.#settings, onQuota: "fail", quotaPatience: 0 }, { io });
    this.#run = startRun(client, { maxRequests: mostRequests, signal });
    return this.#run;
  }

  async inside(parents: readonly string[]): Promise<KnownName[]> {
    let parent: { kind: Kind | undefined; id: string } = {
      kind: undefined,
      id: (await this.#organization()).id,
    };
    for (const name of parents) {
      const contents = await this.#contentsOf(parent);
      const found = contents.find((each) => nameKey(each.name) === nameKey(name));
      const kind = found && findKind(found.kind);
      if (!found || !kind) return [];
      parent = { kind, id: found.id };
    }
    return this.#contentsOf(parent);
  }

  async #organization(): Promise<Organization> {
    const [known] = this.#cache.get("organization") ?? [];
    if (known) return known;
    const { id, name = id } = await findOrganization(
      (await this.#started()).client,
      this.#settings.organization,
    );
    await this.#cache.keep("organization", [{ kind: "organization", name, id }]);
    return { id };
  }

  async #contentsOf({ kind, id }: { kind: Kind | undefined; id: string }): Promise<KnownName[]> {
    const known = this.#cache.get(id);
    if (known) return known;
    const { live, client } = await this.#started();
    const contents = await live.contentsOf(client, kind, id);
    const names = (contents?.resources ?? []).map((resource) => ({
      kind: resource.kind.slug,
      name: resource.name,
      id: resource.id,
    }));
    await this.#cache.keep(id, names);
    return names;
  }
}
