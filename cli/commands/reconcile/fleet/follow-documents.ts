import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../../../core/files.ts";
import { isFields } from "../../../../core/json.ts";
import { InvalidInputError, type Problem } from "../../../../core/problem.ts";
import {
  type Fleet,
  type FleetBoard,
  type HintBox,
  type Log,
  reasonOf,
  type Source,
  type SourceClaims,
  type SourceFile,
  SourceList,
  type SourcePlaces,
} from "../../../../reconciler/index.ts";
import { withAdvice } from "../../../render/remedies.ts";
import type { Console } from "../../../terminal/console.ts";
import {
  CommittedSources,
  filesOfFolder,
  problemOfSet,
  SetPlaces,
  type SourcesPlace,
} from "./sources-folder.ts";

/** The place of the documents of sources, and how often they are read. */
export interface FollowingService {
  place: SourcesPlace;
  /** Milliseconds between two looks at the documents. */
  interval: number;
  allowLocal: boolean;
  console: Console;
}

/** Reads the documents again and again, and has the fleet follow them. */
export async function followDocuments(
  service: FollowingService,
  data: string,
  work: {
    fleet: Pick<Fleet<never>, "follow">;
    claims: SourceClaims;
    board: FleetBoard;
    hints: HintBox;
    log: Log;
  },
): Promise<void> {
  const { place, interval, console, allowLocal } = service;
  const { fleet, claims, board, hints, log } = work;
  const { signal } = console.io;
  const sets = new SetPlaces(join(data, "sets"), allowLocal, console);
  const list = new SourceList({
    files: filesAt(place, data, console),
    placesOf: (set) => sets.of(set),
    problemOf: problemOfSet,
    places: await readPlaces(data),
  });
  let isFirst = true;
  let told = "";
  while (!signal.aborted) {
    try {
      const { sources, problems } = await list.read();
      // Somebody who starts a service sees all mistakes at once; later, a mistake ends no source.
      if (isFirst && sources.length === 0 && problems.length > 0) throw new InvalidInputError(problems);
      isFirst = false;
      await claims.follow(sources.map(({ name }) => name));
      await writePlaces(data, list.places);
      fleet.follow(sources);
      board.read(problems);
      const news = JSON.stringify([sources, problems]);
      if (news !== told) report(log, sources, problems);
      told = news;
    } catch (error) {
      if (isFirst && error instanceof InvalidInputError) throw error;
      if (signal.aborted) return;
      board.unread(error);
      log.error(
        reasonOf(error, withAdvice),
        "the documents of the sources cannot be read; what runs goes on",
      );
    }
    await hints.wait(interval, signal);
  }
}

/** The places of the sources as this data folder knows them. A file that is missing or damaged knows none. */
async function readPlaces(data: string): Promise<SourcePlaces> {
  try {
    const content: unknown = JSON.parse(await readFile(join(data, placesFile), "utf8"));
    const places = isFields(content) ? content["places"] : undefined;
    return Object.fromEntries(
      Object.entries(isFields(places) ? places : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}

async function writePlaces(data: string, places: SourcePlaces): Promise<void> {
  await makeFolder(data);
  await writeWhole(join(data, placesFile), `${JSON.stringify({ version: 1, places })}\n`);
}

const placesFile = "places.json";

/** The reader of the files with the documents. */
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
        reason: withAdvice(problem),
      },
      "the documents of the sources have a mistake",
    );
}
