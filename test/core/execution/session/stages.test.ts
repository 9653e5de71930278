import { adviceOf } from "../../../../cli/render/remedies.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { costOf } from "../../../../core/planning/plan/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { allow } from "../../../fixtures/policy.ts";
import { applySaved, saved } from "../../../fixtures/saved-plans.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const harness = useHarness();

const shop =
  "kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: staging\ncluster: eu-west\n";

const stage = (name: string, more = "", environment = "shop/staging") =>
  `---\nkind: DeploymentStage\nenvironment: ${environment}\nname: ${name}\n${more}`;

const job = (name: string, more = "", environment = "shop/staging") =>
  `---\nkind: Job\nenvironment: ${environment}\nname: ${name}\nsource: { image: { registry: docker-hub, image_name: a, tag: b } }\nschedule: { on_start: {} }\n${more}`;

/** The stages of an environment in the order of their deployment, each with its services. */
async function stages(path = "shop/staging"): Promise<string[]> {
  const everything = await harness.everything();
  const names = new Map([...everything.values()].map(({ id, name }) => [id, name]));
  const listed = await harness.results(`/environment/${await harness.idOf(path)}/deploymentStage`);
  return listed
    .toSorted((one, other) => Number(one["deployment_order"]) - Number(other["deployment_order"]))
    .map(({ name, services }) => {
      const inside = (services as Fields[])
        .map(
          (service) =>
            `${names.get(service["service_id"] ?? "")}${service["is_skipped"] === true ? "(skipped)" : ""}`,
        )
        .toSorted();
      return [name, ...inside].join(" ");
    });
}

const replacing = allow("**");

async function planned(text: string, policy = {}): Promise<string[]> {
  const plan = await harness.plan(text, policy);
  return [...summary(plan), ...plan.problems.map((problem) => `! ${problem.message}; ${adviceOf(problem)}`)];
}

/** Applies manifests; the next plan is empty. */
async function converge(text: string, policy = {}): Promise<string[]> {
  const plan = await harness.reconcile(text, policy);
  expect(await planned(text, policy)).toEqual([]);
  return summary(plan);
}

