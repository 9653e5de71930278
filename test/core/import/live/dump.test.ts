import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dump, parseAddress } from "../../../../core/index.ts";
import type { DumpOptions, Extent } from "../../../../core/import/live/index.ts";
import { unmanagedText } from "../../../../core/planning/plan/index.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import { arbitraryFields, manifests } from "../../../fixtures/random-documents.ts";
import { checkWritten } from "../../../../cli/commands/init/manifest-check.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";
import { allow } from "../../../fixtures/policy.ts";
import { application, job as jobDocument, shop } from "../../../fixtures/manifests.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { withArgocdApp } from "../../../argocd.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const harness = useHarness();

async function dumped(text: string, options: DumpOptions = { configuration: true }): Promise<string> {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is not an address`);
  const { documents } = await dump(harness.context(), harness.organization, address, options);
  return documents.map((document) => formatManifest(document)).join("---\n");
}

/** The job as the server answers it, but for the time of its last change. */
async function service() {
  const { updated_at: _updated, ...answer } =
    (await harness.everything()).get("shop/staging/JOB nightly") ?? {};
  return answer;
}

const extents: Extent[] = ["needed", "usual", "all"];

test("what has been written is validated and planned: a mistake and a change are told", async () => {
  await harness.reconcile(shop + jobDocument("nightly"));
  const address = parseAddress("project:shop");
  const { documents } = await dump(harness.context(), harness.organization, address);
  const check = (fields: Fields) =>
    checkWritten(
      harness.context(),
      harness.organization,
      documents.map((each) =>
        each.kind.name === "Job" ? { ...each, fields: { ...each.fields, ...fields } } : each,
      ),
    );
  expect(await check({})).toEqual({ mistakes: [], changes: [] });
  expect(await check({ cpu: 750 })).toEqual({
    mistakes: [],
    changes: ["update job:shop/staging/nightly: cpu"],
  });
  const { mistakes } = await check({ cpu: "much" });
  expect(mistakes).toEqual([expect.stringContaining("cpu must be")]);
});

describe("dump", () => {
  test("a dump after which nothing else is read keeps nothing of the contents of a resource in memory", async () => {
    await harness.reconcile(shop + jobDocument("nightly"));
    const knownAfter = async (isAlone: boolean) => {
      const context = harness.context();
      const { documents } = await dump(context, harness.organization, undefined, { isAlone });
      const { contents, parts } = context.live.known();
      const services = [...contents.values()]
        .flatMap(({ resources }) => resources)
        .filter(({ kind }) => kind.name === "Job");
      return { documents: documents.length, services: services.length, lists: parts.size };
    };
    // One list is that of the project, which is in nothing that was dumped.
    const all = await knownAfter(false);
    expect(all.services).toBe(1);
    expect(await knownAfter(true)).toEqual({ ...all, services: 0, lists: 1 });
  });

  test("the dump plans as no changes, and creates the same resources elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(manifests, fc.constantFrom(...extents), async (documents, extent) => {
        await harness.api("POST", "/_emulator/reset");
        await harness.reconcile(documents);
        const options = { configuration: true, extent };
        const text = await dumped("project:shop", options);
        const plan = await harness.plan(text, { strict: true });
        expect(summary(plan)).toEqual([]);
        // Everything that is set is stated, but for secrets, whose values nobody can read.
        expect(
          (plan.unmanaged ?? []).filter(({ sort }) => sort !== "secret").map((each) => unmanagedText(each)),
        ).toEqual([]);

        const first = await dumped("environment:shop/production", options);
        await harness.api("POST", "/_emulator/reset");
        await harness.reconcile(text);
        expect(await dumped("environment:shop/production", options)).toBe(first);
      }),
      { numRuns: tries(4) },
    );
  });

  test("any change manually is in the next strict plan of a dump: as a difference, or as what no document declares", async () => {
    const seen = { changed: 0, undeclared: 0 };
    const fields = arbitraryFields(kindOf("Job"), "partial", "without", "without");
    await fc.assert(
      fc.asyncProperty(fields, fc.nat(), async (byHand, nth) => {
        await harness.api("POST", "/_emulator/reset");
        await harness.reconcile(shop + jobDocument("nightly"));
        const text = await dumped("project:shop", {});
        const before = JSON.stringify(await service());
        // Somebody else changes one member.
        const members = Object.entries(byHand);
        const one = members.length === 0 ? {} : Object.fromEntries([members[nth % members.length] ?? []]);
        const document = { kind: "Job", environment: "shop/staging", name: "nightly", ...one };
        const changing = await harness.plan([document], allow("**"));
        if (changing.problems.length > 0) return;
        await harness.apply(changing);
        if (JSON.stringify(await service()) === before) return;
        const plan = await harness.plan(text, { strict: true });
        const undeclared = (plan.unmanaged ?? []).length;
        seen.changed += 1;
        seen.undeclared += undeclared;
        expect(summary(plan).length + undeclared).toBeGreaterThan(0);
      }),
      { numRuns: tries(10) },
    );
    expect(seen.changed).toBeGreaterThan(0);
    expect(seen.undeclared).toBeGreaterThan(0);
  });

  test("contains the stages of an environment and those of its services, and no stage that is as the server made it", async () => {
    const job = (name: string, stage: string) =>
      `---\nkind: Job\nenvironment: shop/staging\nname: ${name}\nsource: { image: { registry: docker-hub, image_name: a, tag: b } }\nschedule: { on_start: {} }\n${stage}`;
    const stage = (name: string, more = "") =>
      `---\nkind: DeploymentStage\nenvironment: shop/staging\nname: ${name}\n${more}`;
    const environment =
      "kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: staging\ncluster: eu-west\n";
    await harness.reconcile(environment + job("plain", ""));
    expect(await dumped("environment:shop/staging")).not.toMatch(/stage:|Stage/);

    await harness.reconcile(
      environment +
        stage("early") +
        stage("DEFAULT", "after: early\n") +
        stage("late", "description: last\nafter: DEFAULT\n") +
        job("plain", "") +
        job("last", "deployment_stage: late\nis_skipped: true\n"),
    );
    const text = await dumped("environment:shop/staging");
    expect(summary(await harness.plan(text, { strict: true }))).toEqual([]);
    expect(text.match(/deployment_stage.*/g)).toEqual(["deployment_stage: late"]);
    expect(text.match(/is_skipped.*/g)).toEqual(["is_skipped: true"]);
    expect(text.match(/after: .*/g)?.toSorted()).toEqual(["after: DEFAULT", "after: early"]);
    expect(await dumped("job:shop/staging/last")).toContain("deployment_stage: late");
    await harness.api("POST", "/_emulator/reset");
    await harness.reconcile(`kind: Project\nname: shop\n---\n${text}`);
    expect(await dumped("environment:shop/staging")).toBe(text);
  });

  test("contains an icon that a user has chosen, not the default icon of the API", async () => {
    const job = (name: string, more = "") =>
      `---\nkind: Job\nenvironment: shop/staging\nname: ${name}\nsource: { image: { registry: docker-hub, image_name: a, tag: b } }\nschedule: { on_start: {} }\n${more}`;
    await harness.reconcile(
      `kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: staging\ncluster: eu-west\n${job("given")}${job("chosen", "icon_uri: https://example.com/icon.svg\n")}`,
    );
    expect(await dumped("job:shop/staging/given")).not.toContain("icon_uri");
    expect(await dumped("job:shop/staging/chosen")).toContain("icon_uri: https://example.com/icon.svg");
  });

  test("an unknown name is reported with the known names", async () => {
    await harness.reconcile("kind: Project\nname: shop\n");
    await expect(dumped("project:shap")).rejects.toMatchObject({
      problems: [{ message: "Project shap does not exist", advice: "did you mean shop? there are: shop" }],
    });
    await expect(dumped("environment:shop/staging")).rejects.toMatchObject({
      problems: [
        {
          message: "Environment shop/staging does not exist",
          advice: "there is no Environment at that place",
        },
      ],
    });
  });

  test("leaves out a resource whose name no manifest may have, and mentions it", async () => {
    await harness.reconcile("kind: Project\nname: shop\n");
    const projectId = String((await harness.everything()).get("shop")?.["id"]);
    const [cluster] = harness.emulator.clusters;
    await harness.api("POST", `/project/${projectId}/environment`, {
      name: "staging ",
      mode: "STAGING",
      cluster_id: cluster?.id,
    });
    const address = parseAddress("project:shop");
    if (!address) throw new Error("that is an address");
    const { documents, leftOut } = await dump(harness.context(), harness.organization, address);
    expect(documents.map(({ name }) => name)).toEqual(["shop"]);
    expect(leftOut).toEqual([
      {
        address: "shop/staging ",
        name: "staging ",
        type: "ENVIRONMENT",
        why: "its name begins or ends with a space",
      },
    ]);
  });

  test("leaves out what a validation would refuse, and names it and each secret without a source; the rest can be planned", async () => {
    await harness.reconcile(shop + application("api", "variables: { LEVEL: high }"));
    const id = await harness.idOf("shop/staging/APPLICATION api");
    for (const body of [
      { key: "spring.datasource.url", value: "x", is_secret: false },
      { key: "TOKEN", value: "x", is_secret: true },
    ])
      await harness.api("POST", "/variable", {
        ...body,
        variable_scope: "APPLICATION",
        variable_parent_id: id,
      });
    const address = parseAddress("environment:shop/staging");
    if (!address) throw new Error("that is an address");
    const { documents, leftOut } = await dump(harness.context(), harness.organization, address);
    expect(leftOut.map(({ type, address: where, why }) => `${type} ${where}: ${why}`)).toEqual([
      expect.stringMatching(/^variables.*spring\.datasource\.url.* of Application shop\/staging\/api: /),
      "secret TOKEN of Application shop/staging/api: the API returns no secret values: declare it under secrets, with a source",
    ]);
    const text = documents.map((document) => formatManifest(document)).join("---\n");
    expect(summary(await harness.plan(text))).toEqual([]);
    expect(text).toContain("LEVEL: high");
  });

  test("mentions services without a manifest kind", async () => {
    await harness.reconcile(
      "kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: staging\ncluster: eu-west\n",
    );
    const withApp = harness.through(await withArgocdApp(harness.emulator.url, "web"));
    const address = parseAddress("environment:shop/staging");
    const { documents, leftOut } = address
      ? await dump(withApp.context(), harness.organization, address)
      : { documents: [], leftOut: [] };
    expect(documents.map(({ name }) => name)).toEqual(["staging"]);
    expect(leftOut.map((left) => left.address)).toEqual(["shop/staging/web"]);
  });

  test("contains the custom domains of a service", async () => {
    await harness.reconcile(
      shop + application("a", "custom_domains: { shop.example.com: { use_cdn: true }, www.example.com: {} }"),
    );
    expect(await dumped("application:shop/staging/a")).toContain(
      "custom_domains:\n  shop.example.com:\n    use_cdn: true\n  www.example.com:\n    use_cdn: false\n",
    );
  });

  test("contains settings that differ from their defaults, if it is asked to, and reads the defaults once", async () => {
    const settings =
      "advanced_settings: { build.timeout_max_sec: 60, hpa.memory.average_utilization_percent: 70 }";
    await harness.reconcile(
      shop + application("a", `${settings}\nnetwork: { sticky_session: true }`) + application("b"),
    );
    await harness.forgetRequests();
    const text = await dumped("environment:shop/staging");
    expect((await harness.seen()).filter(({ path }) => path.startsWith("/default"))).toHaveLength(1);
    expect(text).toContain(
      "advanced_settings:\n  build.timeout_max_sec: 60\n  hpa.memory.average_utilization_percent: 70\n",
    );
    expect(text).toContain("network:\n  sticky_session: true\n");
    expect(text.match(/advanced_settings|network/g)).toHaveLength(2);
    expect(summary(await harness.plan(text))).toEqual([]);
    expect(await dumped("environment:shop/staging", {})).not.toMatch(/advanced_settings|network/);
  });

  test("several dumps on one store read each list once", async () => {
    await harness.reconcile(
      shop + application("a") + "---\nkind: Environment\nproject: shop\nname: production\n",
    );
    await harness.forgetRequests();
    const run = harness.context();
    for (const text of [
      "environment:shop/staging",
      "environment:shop/production",
      "application:shop/staging/a",
    ]) {
      const address = parseAddress(text);
      if (address) await dump(run, harness.organization, address);
    }
    expect((await harness.seen()).map(({ path }) => path.split("/").at(-1)).toSorted()).toEqual([
      "customDomain",
      "deploymentStage",
      "deploymentStage",
      "environment",
      "events",
      "project",
      "services",
      "services",
      "variable",
      "variable",
      "variable",
    ]);
  });
});
