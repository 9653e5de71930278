import { escapeControl } from "../../core/values/text.ts";
import {
  activityWords,
  clockText,
  doubtWords,
  type EnvironmentStatus,
  summary,
  type PreviewStatus,
  previewWords,
  quotaText,
  relative,
  relativeText,
  revertedText,
  rollbackText,
  type ServiceStatus,
  stateWords,
  suspensionsOf,
  suspensionText,
  uncheckedIn,
} from "../../reconciler/index.ts";
import { verbs } from "../../reconciler/verbs.ts";
import { type Colors, paintOf } from "../terminal/colors.ts";
import { serviceNotes, shortVersion } from "../../core/outputs/show/index.ts";
import { advised } from "./command-advice.ts";
import { shortUrls } from "./resources.ts";
import { counted, indent } from "./text.ts";

/** How many things that no document describes are named of an environment; the page has all. */
const mostNamed = 5;

/**
 * The state of a service as text: a summary, then everything that is not synced, the worst first.
 *
 * @param where the flags that lead to the service
 */
export function renderServiceStatus(
  status: ServiceStatus,
  colors: Colors,
  where: readonly string[] = [],
): string {
  const now = Date.parse(status.now);
  const ago = (time: string) => relative(Date.parse(time), now);
  const { checked_at: checked, environments, problems, failure, activity } = status;
  const clock = clockText((status.clock_ahead_seconds ?? 0) * 1000);
  const atOnce =
    relativeText(summary(status), now) +
    (environments.length === 0 || checked === undefined ? "" : `, checked ${ago(checked)}`);
  const { repository, branch, path } = status.source;
  const until = activity.until === undefined ? "" : `, next check ${ago(activity.until)}`;
  const others = environments.filter(({ state, suspended }) => state !== "synced" || suspended);
  return [
    [
      colors.bold(escapeControl(atOnce)),
      ...(status.stale ? [colors.red("This status is out of date: see the log of the service.")] : []),
      ...renderDoubt(status, ago, colors),
      ...(clock === undefined ? [] : [colors.yellow(clock)]),
      escapeControl(
        `${repository} ${branch}${path === "" ? "" : ` ${path}`}; ${activityWords(activity)}${until}`,
      ),
    ].join("\n"),
    ...(failure
      ? [
          colors.red(
            escapeControl(
              `${counted(failure.failures, "cycle")} failed, since ${ago(failure.since)}: ${failure.reason}`,
            ),
          ),
        ]
      : []),
    ...(problems.length > 0
      ? [
          [
            "The commit is not applied as a whole:",
            ...problems.map((each) => `  ${escapeControl(each)}`),
          ].join("\n"),
        ]
      : []),
    ...(status.notes
      ? [["Notes:", ...status.notes.map((each) => `  ${escapeControl(each)}`)].join("\n")]
      : []),
    ...others.map((each) => renderEnvironment(each, now, colors, where)),
    ...renderUnmanaged(environments),
    ...uncheckedIn(environments),
    ...renderPreviews(status, ago, colors),
    `${relativeText(quotaText(status), now)}.`,
  ].join("\n\n");
}

/** The number and the places of live resources without a document. */
function renderUnmanaged(environments: readonly EnvironmentStatus[]): string[] {
  const where = environments.filter(({ unmanaged = [] }) => unmanaged.length > 0);
  if (where.length === 0) return [];
  return [
    [
      "Unmanaged:",
      ...where.map(({ name, unmanaged = [] }) => {
        const more = unmanaged.length - mostNamed;
        const named = [...unmanaged.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])];
        return escapeControl(`  ${name}  ${named.join(", ")}`);
      }),
    ].join("\n"),
  ];
}

/** The reason of the doubt about the state, if nothing else of the status says it. */
function renderDoubt(
  { in_doubt: doubt }: ServiceStatus,
  ago: (time: string) => string,
  colors: Colors,
): string[] {
  if (doubt?.because !== "unread" && doubt?.because !== "unanswered") return [];
  return [
    colors.red(`This state may be out of date: ${doubtWords[doubt.because]}, since ${ago(doubt.since)}.`),
  ];
}