describe("the stages of an environment", () => {
  test("are created in their order with the services that name them, in one run", async () => {
    await converge(
      shop +
        job("report", "deployment_stage: Late\n") +
        stage("late", "after: early\n") +
        stage("early", "description: Migrations\n") +
        job("migrate", "deployment_stage: early\n") +
        job("other"),
    );
    expect(await stages()).toEqual(["DEFAULT other", "early migrate", "late report"]);
  });

  test("move behind the stage that they name; stages that are behind it already stay", async () => {
    await converge(shop + stage("a") + stage("b", "after: a\n") + stage("c", "after: a\n"));
    expect(await stages()).toEqual(["DEFAULT", "a", "b", "c"]);
    const text = shop + stage("a", "after: c\n") + stage("b", "after: c\n") + stage("c");
    expect(await converge(text)).toEqual([
      'update deploymentstage:shop/staging/a: after "DEFAULT" -> "c"',
      'update deploymentstage:shop/staging/b: after "DEFAULT" -> "c"',
    ]);
    expect((await stages()).slice(0, 2)).toEqual(["DEFAULT", "c"]);
  });

  test("a stage that the server makes can be moved and declared, and is not created", async () => {
    const text = shop + stage("first") + stage("DEFAULT", "description: The rest\nafter: first\n") + job("a");
    await converge(text);
    expect(await stages()).toEqual(["first", "DEFAULT a"]);
    await converge(
      shop + stage("first", "after: default\n") + stage("DEFAULT") + job("a", "deployment_stage: DEFAULT\n"),
    );
    expect(await stages()).toEqual(["DEFAULT a", "first"]);
  });

  test("a service can name a stage that the server makes with an environment of the same run", async () => {
    await converge(shop + job("a", "deployment_stage: DEFAULT\n"));
    expect(await stages()).toEqual(["DEFAULT a"]);
  });

  test("are renamed, and keep their services", async () => {
    await converge(shop + stage("old") + job("a", "deployment_stage: old\n"));
    const text = shop + stage("new", "manage: { renamed_from: old }\n") + job("a", "deployment_stage: new\n");
    expect(await converge(text)).toEqual(['update deploymentstage:shop/staging/new: name "old" -> "new"']);
    expect(await stages()).toEqual(["DEFAULT", "new a"]);
  });

  test("come with the clone of an environment, with their services and their order", async () => {
    const source =
      shop + stage("b") + stage("a", "after: b\n") + job("x", "deployment_stage: a\n") + job("y");
    await converge(source);
    const clone = "---\nkind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }\n";
    const inClone =
      stage("a", "description: copied\nafter: b\n", "shop/copy") +
      job("x", "deployment_stage: b\n", "shop/copy");
    expect(await converge(source + clone + inClone)).toEqual([
      "clone environment:shop/copy",
      'update deploymentstage:shop/copy/a: description "" -> "copied"',
      'update job:shop/copy/x: deployment_stage "a" -> "b"',
    ]);
    expect(await stages("shop/copy")).toEqual(["DEFAULT y", "b x", "a"]);
  });

  test("a new service, and the clone of one, belong to the stage that they name", async () => {
    await converge(shop + stage("a") + stage("b") + job("x", "deployment_stage: a\n"));
    const copy =
      "---\nkind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/staging/x }\ndeployment_stage: b\n";
    await converge(shop + stage("a") + stage("b") + job("x", "deployment_stage: a\n") + copy);
    expect(await stages()).toEqual(["DEFAULT", "a x", "b copy"]);
  });

  test("a replaced service stays in its stage, whether its document declares it or not", async () => {
    await converge(shop + stage("a") + job("x", "deployment_stage: a\n"));
    const cron = job("x").replace("on_start: {}", 'cronjob: { scheduled_at: "0 3 * * *" }');
    expect((await converge(shop + cron, replacing)).map((line) => line.split(":")[0])).toEqual([
      "replace job",
    ]);
    expect(await stages()).toEqual(["DEFAULT", "a x"]);
  });

  test("declared stages of a replaced environment are created again", async () => {
    const text =
      shop +
      stage("a", "after: DEFAULT\n") +
      stage("DEFAULT", "description: d\n") +
      job("x", "deployment_stage: a\n");
    await converge(text);
    await converge(text.replace("eu-west", "us-east"), replacing);
    expect(await stages()).toEqual(["DEFAULT", "a x"]);
  });
});

describe("is_skipped", () => {
  test("is written for a new service and changed, and is unknown to no later plan", async () => {
    await converge(shop + job("x", "is_skipped: true\n") + job("y", "is_skipped: false\n"));
    expect(await stages()).toEqual(["DEFAULT x(skipped) y"]);
    expect(await converge(shop + job("x", "is_skipped: false\n") + job("y", "is_skipped: true\n"))).toEqual([
      "update job:shop/staging/x: is_skipped true -> false",
      "update job:shop/staging/y: is_skipped false -> true",
    ]);
    expect(await converge(shop + job("y", "is_skipped: false\n"))).toEqual([
      "update job:shop/staging/y: is_skipped true -> false",
    ]);
    expect(await stages()).toEqual(["DEFAULT x y"]);
  });

  test("is written where the stages were read before the service was made", async () => {
    await converge(shop + job("x", "is_skipped: true\n"));
    const plan = await saved(harness, shop + job("x", "is_skipped: true\n") + job("y", "is_skipped: true\n"));
    expect(plan.plan.cost.applying).toBe(3);
    expect(await applySaved(harness, plan)).toEqual({ ended: "applied", why: [] });
    expect(await stages()).toEqual(["DEFAULT x(skipped) y(skipped)"]);
  });

  test("stays when the service moves to another stage, and both can change at once", async () => {
    const staged = shop + stage("a") + stage("b");
    await converge(staged + job("x", "deployment_stage: a\nis_skipped: true\n"));
    await converge(staged + job("x", "deployment_stage: b\n"));
    expect(await stages()).toEqual(["DEFAULT", "a", "b x(skipped)"]);
    await converge(staged + job("x", "deployment_stage: a\nis_skipped: false\n"));
    expect(await stages()).toEqual(["DEFAULT", "a x", "b"]);
    await converge(staged + job("x", "deployment_stage: b\nis_skipped: true\n"));
    expect(await stages()).toEqual(["DEFAULT", "a", "b x(skipped)"]);
  });

  test("of a replaced service is as before, whether its document declares it or not", async () => {
    await converge(shop + job("x", "is_skipped: true\n"));
    const cron = job("x").replace("on_start: {}", 'cronjob: { scheduled_at: "0 3 * * *" }');
    await converge(shop + cron, replacing);
    expect(await stages()).toEqual(["DEFAULT x(skipped)"]);
  });

  test("can be declared for a clone", async () => {
    await converge(shop + job("x", "is_skipped: true\n"));
    const copy =
      "---\nkind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/staging/x }\nis_skipped: true\n";
    await converge(shop + job("x") + copy);
    expect(await stages()).toEqual(["DEFAULT copy(skipped) x(skipped)"]);
  });
});

