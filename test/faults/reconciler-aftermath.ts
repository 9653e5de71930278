import type { Harness } from "../fixtures/harness.ts";
import { nameOf } from "../../core/model/addresses/address.ts";
import { type Author, isStranger } from "./reconciler-author.ts";

/** What infrasync has nothing to do with. */
export const untouched = `kind: Project
name: theirs
---
kind: Environment
project: theirs
name: live
mode: PRODUCTION
---
kind: Job
environment: theirs/live
name: report
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
`;

/** The same as it is on the server. */
export async function untouchedIn(server: Harness): Promise<string> {
  return JSON.stringify([...(await server.everything())].filter(([name]) => name.startsWith("theirs")));
}

/** What is not yet as the newest commit without mistakes describes it. What others have made stays. */
export async function openIn(server: Harness, author: Author): Promise<string[]> {
  const { actions, problems } = await server.plan(author.documents(), { prune: true });
  const different = actions
    .filter(({ type, address }) => type !== "none" && !isStranger(nameOf(address)))
    .map(({ id }) => id);
  const others = problems.filter(({ address = "" }) => !isStranger(address.split("/").at(-1) ?? ""));
  return [...different, ...others.map(({ message }) => message)];
}

/**
 * Checks the server after disturbances.
 *
 * @param before what infrasync has nothing to do with, as it was before them
 * @throws when a resource exists twice, or something was changed or deleted that had to stay
 */
export async function checkAftermath(server: Harness, author: Author, before: string): Promise<void> {
  const names = [...(await server.everything()).keys()].filter((name) => name.includes("/JOB "));
  const all = await server.results(`/organization/${server.organization.id}/services`);
  if (all.length !== names.length) throw new Error("a resource exists twice");
  if ((await untouchedIn(server)) !== before)
    throw new Error("something was changed that no document declares");
  await author.checkDeletions(server);
}
