import { join } from "node:path";
import { systemClock } from "../../core/api/index.ts";
import {
  type CommitSource,
  type OperatorRules,
  Reconciler,
  type Repository,
  serve,
} from "../../reconciler/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { withAdvice } from "../render/remedies.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import { openServiceLog } from "./log.ts";
import { policyForCommit, secretSourcesOfCommits } from "./repository.ts";
import { clientFor, runSettings } from "./session.ts";

/** What a service works with. */
interface Service {
  settings: Settings;
  flags: PlanFlags & ConsentFlags;
  repository: Repository;
  source: CommitSource;
  operator: OperatorRules;
  /** Milliseconds. */
  interval: number;
  console: Console;
}

/** Runs the reconciler until the process is interrupted, and returns the exit code. */
export async function runService(service: Service): Promise<number> {
  const { settings, flags, repository, source, operator, interval, console } = service;
  const { clock = systemClock, signal } = console.io;
  const log = await openServiceLog(settings, console);
  const reconciler = new Reconciler({
    client: clientFor(settings, console, log),
    clock,
    repository,
    source,
    stateFile: join(repository.folder, "state.json"),
    organization: settings.organization,
    policyFor: (commit) => policyForCommit(commit, flags, settings, console),
    operator,
    run: runSettings(settings, console, secretSourcesOfCommits(console.io, flags)),
    onQuota: settings.onQuota,
    parallelism: settings.parallelism,
  });
  await serve({ reconciler, interval, log, clock, signal, describe: withAdvice });
  return exitCodes.done;
}