describe("a prune", () => {
  const pruning = shop.replace("cluster:", "manage: { prune: true }\ncluster:");

  test("deletes unmanaged stages, never one that the server makes", async () => {
    await converge(shop + stage("a") + stage("b") + job("x", "deployment_stage: b\n"));
    const text = pruning + stage("a") + job("x");
    expect(await planned(text)).toEqual([]);
    expect(await converge(text, { prune: true })).toEqual(["delete deploymentstage:shop/staging/b"]);
    expect(await stages()).toEqual(["DEFAULT x", "a"]);
  });

  test("leaves stages alone where no document mentions any", async () => {
    await converge(shop + stage("a") + job("x"));
    expect(await planned(pruning + job("x"), { prune: true })).toEqual([]);
  });
});

describe("a destroy", () => {
  test("of the stage that comes with an environment is refused, unless the environment goes too", async () => {
    await converge(shop + job("a"));
    const { problems } = await harness.plan(stage("default").slice(4), {}, "destroy");
    expect(problems.map(({ code, message, advice }) => ({ code, message, advice }))).toEqual([
      {
        code: "impossible",
        message: "DeploymentStage shop/staging/default cannot be deleted: it is a part of its Environment",
        advice: "keep it, or delete the Environment",
      },
    ]);
    const whole = await harness.plan(shop + stage("default") + job("a"), {}, "destroy");
    expect(whole.problems).toEqual([]);
  });

  test("deletes the declared stage, and an environment with its stages", async () => {
    await converge(shop + stage("a") + stage("b"));
    const one = await harness.plan(stage("a").slice(4), {}, "destroy");
    expect(summary(one)).toEqual(["delete deploymentstage:shop/staging/a"]);
    await harness.apply(one);
    expect(await stages()).toEqual(["DEFAULT", "b"]);
    const all = await harness.plan(shop + stage("b"), {}, "destroy");
    expect(all.problems).toEqual([]);
    await harness.apply(all);
    expect((await harness.everything()).size).toBe(0);
  });

  test("of an environment needs a consent for a stage that no document declares, and none for the default one", async () => {
    await converge(shop + stage("a"));
    const environment = shop.split("---\n")[1] ?? "";
    const { problems } = await harness.plan(environment, {}, "destroy");
    expect(problems.map(({ message }) => message)).toEqual([
      "Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: a",
    ]);
    const pruned = await harness.plan(shop.split("---\n")[1] + stage("a"), {}, "destroy");
    expect(pruned.problems).toEqual([]);
  });

  test("of a protected stage is refused, also with its environment", async () => {
    const text = shop + stage("a", "manage: { protect: true }\n");
    await converge(text);
    const { problems } = await harness.plan(text, {}, "destroy");
    expect(problems.map(({ code }) => code)).toContain("protected");
  });
});

