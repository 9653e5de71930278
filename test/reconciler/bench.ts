import { existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePattern, type Policy } from "../../core/index.ts";
import { Variables } from "../../core/source/variables.ts";
import { Reconciler, type ReconcilerSettings } from "../../reconciler/service/cycle.ts";
import { Repository } from "../../adapters/git/index.ts";
import { Memory } from "../../reconciler/memory/index.ts";
import { Requests } from "../../reconciler/requests/index.ts";
import { RateBudget } from "../../reconciler/watch/index.ts";
import type { OperatorRules } from "../../reconciler/policy/index.ts";
import { CommitSource } from "../../reconciler/view/commits.ts";
import type { EmulatorOptions } from "../../emulator/index.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { inWords } from "./cycle-words.ts";

/** A clock that is set by the test. Its waits end at once and advance it. */
export class TestClock {
  #now = Date.now();
  readonly slept: number[] = [];
  now = (): number => this.#now;
  random = (): number => 0.5;
  sleep = async (milliseconds: number): Promise<void> => {
    this.slept.push(milliseconds);
    this.#now += milliseconds;
    await Promise.resolve();
  };
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/**
 * A copy of a repository on the same machine: the newest commit is in a file, and what the copy does not have after its first
 * fetch is linked. To ask git and to fetch, as processes, takes longer than all else in a cycle. What they do is tested in
 * `test/adapters/git`, and by all tests that start `infrasync reconcile`.
 */
class NearRepository extends Repository {
  readonly #origin: string;
  #linked: string | undefined;

  constructor(settings: ConstructorParameters<typeof Repository>[0]) {
    super(settings);
    this.#origin = settings.address.url;
  }

  override async newest(): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.#origin, "refs", "heads", "main");
    const commit = await readFile(file, "utf8").catch(() => undefined);
    return commit?.trim() ?? super.newest();
  }

  override async fetch(commit: string): Promise<string> {
    const branch = join(this.folder, "repository.git", "refs", "heads", "main");
    if (this.#linked !== commit && existsSync(branch)) {
      this.#linkObjects();
      await writeFile(branch, `${commit}\n`);
      this.#linked = commit;
    }
    return super.fetch(commit);
  }

  #linkObjects(): void {
    const from = join(this.#origin, "objects");
    for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
      const [object, link] = [join(from, name), join(this.folder, "repository.git", "objects", name)];
      if (existsSync(link)) continue;
      if (name.includes("/")) linkSync(object, link);
      else mkdirSync(link);
    }
  }
}

/** A reconciler with its repository and its server. */
export interface Bench {
  server: Harness;
  repository: GitRepository;
  clock: TestClock;
  reconciler: Reconciler;
  /** The commits of the newest reconciler. */
  source: CommitSource;
  /** What people have asked the newest reconciler for. */
  requests: Requests;
  rateBudget: RateBudget;
  /** A reconciler in another process, on the same copy of the repository, or with another data folder, or of another source. */
  restart(data?: string, folder?: string, own?: Partial<ReconcilerSettings>): Reconciler;
  /** One cycle; gives its end and the requests that the server has received, without ids. */
  cycle(): Promise<{ end: ReturnType<typeof inWords>; requests: string[] }>;
}

/** Starts a server and makes a repository; disposing of it ends both. */
export async function openBench(
  policy: Partial<Policy> = {},
  token: "admin" | "read" = "admin",
  operator: OperatorRules = {},
  emulator: EmulatorOptions = {},
  applying?: "admin",
  more: Partial<ReconcilerSettings> = {},
): Promise<Bench & AsyncDisposable> {
  const server = await Harness.start(emulator);
  const repository = new GitRepository();
  const clock = new TestClock();
  const rateBudget = new RateBudget({ clock, interval: 60_000 });
  let source: CommitSource | undefined;
  let requests = new Requests(join(repository.folder, "data"));
  const restart = (data = "data", folder = "infra", own: Partial<ReconcilerSettings> = {}) => {
    const copy = new NearRepository({
      address: { url: repository.origin, protocol: "file" },
      branch: "main",
      folder: join(repository.folder, data),
      env: { PATH: process.env["PATH"] },
    });
    const clients = {
      checking: Harness.connect(server.emulator, token, server.clock),
      ...(applying && { applying: Harness.connect(server.emulator, applying, server.clock) }),
    };
    requests = new Requests(join(repository.folder, data));
    source = new CommitSource(copy, { path: folder, variables: new Variables() });
    return new Reconciler({
      clients: () => Promise.resolve(clients),
      clock,
      repository: copy,
      source,
      memory: new Memory(join(repository.folder, data, "state.json")),
      organization: server.organization.id,
      policyFor: async () => ({
        policy: { ...openPolicy, protect: [parsePattern("shop/protected/**")], ...policy },
        problems: [],
      }),
      operator,
      requests,
      run: { limits: { clone: 5_000, deletion: 5_000, busy: 5_000 } },
      onQuota: "fail",
      parallelism: 10,
      rateBudget,
      ...more,
      ...own,
    });
  };
  const bench: Bench & AsyncDisposable = {
    server,
    repository,
    clock,
    reconciler: restart(),
    get source() {
      if (!source) throw new Error("there is no reconciler yet");
      return source;
    },
    get requests() {
      return requests;
    },
    rateBudget,
    restart,
    async [Symbol.asyncDispose]() {
      repository[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
    async cycle() {
      await server.forgetRequests();
      const end = inWords(await bench.reconciler.cycle());
      const seen = await server.seen();
      return {
        end,
        requests: seen
          .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
          .toSorted(),
      };
    },
  };
  return bench;
}
