import { join } from "node:path";
import { systemClock } from "../../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import {
  type Fleet,
  type FleetBoard,
  type HintBox,
  type Log,
  failureOf,
  type Source,
  type SourceClaims,
  type SourceFile,
  SourceList,
  type StoppedSource,
} from "../../../reconciler/index.ts";
import { withServiceAdvice } from "../../render/remedies.ts";
import type { Console } from "../../terminal/console.ts";
import type { FollowedSources, SourceRename } from "./followed-sources.ts";
import {
  CommittedSources,
  filesOfFolder,
  problemOfSet,
  SetPlaces,
  type SourcesPlace,
} from "./sources-folder.ts";

/** Milliseconds until a file that could not be read is read again: somebody may mend it now. */
const soon = 30_000;

/** The place of the documents of sources, and the interval of reads. */
export interface FollowingService {
  place: SourcesPlace;
  /** Milliseconds between two reads of the documents. */
  interval: number;
  allowLocal: boolean;
  console: Console;
}

/** Reads the documents again and again, and has the fleet follow them. */
export async function followDocuments(
  service: FollowingService,
  data: string,
  work: {
    fleet: Pick<Fleet<never>, "follow" | "overOf">;
    claims: SourceClaims;
    followed: FollowedSources;
    /** Reads what earlier processes have stored, once. @throws InvalidInputError when it cannot be read now */
    openFiles(): Promise<void>;
    /** Gives a renamed source the records of other workers; undefined: there are none. */
    rename?(renamed: SourceRename): Promise<void>;
    /** Called with undeclared sources that nobody has acknowledged. */
    onStopped(stopped: readonly StoppedSource[]): Promise<void>;
    board: FleetBoard;
    hints: HintBox;
    log: Log;
  },
): Promise<void> {
  const { place, interval, console, allowLocal } = service;
  const { fleet, claims, followed, board, hints, log } = work;
  const { signal, clock = systemClock } = console.io;
  const sets = new SetPlaces(join(data, "sets"), allowLocal, console);
  const openFollowed = async () => {
    const damage = await followed.open();
    if (damage !== undefined) log.warn({}, damage);
  };
  let list: SourceList | undefined;
  let isFirst = true;
  let reported = "";
  while (!signal.aborted) {
    let wait = interval;
    try {
      await work.openFiles();
      await openFollowed();
      list ??= new SourceList({
        files: filesAt(place, data, console),
        placesOf: (set) => sets.of(set),
        problemOf: problemOfSet,
        places: followed.places,
      });
      const { sources, problems } = await list.read();
      // A person who starts a service sees all mistakes at once; later, a mistake ends no source.
      if (isFirst && sources.length === 0 && problems.length > 0) throw new InvalidInputError(problems);
      isFirst = false;
      await claims.follow(sources);
      const renamed = followed.renamedIn(sources);
      if (renamed.length > 0) {
        // The new name begins with the records of the old one when that has ended.
        fleet.follow(sources.filter(({ name }) => renamed.every(({ to }) => to !== name)));
        await fleet.overOf(renamed.map(({ from }) => from));
        for (const each of renamed) {
          await followed.move(each);
          await work.rename?.(each);
          log.info({ ...each }, "the source was renamed, and keeps its stored state");
        }
      }
      // Another worker may have written them meanwhile.
      if (renamed.length > 0) await openFollowed();
      await followed.follow(sources, list.places, renamed, clock.now());
      board.stopped(followed.stopped);
      await work.onStopped(followed.stopped);
      fleet.follow(sources);
      board.read(problems);
      const news = JSON.stringify([sources, problems]);
      if (news !== reported) report(log, sources, problems);
      reported = news;
    } catch (error) {
      if (list && isFirst && error instanceof InvalidInputError) throw error;
      if (signal.aborted) return;
      if (error instanceof InvalidInputError) wait = Math.min(wait, soon);
      board.unread(error);
      log.error(
        failureOf(error, withServiceAdvice),
        "the documents of the sources cannot be read; running sources continue",
      );
    }
    await hints.wait(wait, signal);
  }
}

function filesAt(
  place: SourcesPlace,
  data: string,
  console: Pick<Console, "io">,
): () => Promise<readonly SourceFile[]> {
  if ("folder" in place) return () => filesOfFolder(place.folder);
  const committed = new CommittedSources(place.repository, join(data, "documents"), console);
  return () => committed.files();
}

function report(log: Log, sources: readonly Source[], problems: readonly Problem[]): void {
  log.info({ sources: sources.length }, "the documents of the sources are followed");
  for (const problem of problems)
    log.error(
      {
        ...(problem.position && { file: problem.position.file, line: problem.position.line }),
        reason: withServiceAdvice(problem),
      },
      "the documents of the sources have a mistake",
    );
}
