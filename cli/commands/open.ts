import { chooseServices, readLinks, withShortNames } from "../../core/deployments/index.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import { formatAddress } from "../../core/model/addresses/address.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { InvalidInputError, refusal, type Problem } from "../../core/problems/problem.ts";
import { encodeUrls } from "../../core/outputs/forms/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { liveAddress } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import type { SettingFlags } from "../settings/names.ts";
import { isInteractive } from "../terminal/colors.ts";
import type { Command } from "./command.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Io } from "../terminal/io.ts";

/** `infrasync open`: opens the URL of a service in the browser, or prints it if there is no terminal. */
export const open: Command<[address: string], SettingFlags> = {
  async run({ args: [address], flags, console }) {
    const problems: Problem[] = [];
    const named = await liveAddress(address, flags, console.io, problems);
    const pattern = readPattern(named.address, problems);
    const settings = await readSettings(flags, console, { problems });
    const { found, client } = await withSession({ settings, console }, async ({ run, organization }) => {
      const choices = await named.suggesting(async () =>
        chooseServices(run, organization, await withShortNames(run, organization, pattern, "environments")),
      );
      const services = choices.flatMap((choice) => choice.services);
      const links = await readLinks(
        run,
        organization.id,
        services.map(({ live }) => live),
      );
      const urlsOf = (id: string) => links.byId.get(id) ?? [];
      const reachable = services.flatMap(({ address: its, live: { id } }) =>
        urlsOf(id).length > 0 ? [{ address: formatAddress(its), id, urls: urlsOf(id) }] : [],
      );
      const [first, second] = reachable;
      if (!first || second)
        throw notOne(
          named.address,
          reachable,
          links.unread,
          services.some(({ live }) => live.kind.deployment?.links !== undefined),
        );
      return { found: first, client: run.client };
    });
    const [url = ""] = found.urls;
    if (console.json) console.document(encodeUrls(found, client));
    else if (isInteractive(console.io.stdout, console.io.env) && (await openBrowser(url, console.io)))
      console.note(`Opened ${escapeControl(url)}`);
    else console.data(escapeControl(url));
    return exitCodes.done;
  },
};

const listening = kinds.filter(({ deployment }) => deployment?.links !== undefined).map(({ name }) => name);

/** Why there is no URL to open, or more than one. @param isListening whether a service has a kind with public ports */
function notOne(
  text: string,
  reachable: readonly { address: string }[],
  unread: number,
  isListening: boolean,
): InvalidInputError {
  if (reachable.length > 0)
    return refusal(
      "argument",
      `"${text}" has ${reachable.length} services with a URL: ${reachable.map(({ address }) => address).join(", ")}`,
      "name one of them",
    );
  return new InvalidInputError([
    unread > 0
      ? {
          code: "impossible",
          message: `the server does not report the URL of "${text}"`,
          advice: "look at the service in the web console",
        }
      : {
          code: "impossible",
          message: `"${text}" has no URL: no port of it can be reached from outside`,
          advice: isListening
            ? "publish one: ports: [{ internal_port: 8080, publicly_accessible: true }]"
            : `these kinds have public ports: ${listening.join(", ")}; infrasync status shows the services`,
        },
  ]);
}

/** The program of each system that opens a URL; others have that of the desktops of Linux. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer.exe" };

/** Opens a page in the browser. Returns whether there is a program for that, and the URL is one of the web. */
async function openBrowser(url: string, { env }: Pick<Io, "env">): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return false;
  const program = openers[process.platform] ?? "xdg-open";
  const opener = spawn(program, [url], { stdio: "ignore", detached: true, env });
  try {
    await once(opener, "spawn");
  } catch {
    return false;
  }
  opener.unref();
  return true;
}
