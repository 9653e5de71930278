import { formatAddress } from "../../core/model/addresses/address.ts";
import type { Json } from "../../core/values/json.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { entriesCalled, patternCalled, showClusterStatus, showEntries } from "./get/listed-words.ts";
import { readNamedEnvironments } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { refuseWatchOfJson, showLive, type WatchFlags } from "./status/watch.ts";
import { type ListedResource, listResources } from "../../core/outputs/show/index.ts";
import { defaultPolicy, unmanagedResources, unmanagedText } from "../../core/planning/plan/index.ts";
import { propose } from "../../core/execution/session/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { encodeList } from "../../core/outputs/forms/index.ts";
import { listingOfResources, renderListing } from "../render/resources.ts";
import { noteUnread } from "../render/statuses.ts";
import { readManifests } from "../manifests/manifests.ts";

/** `infrasync list`: shows a table of live resources. */
export const list: Command<[patterns: string[]], SourceFlags & WatchFlags & { unmanaged?: string[] | true }> =
  {
    async run({ args: [patterns], flags, console }) {
      refuseWatchOfJson(flags, console);
      const [word = "", second] = patterns;
      const entries = second === undefined && entriesCalled(word);
      const isStatus = second === undefined && word === "cluster-status";
      if (flags.watch && (entries || isStatus))
        throw new CommandError("usage", exitCodes.invalid, {
          message: `--watch cannot show ${word}`,
          advice: "leave it out, or name resources, such as shop/production",
        });
      if (isStatus) return showClusterStatus(flags, console);
      if (entries) return showEntries(entries, flags, console);
      const problems: Problem[] = [];
      const texts = patterns.length === 0 ? ["**"] : patterns.map((text) => patternCalled(text) ?? text);
      const named = await readNamedEnvironments(texts, flags, console.io, problems);
      const read = named.patterns.flatMap((text) => readPattern(text, problems));
      const sources = flags.unmanaged === true ? ["."] : flags.unmanaged;
      const declared = sources && (await declaredBy(sources, flags, console, problems));
      const settings = await readSettings(flags, console, { orders: sources ?? [], problems });
      /** The unmanaged state of the managed resources. */
      let undeclared: string[] = [];
      let withoutUrls = 0;
      return withSession({ settings, console }, ({ run, organization }, line) =>
        showLive(
          {
            async refresh({ client, live }) {
              const { resources: listed, unread } = await named.suggesting(() =>
                // The addresses are read once, also while it watches.
                listResources({ client, live }, organization, read, run.live),
              );
              withoutUrls = unread;
              if (!declared) return listed;
              const rules = { organization, now: client.serverTime, ...live.known() };
              const policy = { ...defaultPolicy, strict: true };
              const inspecting = { ...run, client, live };
              const { plan } = await propose(inspecting, organization, "reconcile", declared, policy);
              undeclared = (plan.unmanaged ?? [])
                .filter(
                  ({ sort, address }) => sort !== "resource" && read.some((each) => each.matches(address)),
                )
                .map(unmanagedText);
              return unmanagedResources(listed, declared, rules);
            },
            show(resources) {
              if (console.json)
                console.document({ ...encodeList(resources, run.client), ...(declared && { undeclared }) });
              else {
                console.data(
                  renderListing(listingOfResources(resources, Date.now()), run.client, console.dataColors),
                );
                noteUnread(withoutUrls, console);
                if (undeclared.length > 0)
                  console.data(
                    [
                      "",
                      "Set in managed resources but missing in the manifests:",
                      ...undeclared.map((each) => `  ${escapeControl(each)}`),
                    ].join("\n"),
                  );
              }
            },
            states: (resources) => resources.map(stateOf),
          },
          flags,
          run,
          line,
          console,
        ),
      );
    },
  };

/** The members of a resource whose change shows the list again. */
function stateOf({ id, address, state, deploymentStatus, version, cluster }: ListedResource): Json {
  const name = formatAddress(address);
  return [id, name, state ?? null, deploymentStatus ?? null, version ?? null, cluster ?? null];
}

/** The declared resources; mistakes are added to `problems`. */
async function declaredBy(
  sources: readonly string[],
  flags: SourceFlags,
  console: Console,
  problems: Problem[],
): Promise<readonly DesiredResource[]> {
  const { resources, problems: wrong } = await readManifests(sources, flags, console.io);
  problems.push(...wrong);
  return resources;
}
