import { join } from "node:path";
import { systemClock } from "../../core/api/index.ts";
import {
  Board,
  type CommitSource,
  History,
  type Log,
  Metrics,
  type OperatorRules,
  Reconciler,
  type Repository,
  serve,
  servePage,
} from "../../reconciler/index.ts";
import { packageVersion } from "../version.ts";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { runsHtml } from "../render/plan-html.ts";
import { withAdvice } from "../render/remedies.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import { openServiceLog } from "./log.ts";
import type { PagePlace } from "./page.ts";
import { policyForCommit, type RepositoryPlace, secretSourcesOfCommits } from "./repository.ts";
import { clientFor, runSettings } from "./session.ts";

/** What a service works with. */
interface Service {
  settings: Settings;
  flags: PlanFlags & ConsentFlags;
  repository: Repository;
  source: CommitSource;
  operator: OperatorRules;
  place: RepositoryPlace;
  /** Undefined: there is no page. */
  page: PagePlace | undefined;
  console: Console;
}

/** Runs the reconciler until the process is interrupted, or has nothing left to do, and returns the exit code. */
export async function runService(service: Service): Promise<number> {
  const { settings, flags, repository, source, operator, place, page, console } = service;
  const { clock = systemClock, signal, standstill } = console.io;
  const log = await openServiceLog(settings, console);
  const history = new History(repository.folder, (error) =>
    log.warn({ reason: String(error) }, "the history cannot be written"),
  );
  await history.open();
  const board = new Board({
    clock,
    history,
    interval: place.interval,
    source: { repository: place.address.url, branch: place.branch, path: place.path },
    describe: withAdvice,
    budget: () => client.budget,
    render: (enacted) => console.redact(runsHtml(enacted, { budget: client.budget, now: clock.now() })),
  });
  const metrics = new Metrics(board, packageVersion());
  const seen: Log = {
    ...log,
    debug(fields, message) {
      if (message === "request") {
        board.requested();
        metrics.requested();
      }
      log.debug(fields, message);
    },
  };
  const client = clientFor(settings, console, seen, ({ until, reason }) => board.waiting(until, reason));
  const reconciler = new Reconciler({
    client,
    clock,
    repository,
    source,
    stateFile: join(repository.folder, "state.json"),
    organization: settings.organization,
    policyFor: (commit) => policyForCommit(commit, flags, settings, console),
    operator,
    suspensions: repository.folder,
    run: runSettings(settings, console, secretSourcesOfCommits(console.io, flags)),
    onQuota: settings.onQuota,
    parallelism: settings.parallelism,
    watch: board,
    ...(standstill && { standstill }),
  });
  const served = page && (await servePage({ ...page, board, metrics, signal }).catch(refuseAddress(page)));
  console.data(JSON.stringify({ url: served?.url ?? null }));
  try {
    const ended = await serve({
      reconciler,
      interval: place.interval,
      log,
      clock,
      signal,
      ...(standstill && { standstill }),
      describe: withAdvice,
      audience: board,
      onCycle: (result, duration) => metrics.cycleEnded(result, duration),
    });
    return ended === "standstill" ? exitCodes.failed : exitCodes.done;
  } finally {
    await served?.close();
  }
}

/** @throws CommandError when the address of the page cannot be used */
function refuseAddress({ host, port }: PagePlace): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    throw new CommandError("port", exitCodes.invalid, {
      message: `the page cannot listen on ${host}:${port}: ${code === "EADDRINUSE" ? "the port is in use" : "the address is not allowed, or not one of this machine"}`,
      advice: "choose another address with --listen, or none with --listen off",
    });
  };
}