describe("mistakes are found before anything is sent", () => {
  test("a stage that does not exist", async () => {
    await converge(shop + stage("build"));
    const plan = await harness.plan(shop + job("x", "deployment_stage: bild\n"));
    expect(plan.problems).toMatchObject([
      {
        code: "reference",
        message:
          'Job shop/staging/x: there is no DeploymentStage "bild" in Environment shop/staging, and no document declares one',
        advice: "did you mean build?",
        address: "job:shop/staging/x",
        position: { line: 14, text: "deployment_stage: bild" },
      },
    ]);
    expect(await planned(shop + stage("build", "after: nothing\n"))).toEqual([
      '! DeploymentStage shop/staging/build: there is no DeploymentStage "nothing" in Environment shop/staging, and no document declares one; declare it, or name one of: DEFAULT, build',
    ]);
  });

  test("stages that come after each other in a circle, and one after itself", async () => {
    const { problems } = desiredOf(
      shop + stage("a", "after: c\n") + stage("b", "after: A\n") + stage("c", "after: b\n"),
    );
    expect(problems).toMatchObject([
      {
        code: "circle",
        message:
          "these depend on each other in a circle: DeploymentStage shop/staging/a -> DeploymentStage shop/staging/c -> DeploymentStage shop/staging/b -> DeploymentStage shop/staging/a",
        advice: "remove after from one of them",
        position: { line: 12, text: "after: c" },
      },
    ]);
    expect(desiredOf(shop + stage("a", "after: a\n")).problems).toMatchObject([{ code: "circle" }]);
  });
});

describe("requests", () => {
  test("a plan reads the stages of an environment once, and only where a document mentions them", async () => {
    const elsewhere =
      "---\nkind: Environment\nproject: shop\nname: other\ncluster: eu-west\n" + job("z", "", "shop/other");
    const staged =
      shop + stage("a") + job("x", "deployment_stage: a\n") + job("y", "deployment_stage: a\n") + elsewhere;
    await converge(staged);
    const lists = async (text: string) => {
      await harness.forgetRequests();
      await harness.plan(text);
      return (await harness.seen())
        .map(({ path }) => path)
        .filter((path) => path.endsWith("/deploymentStage"));
    };
    const id = await harness.idOf("shop/staging");
    expect(await lists(staged)).toEqual([`/environment/${id}/deploymentStage`]);
    expect(await lists(shop + job("x") + job("y") + elsewhere)).toEqual([]);
  });

  test("ten services of a new stage are linked with one request each and one list", async () => {
    const jobs = Array.from({ length: 10 }, (_, index) => job(`job-${index}`, "deployment_stage: a\n")).join(
      "",
    );
    await converge(shop + stage("a"));
    await harness.forgetRequests();
    const plan = await harness.reconcile(shop + stage("a") + jobs);
    expect(costOf(plan).applying).toBe(20);
    const paths = (await harness.seen()).map(
      ({ method, path }) => `${method} ${path.replaceAll(/[\da-f-]{36}/g, "ID")}`,
    );
    const count = (desired: string) => paths.filter((path) => path === desired).length;
    expect(count("PUT /deploymentStage/ID/service/ID")).toBe(10);
    // One of the plan, and one of the apply, which starts without knowledge here.
    expect(count("GET /environment/ID/deploymentStage")).toBe(2);
  });
});

test("random orders of stages converge in one run, and the plan of the clone of the environment is empty", async () => {
  const names = ["a", "b", "c", "d", "DEFAULT"];
  const order = fc
    .tuple(
      fc.shuffledSubarray(names, { minLength: 5 }),
      fc.array(fc.nat({ max: 5 }), { minLength: 5, maxLength: 5 }),
    )
    .map(([shuffled, picks]) =>
      // Each comes after one before it, or after none: no circles.
      shuffled.map((name, index) => {
        const pick = picks[index] ?? 0;
        return stage(name, pick < index ? `after: ${shuffled[pick]}\n` : "");
      }),
    );
  const services = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(order, order, services, services, async (before, after, first, second) => {
      await harness.api("POST", "/_emulator/reset");
      const inside = (placed: string[]) =>
        placed.map((name, index) => job(`job-${index}`, `deployment_stage: ${name}\n`)).join("");
      await converge(shop + before.join("") + inside(first));
      const text = shop + inside(second) + after.join("");
      await converge(text);
      const found = await stages();
      for (const [index, name] of second.entries())
        expect(found.find((line) => line.split(" ")[0] === name)).toContain(`job-${index}`);
      const clone = "---\nkind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }\n";
      expect(await converge(text + clone)).toEqual(["clone environment:shop/copy"]);
      expect(await planned(clone.slice(4) + after.join("").replaceAll("shop/staging", "shop/copy"))).toEqual(
        [],
      );
    }),
    { numRuns: tries(4) },
  );
});
