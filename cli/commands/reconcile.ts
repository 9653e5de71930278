import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { type PolicyFlags, readOperatorRules } from "../service/operator-rules.ts";
import { type ForgeFlags, readForge } from "../service/forge.ts";
import { notifyRestrictions, readNotifications } from "../service/notifications.ts";
import {
  accessFileOf,
  type PageFlags,
  readPagePlace,
  type WebhookFlags,
  readWebhookPlace,
} from "../service/page.ts";
import { type RepositoryFlags, readPlace, withRepository } from "../repository/repository.ts";
import { readSourcesPlace, type SourcesFlags } from "../service/fleet/place.ts";
import { sendUserAction } from "../service/user-action.ts";
import { memberFlags, type ServiceVerbName, verbs } from "../service/verbs.ts";
import type { ConsentFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { liveAddress } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { type EndpointFlags, readEndpoint } from "../service/endpoint.ts";
import { showServiceStatus } from "../service/status.ts";
import { readOperatorSettings } from "../service/operator-settings.ts";
import { waitForService, type WaitFlags } from "../service/wait.ts";

/** The common inputs of verbs: output flags, and a name from the settings file in place of an environment. */
const ofEachVerb = ["--yes", "--config", "--var", "--var-file", "--output", "--color", "--no-color"];

/** The inputs that a verb does not use. */
function unusedBy(what: ServiceVerbName, environment: string | undefined, { typed }: Console): Problem[] {
  const used = new Set([...(verbs[what]?.flags ?? []), ...ofEachVerb]);
  const flags = (typed?.flags ?? []).map(({ name }) => name).filter((name) => !used.has(name));
  const advice = "leave it out";
  return [
    ...(what === "status" && environment !== undefined
      ? [{ message: "infrasync reconcile status applies to all environments, not to one", advice }]
      : []),
    ...flags.map((name) => ({ message: `infrasync reconcile ${what} does not use ${name}`, advice })),
  ].map((problem) => ({ code: "argument" as const, ...problem }));
}

/** `infrasync reconcile`: applies the commits of a repository, once or as a service; shows the service's status. */
export const reconcile: Command<
  [what: ServiceVerbName | undefined, environment: string | undefined],
  SourcesFlags &
    RepositoryFlags &
    PageFlags &
    WebhookFlags &
    WaitFlags &
    EndpointFlags &
    ForgeFlags &
    PolicyFlags &
    ConsentFlags & { once?: boolean; exitCode?: boolean }
> = {
  verbs,
  flags: { members: memberFlags() },

  async run({ args: [what, environment], flags: typed, console }) {
    const unused = what === undefined ? [] : unusedBy(what, environment, console);
    const problems: Problem[] = [...unused];
    const flags = {
      ...typed,
      // What would be done is shown once.
      once: typed.once === true || (what === undefined && typed.dryRun === true),
      operator: await readOperatorSettings(typed.config, console, problems),
    };
    if (what === "migrate") {
      if (unused.length > 0) throw new InvalidInputError(unused);
      const { migrateTables } = await import("../service/migrate.ts");
      return migrateTables(environment, flags, console);
    }
    const { reconcileOnce } = await import("../service/once.ts");
    const { serveSource } = await import("../service/serve.ts");
    // A single run has no page and receives no webhooks, whatever the variables of a service.
    const isService = !flags.once;
    const page = isService ? readPagePlace(flags, console.io, problems) : undefined;
    if (what !== undefined) {
      const endpoint = await readEndpoint(flags, page, console, problems);
      const named = environment && (await liveAddress(environment, flags, console.io, problems)).address;
      const live = named?.replace(/^environment:/, "");
      if (what === "wait") return waitForService(endpoint, live, flags, problems, console);
      return what === "status"
        ? showServiceStatus(endpoint, flags.exitCode === true, problems, console)
        : sendUserAction({ type: what, environment: live }, { ...typed }, endpoint, problems, console);
    }
    const access = accessFileOf(flags);
    const sources = readSourcesPlace(flags, console.io, problems);
    if (sources) {
      const { serveSources } = await import("../service/fleet/command.ts");
      return serveSources({ sources, flags, page, access, problems, console });
    }
    const webhook = isService ? readWebhookPlace(flags, problems) : undefined;
    const notifications = isService ? await readNotifications(flags, console, problems) : undefined;
    const restrictions = isService ? [] : await notifyRestrictions(flags, problems);
    const place = readPlace(flags, console.io, problems);
    const forge = await readForge(flags, place?.address, console, problems);
    if (typed.once && (flags.operator.previews || flags.operator.commit_statuses))
      problems.push({
        code: "argument",
        message: "previews and commit_statuses need the service, but --once applies once and ends",
        advice: "leave --once out; infrasync preview makes previews manually",
      });
    const operator = readOperatorRules(flags);
    const unanswered = missingAnswer("reconcile", "infrasync plan", flags, [], console);
    const settings = await readSettings(flags, console, {
      problems,
      unanswered,
      unwatched: "a reconciler runs unattended",
    });
    if (!place) throw new InvalidInputError(problems);
    if (!flags.once)
      return withRepository(place, flags, console, (source, repository) =>
        serveSource({
          settings,
          flags,
          repository,
          source,
          operator,
          place,
          page,
          access,
          webhook,
          notifications,
          forge,
          console,
        }),
      );
    return reconcileOnce({ settings, flags, place, operator, access, restrictions, console });
  },
};
