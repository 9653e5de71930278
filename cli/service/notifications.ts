import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { escapeControl } from "../../core/values/text.ts";
import {
  type Destination,
  isSafeUrl,
  type NotificationRoute,
  Notifier,
  type NotifierSettings,
  readRoutes,
  type Repeats,
} from "../../reconciler/index.ts";
import type { Console } from "../terminal/console.ts";
import type { OperatorFlags } from "../repository/repository.ts";
import { readSecretFile, readSecretText } from "../repository/secret-text.ts";

/** Milliseconds for the last notification at the end of a source or a service. */
export const lastNotification = 3000;

export interface Notifications {
  routes: readonly NotificationRoute[];
  repeats: Repeats;
}

const urlName = "INFRASYNC_NOTIFY_URL";
const secretName = "INFRASYNC_NOTIFY_SECRET";

/** Reads the receivers of notifications; undefined: none. Adds mistakes to `problems`. */
export async function readNotifications(
  { operator }: OperatorFlags,
  console: Console,
  problems: Problem[],
): Promise<Notifications | undefined> {
  const { env } = console.io;
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const { notify_format: format = "json", notify_file: file } = operator;
  const routes: NotificationRoute[] = [];
  if (env[urlName] || env[`${urlName}_FILE`]) {
    const url = await readSecretText(urlName, console);
    // The URL itself may be a secret, and is not repeated.
    if (url === undefined || !isSafeUrl(URL.parse(url)))
      refuse(`${urlName} is no URL that notifications can go to`, "set it to an https URL, or name its file");
    routes.push({
      name: urlName,
      format,
      destination: async () =>
        destinationOf(
          await readSecretText(urlName, console),
          await readSecretText(secretName, console),
          console,
        ),
    });
  }
  const { routes: declared = [], repeats = new Map() } =
    file === undefined ? {} : await routesIn(file, console, problems);
  routes.push(...declared);
  return routes.length === 0 ? undefined : { routes, repeats };
}

/** The notifier of a source or a service, with its record in a folder. */
export function notifierOf(
  notifications: Notifications,
  { folder, ...parts }: Omit<NotifierSettings, keyof Notifications | "file"> & { folder: string },
): Notifier {
  return new Notifier({ ...notifications, ...parts, file: join(folder, "notified.json") });
}

/** The restrictions in routes, by their patterns of environments. */
export function restrictionsOfRoutes(
  routes: readonly Pick<NotificationRoute, "environments">[] = [],
): Restriction[] {
  return routes.flatMap(({ environments = [] }) =>
    environments.flatMap(({ restriction }) => restriction ?? []),
  );
}

/** The restrictions in a file's routes, for a run that notifies nobody. Adds mistakes to `problems`. */
export async function notifyRestrictions(
  { operator: { notify_file: file } }: OperatorFlags,
  problems: Problem[],
): Promise<Restriction[]> {
  return file === undefined ? [] : restrictionsOfRoutes((await declaredRoutes(file, problems)).routes);
}

/** The declared routes of a file. Adds mistakes to `problems`. */
async function declaredRoutes(file: string, problems: Problem[]) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    problems.push({
      code: "setting",
      message: `the file of notifications ${escapeControl(file)} cannot be read`,
      advice: "check its name and its permissions",
    });
    return { routes: [], repeats: new Map() };
  }
  const { routes, repeats, problems: mistakes } = readRoutes(text, file);
  problems.push(...mistakes);
  return { routes, repeats };
}

/** The routes of a file. Adds mistakes to `problems`. */
async function routesIn(file: string, console: Console, problems: Problem[]): Promise<Notifications> {
  const { routes: declared, repeats } = await declaredRoutes(file, problems);
  const routes = declared.map(({ urlFile, secretFile, ...rules }) => ({
    ...rules,
    name: `${urlFile} ${secretFile ?? ""}`,
    urlFile,
    destination: async () =>
      destinationOf(
        await readSecretFile(urlFile, console),
        secretFile === undefined ? undefined : await readSecretFile(secretFile, console),
        console,
      ),
  }));
  for (const { urlFile, destination } of routes)
    if (!(await destination()))
      problems.push({
        code: "setting",
        message: `${escapeControl(urlFile)} has no URL that notifications can go to`,
        advice: "write an https URL into it",
      });
  return { repeats, routes };
}

function destinationOf(
  url: string | undefined,
  secret: string | undefined,
  { io }: Console,
): Destination | undefined {
  return url === undefined || !isSafeUrl(URL.parse(url)) ? undefined : { url, secret, environment: io.env };
}
