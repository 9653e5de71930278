import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { renderChecks, type DoctorCheck, checkNames } from "../render/checks.ts";
import {
  ApiError,
  ClientSettingsError,
  type Client,
  ForbiddenError,
  NotFoundError,
  isQuota,
  systemClock,
  UnauthorizedError,
  proxyFor,
} from "../../core/api/index.ts";
import { clearCacheFiles } from "../../core/state/live/index.ts";
import { chooseOrganization } from "../../core/state/organization.ts";
import { cachePath } from "../../core/files/own-folder.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { adviceOf } from "../render/remedies.ts";
import { counted, duration, timeLeft } from "../render/text.ts";
import type { Status } from "../progress/status.ts";
import { withStatus } from "../progress/with-status.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import { packageVersion } from "../version.ts";
import { clientFor } from "../session/session.ts";

/** `infrasync doctor`: examines settings, server, token and quota. */
export const doctor: Command<[], SettingFlags & { clearCache?: boolean }> = {
  async run({ flags, console }) {
    const checks = flags.clearCache ? [await clearCache(console)] : await examine(flags, console);
    const isWell = checks.every(({ status }) => status === "ok" || status === "warning");
    if (console.json) console.document({ ...outputOf("diagnosis", { checks }), ok: isWell });
    else console.data(renderChecks(checks, console.dataColors, console.dataWidth));
    return isWell ? exitCodes.done : exitCodes.failed;
  },
};

/** Deletes the cached variables, secrets, domains and settings of earlier runs. */
async function clearCache({ io: { env } }: Console): Promise<DoctorCheck> {
  const folder = cachePath("parts", env["INFRASYNC_CACHE"], env);
  const deleted = folder === undefined ? 0 : await clearCacheFiles(folder);
  const message =
    deleted === 0 ? "there is nothing to delete" : `deleted ${counted(deleted, "file")} in ${folder}`;
  return { name: "cache", status: "ok", message };
}

/** A clock that differs by more milliseconds makes waits for the quota too long or too short. */
const tolerance = 30_000;

/** Examines settings, server, token, organization, quota and clock, with one request, which changes nothing. */
async function examine(flags: SettingFlags, console: Console): Promise<DoctorCheck[]> {
  const versions: DoctorCheck = {
    name: "versions",
    status: "ok",
    message: `infrasync ${packageVersion()} on Node ${process.versions.node}`,
  };
  const reader = await SettingsReader.open(flags, { orders: [] }, console);
  const settings = await reader.complete(reader.declared());
  const ofSettings = settingsChecks(reader.problems, settings, console);
  if (!settings || reader.problems.length > 0) return [versions, ...ofSettings, ...skippedAfter("settings")];
  const proxy = proxyCheck(settings, console);
  if (proxy.status === "failed") return [versions, ...ofSettings, proxy, ...skippedAfter("proxy")];
  return [
    versions,
    ...ofSettings,
    proxy,
    ...(await withStatus(console, (status) => serverChecks(settings, console, status))),
  ];
}

function settingsChecks(
  problems: readonly Problem[],
  settings: Settings | undefined,
  { io: { env } }: Console,
): DoctorCheck[] {
  if (problems.length > 0 || !settings)
    return problems.map((problem) => ({
      name: "settings",
      status: "failed",
      message: problem.position ? `${problem.position.file}: ${problem.message}` : problem.message,
      advice: adviceOf(problem),
    }));
  const source = env["INFRASYNC_TOKEN"] ? "INFRASYNC_TOKEN" : "the file of INFRASYNC_TOKEN_FILE";
  const message = `the API is ${settings.baseUrl}, the token is in ${source}`;
  return [{ name: "settings", status: "ok", message }];
}

function proxyCheck({ baseUrl }: Settings, { io: { env } }: Console): DoctorCheck {
  try {
    const proxy = proxyFor(baseUrl, env);
    const message = proxy ? `requests go through ${proxy.origin} (${proxy.variable})` : "no proxy is used";
    return { name: "proxy", status: "ok", message };
  } catch (error) {
    return failed("proxy", error);
  }
}

