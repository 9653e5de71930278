import { expect, test } from "vitest";
import type { Client } from "../../core/api/index.ts";
import { propose, startRun } from "../../core/execution/session/index.ts";
import { LiveStore, type Needs } from "../../core/state/live/index.ts";
import { desiredOf } from "../fixtures/desired.ts";
import { shop } from "../fixtures/manifests.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { useHarness } from "../fixtures/use-harness.ts";
import { readPage } from "./markdown.ts";

const server = useHarness();
const { lines } = readPage("docs/explanation/the-passes-of-a-plan.md");

/** A store that says what each pass needs. */
class StoreWithNeeds extends LiveStore {
  readonly needs: string[] = [];

  override read(client: Client, organizationId: string, needs: Needs, ...rest: never[]) {
    this.needs.push(textOf(needs));
    return super.read(client, organizationId, needs, ...rest);
  }
}

function textOf({ organization, contents, lists, parts }: Needs): string {
  return [
    ...(organization ? ["contents of the organization"] : []),
    ...[...contents].map(({ name }) => `contents of ${name}`),
    ...[...lists.values()].map(({ kind }) => `list of ${kind.name}`),
    ...[...parts].map(([{ name }, all]) => {
      const members = [...all].map(({ member }) => member);
      return `${members.toSorted().join(" and ")} of ${name}`;
    }),
  ].join("; ");
}

test("the planner needs in each pass what the page says", async () => {
  const document = lines.slice(lines.indexOf("```yaml") + 1, lines.lastIndexOf("```")).join("\n");
  const before = document.replace("ecr-production", "docker-hub").replace("debug", "info");
  await server.reconcile(`${shop}---\n${before}`);
  const live = new StoreWithNeeds(server.clock);
  const run = startRun(server.client, { live, clock: server.clock });
  const { resources } = desiredOf(document);
  const { plan } = await propose(run, server.organization, "reconcile", resources, openPolicy);
  const rows = lines.flatMap((line) => [...line.matchAll(/^\| \d \| .* \| (.*) \|$/g)]);
  expect([...live.needs, "nothing"]).toEqual(rows.map(([, needs]) => needs));
  const [action] = plan.actions;
  expect([plan.problems, action?.type, action?.changes.map(({ path: [member] }) => member)]).toEqual([
    [],
    "update",
    ["source", "variables"],
  ]);
});
