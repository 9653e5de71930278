import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "../../core/api/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import type { FaultRequest } from "../../emulator/control/faults.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";
import { fastClock } from "../fixtures/fast-clock.ts";
import { organizationPolicy as policy, wholeOrganization as documents } from "../fixtures/organization.ts";
import type { Run } from "../fixtures/plan-and-apply.ts";
import { way } from "./random-schedules.ts";
import { tries } from "../fixtures/random-cases.ts";

const limits = { clone: 60_000, deletion: 60_000, busy: 20_000 };

const fault: fc.Arbitrary<FaultRequest> = fc
  .record({
    what: way,
    where: fc.oneof(
      fc.constantFrom<Pick<FaultRequest, "method" | "path">>(
        { method: "POST" },
        { method: "PUT" },
        { method: "GET" },
        {},
        { path: "/organization/*/customRole" },
        { path: "/organization/*/customRole/*" },
        { path: "/project/*/deploymentRule/order" },
      ),
      fc
        .constantFrom(
          "labelsGroups",
          "containerRegistry",
          "gitToken",
          "webhook",
          "cluster",
          "apiToken",
          "inviteMember",
        )
        .map((list) => ({ method: "POST", path: `/organization/*/${list}` })),
      fc.constantFrom<Pick<FaultRequest, "method" | "path">>(
        { method: "PUT", path: "/organization/*/cluster/*/advancedSettings" },
        { method: "PUT", path: "/organization/*/cluster/*/routingTable" },
        { method: "POST", path: "/organization/*/cluster/*/cloudProviderInfo" },
        { method: "PUT", path: "/cluster/*/dnsProvider" },
        { method: "POST", path: "/cluster/*/argoCdConfig" },
        { method: "POST", path: "/organization/*/argoCdDestinationClusterMapping" },
        { method: "POST", path: "/database/*/backup" },
      ),
    ),
    after: fc.nat({ max: 9 }),
    times: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ what, where, after, times }) => ({ ...what, ...where, after, times }));

/** `GitToken bot` for each resource, as often as the server has it. */
async function namesOn({ harness }: FaultyServer): Promise<string[]> {
  const { id } = harness.organization;
  const [project] = await harness.results(`/organization/${id}/project`);
  const lists = kinds.flatMap((kind) => {
    if (kind.listing.isSingle) return [];
    if (!kind.parent) return [{ kind, parentId: id }];
    return kind.parent.name === "Project" && project ? [{ kind, parentId: String(project["id"]) }] : [];
  });
  const found = await Promise.all(
    lists.map(async ({ kind, parentId }) => {
      const { path, pendingPath } = kind.listing;
      const paths = [path(parentId), ...(pendingPath ? [pendingPath(parentId)] : [])];
      const entries = (await Promise.all(paths.map((each) => harness.results(each)))).flat();
      return entries.map(
        (each) => `${kind.name} ${String(kind.names?.of ? kind.names.of(each) : each["name"])}`,
      );
    }),
  );
  return [...found.flat(), ...(await backupsIn(harness, project))].toSorted();
}

/** `Backup before` for each backup of a database of the only environment. */
async function backupsIn(harness: FaultyServer["harness"], project: Fields | undefined): Promise<string[]> {
  if (!project) return [];
  const environments = await harness.results(`/project/${String(project["id"])}/environment`);
  const services = await Promise.all(
    environments.map(({ id }) => harness.results(`/environment/${String(id)}/services`)),
  );
  const databases = services.flat().filter(({ service_type: type }) => type === "DATABASE");
  const backups = await Promise.all(
    databases.map(({ id }) => harness.results(`/database/${String(id)}/backup`)),
  );
  return backups.flat().map(({ name }) => `Backup ${String(name)}`);
}

async function attempt(stage: FaultyServer, shown = new Set<string>()): Promise<Run | undefined> {
  try {
    return await stage.run(documents, {
      policy,
      shown,
      limits,
      clock: fastClock(100),
      client: { onQuota: "wait", requestTimeout: 200 },
    });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

test("under faults, what the organization contains is neither lost nor made twice without a word", async () => {
  await using stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
  const founding = await namesOn(stage);
  const desired = documents.flatMap(({ kind, name }) =>
    kind === "Job" || kind === "Database" ? [] : [`${String(kind)} ${String(name)}`],
  );
  const figures = { runs: 0, faults: 0, twice: 0, lost: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 6 }), async (faults) => {
      await stage.reset();
      await stage.breaks(...faults);
      const shown = new Set<string>();
      const first = await attempt(stage, shown);
      figures.runs += 1;
      figures.faults += await stage.mend();
      const reported = (first?.report.outcomes ?? []).filter(({ code }) => code === "duplicated");
      figures.twice += reported.length;
      const there = await namesOn(stage);
      const duplicates = there.filter((name, index) => there.indexOf(name) !== index);
      // The value of a token is kept, or the report says that it is lost.
      if (there.includes("ApiToken ci") && !shown.has("apitoken:ci")) {
        figures.lost += 1;
        expect(first?.report.outcomes.find(({ address }) => address.kind.name === "ApiToken")?.code).toMatch(
          /^(value_lost|unclear|duplicated)$/,
        );
      }
      // A creation whose answer was lost twice may have been carried out twice; then the report names both.
      expect(reported.length, `duplicates: ${duplicates.join(", ")}`).toBeGreaterThanOrEqual(
        duplicates.length,
      );
      fc.pre(duplicates.length === 0);
      await stage.succeed(documents, { policy, limits });
      expect(await namesOn(stage)).toEqual([...founding, ...desired].toSorted());
      // Without the short time limit of the runs with faults, which a busy machine exceeds.
      const again = await stage.run(documents, { policy, limits });
      expect(again.plan.actions.filter(({ type }) => type !== "none")).toEqual([]);
    }),
    // The first example meets a request for sure; drawn ones may not.
    {
      numRuns: tries(5),
      endOnFailure: true,
      examples: [[[{ status: 503, method: "POST", after: 0, times: 1 }]]],
    },
  );
  console.log("organization:", figures);
  expect(figures.faults).toBeGreaterThan(0);
});