function renderEnvironment(
  environment: EnvironmentStatus,
  now: number,
  colors: Colors,
  where: readonly string[],
): string {
  const { name, state, since, applied, reason, until, reasons, changes, plan, services } = environment;
  const said = (text: string) => escapeControl(relativeText(text, now));
  const { text, tone } = stateWords[state];
  const at = applied === undefined ? "" : `, ${applied.slice(0, 7)} applied`;
  return [
    `${colors.bold(escapeControl(name))}  ${paintOf(tone, colors)(text)} ${said(`since ${since}`)}${at}`,
    ...(reason === undefined
      ? []
      : [`  ${said(reason)}${until === undefined ? "" : `; next try ${said(`at ${until}`)}`}`]),
    ...requestLines(environment).map((line) => `  ${said(line)}`),
    ...reasons.map((each) => `  ${said(each).replaceAll("; ", "\n    ")}`),
    ...changes.flatMap(({ address, action, fields = [], losses, takes = [], by }) => [
      `  ${escapeControl(address)}  ${action}${by === undefined ? "" : ` by ${said(by)}`}`,
      ...fields.map((field) => `    ${escapeControl(field)}`),
      ...takes.map((each) => `    ${escapeControl(each)}`),
      ...(losses ? [`    ${colors.red(escapeControl(`loses for good: ${losses.join(", ")}`))}`] : []),
    ]),
    ...indented(revertedText(changes)),
    ...services.map((service) => `  ${said(serviceLine(service))}`),
    // Shorter, anybody who writes manifests could make another plan with the same beginning.
    ...(plan === undefined || environment.requested?.type === "approve"
      ? []
      : [
          indent(
            advised("to approve it:", ["reconcile", "approve", name, "--plan", plan.slice(0, 16), ...where]),
            2,
          ),
        ]),
  ].join("\n");
}

function indented(text: string | undefined): string[] {
  return text === undefined ? [] : [`  ${escapeControl(text)}.`];
}

/** A service as `infrasync status` shows it. */
function serviceLine(service: EnvironmentStatus["services"][number]): string {
  const { address, state, version, deployed_at: at, urls = [] } = service;
  const notes = serviceNotes({
    declared: service.declared_version,
    deploymentStatus: service.deployment_status,
    changes: service.changed_around,
  });
  return [
    address,
    state,
    version === undefined ? "" : shortVersion(version),
    at === undefined ? "" : `at ${at}`,
    shortUrls(urls),
    notes.join("; "),
  ]
    .filter((each) => each !== "")
    .join("  ");
}

/** The requests of people in an environment that hold or wait. */
function requestLines(status: EnvironmentStatus): string[] {
  const { requested, rolled_back: rolledBack, reason } = status;
  const suspended = suspensionsOf(status).map(suspensionText);
  return [
    ...suspended.filter((each) => each !== reason),
    ...(rolledBack ? [rollbackText(rolledBack)] : []),
    ...(requested ? [`${verbs[requested.type].done} by ${requested.by.name}`] : []),
  ];
}

function renderPreviews(
  { previews = [], preview_failure: failure }: ServiceStatus,
  ago: (time: string) => string,
  colors: Colors,
): string[] {
  return [
    ...(failure
      ? [
          colors.yellow(
            escapeControl(
              `Previews have not been updated for ${ago(failure.since).replace(/ ago$/, "")}: ${failure.reason}`,
            ),
          ),
        ]
      : []),
    ...(previews.length > 0
      ? [previews.map((preview) => renderPreview(preview, ago, colors)).join("\n")]
      : []),
  ];
}

function renderPreview(
  { name, state, since, commit, reason, pull_request: { url } }: PreviewStatus,
  ago: (time: string) => string,
  colors: Colors,
): string {
  const { text, tone } = previewWords[state];
  const of = commit === undefined ? "" : `, ${commit.slice(0, 7)}`;
  const lines = [
    `${colors.bold(escapeControl(name))}  ${paintOf(tone, colors)(text)} for ${ago(since).replace(/ ago$/, "")}${of}`,
    ...(url === undefined ? [] : [`  ${escapeControl(url)}`]),
    ...(reason === undefined ? [] : [`  ${escapeControl(reason)}`]),
  ];
  return lines.join("\n");
}