async function serverChecks(settings: Settings, console: Console, status: Status): Promise<DoctorCheck[]> {
  status.working("asking the server");
  const clock = console.io.clock ?? systemClock;
  let client: Client;
  try {
    client = clientFor(settings, console, { onWait: (wait) => status.waiting(wait) });
  } catch (error) {
    return [failed("server", error), ...skippedAfter("server")];
  }
  const started = clock.now();
  try {
    const organizations = await client.list("/organization");
    const took = clock.now() - started;
    return [
      { name: "server", status: "ok", message: `the server answers in ${duration(took)}` },
      {
        name: "token",
        status: "ok",
        message:
          "the token can read. The API does not show its role: apply needs Write or Admin, and deploy needs Deploy or Admin",
      },
      organizationCheck(organizations, settings),
      quotaCheck(client, clock.now()),
      clockCheck(client, clock.now()),
    ];
  } catch (error) {
    if (error instanceof UnauthorizedError || error instanceof ForbiddenError)
      return [
        { name: "server", status: "ok", message: `the server answers in ${duration(clock.now() - started)}` },
        failed("token", error),
        ...skippedAfter("token"),
      ];
    if (isQuota(error))
      return [
        { name: "server", status: "ok", message: `the server answers in ${duration(clock.now() - started)}` },
        { name: "token", status: "skipped", message: notYet },
        { name: "organization", status: "skipped", message: notYet },
        failed("quota", error),
        clockCheck(client, clock.now()),
      ];
    // Every server of the API has this list, so another path is the cause, and no missing resource.
    const advice = error instanceof NotFoundError && {
      advice: `check the path of the base URL, ${settings.baseUrl}: the API is not below it`,
    };
    return [{ ...failed("server", error), ...advice }, ...skippedAfter("server")];
  }
}

function organizationCheck(items: readonly unknown[], { organization }: Settings): DoctorCheck {
  const name = "organization";
  try {
    const found = chooseOrganization(items, organization);
    return { name, status: "ok", message: found.name ?? found.id };
  } catch (error) {
    return failed(name, error);
  }
}

function quotaCheck({ budget }: Client, now: number): DoctorCheck {
  const { remaining, limit, resetAt } = budget;
  const name = "quota";
  if (remaining === undefined) return { name, status: "ok", message: "the server reports no request quota" };
  const resets = resetAt === undefined ? "" : `, resets in ${timeLeft(resetAt, now)}`;
  const message = `${remaining}${limit === undefined ? "" : ` of ${limit}`} requests left${resets}`;
  return remaining * 10 >= (limit ?? 0)
    ? { name, status: "ok", message }
    : {
        name,
        status: "warning",
        message,
        advice: "other users of the token spend it too; --on-quota wait lets a run wait for the reset",
      };
}

function clockCheck({ serverTime, budget }: Client, now: number): DoctorCheck {
  const name = "clock";
  const ahead = serverTime - now;
  if (Math.abs(ahead) > tolerance) {
    const how = `${duration(Math.abs(ahead))} ${ahead > 0 ? "behind" : "ahead of"} that of the server`;
    return {
      name,
      status: "warning",
      message: `the clock of this machine is ${how}`,
      advice: "set the clock, for example with a time service (NTP)",
    };
  }
  if (budget.isResetSenseless)
    return {
      name,
      status: "warning",
      message: "the server reports an impossible time for the reset of the quota",
      advice: "compare the clock of this machine with that of the server",
    };
  return { name, status: "ok", message: "this machine and the server agree on the time" };
}

const notYet = "not checked, because an earlier check failed";

function skippedAfter(name: DoctorCheck["name"]): DoctorCheck[] {
  return checkNames
    .slice(checkNames.indexOf(name) + 1)
    .map((each) => ({ name: each, status: "skipped", message: notYet }));
}

function failed(name: DoctorCheck["name"], error: unknown): DoctorCheck {
  if (error instanceof ApiError || error instanceof ClientSettingsError)
    return { name, status: "failed", message: error.summary, advice: adviceOf(error) };
  const [problem] = error instanceof InvalidInputError ? error.problems : [];
  if (problem) return { name, status: "failed", message: problem.message, advice: adviceOf(problem) };
  throw error;
}
