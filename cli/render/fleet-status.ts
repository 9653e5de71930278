import { escapeControl } from "../../core/values/text.ts";
import {
  checkedWords,
  doubtWords,
  type EnvironmentSummary,
  fleetSummary,
  type FleetStatus,
  relative,
  relativeText,
  slowDatabase,
  sourceWords,
} from "../../reconciler/index.ts";
import { type Colors, paintOf } from "../terminal/colors.ts";

/** The number of synced sources, and the state of each source, the worst first. */
export function renderFleetStatus(status: FleetStatus, colors: Colors): string {
  const now = Date.parse(status.now);
  const ago = (time: string) => relative(Date.parse(time), now);
  const { problems, sources, unread, database, database_slow_seconds: slow, notes = [] } = status;
  return [
    fleetSummary(sources),
    ...(unread
      ? [
          `The documents of the sources cannot be read, since ${ago(unread.since)}: ${escapeControl(unread.reason)}`,
        ]
      : []),
    ...(database
      ? [
          `The database that the workers share cannot be used, since ${ago(database.since)}: ${escapeControl(database.reason)}`,
        ]
      : []),
    ...(slow === undefined ? [] : [slowDatabase(slow)]),
    ...problems.map((problem) => colors.red(escapeControl(problem))),
    ...notes.map((note) => `Note: ${escapeControl(note)}`),
    ...sources.flatMap((source) => {
      const { name, team, state, environments, checked_at: at, in_doubt, failure, ending } = source;
      const { text, tone } = sourceWords[state];
      const checked = at === undefined ? "not checked yet" : `${checkedWords(source)} ${ago(at)}`;
      const whose = team === undefined ? "" : ` (${escapeControl(team)})`;
      return [
        `${name}${whose}  ${paintOf(tone, colors)(text)}, ${checked}${ending ? ", ending" : ""}`,
        ...(in_doubt ? [`  ${doubtWords[in_doubt.because]} since ${ago(in_doubt.since)}`] : []),
        ...(failure ? [`  ${escapeControl(failure.reason)}`] : []),
        ...environments
          .filter((each) => each.state !== "synced")
          .flatMap((each) => renderEnvironment(each, now, colors)),
      ];
    }),
  ].join("\n");
}

/** An environment that is not synced: since when and why, and the commit that this is about. */
function renderEnvironment(
  { name, state, since, reason, commit }: EnvironmentSummary,
  now: number,
  colors: Colors,
): string[] {
  const { text, tone } = sourceWords[state];
  const words = [commit?.id.slice(0, 7), commit?.subject, commit?.author && `· ${commit.author}`];
  const at = commit ? `, ${words.filter((each) => each !== undefined).join(" ")}` : "";
  return [
    `  ${escapeControl(name)}  ${paintOf(tone, colors)(text)} ${relativeText(`since ${since}`, now)}${escapeControl(at)}`,
    ...(reason === undefined ? [] : [`    ${escapeControl(relativeText(reason, now))}`]),
  ];
}
