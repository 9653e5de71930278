import { expect, test } from "vitest";
import { encodeUnread } from "../../core/outputs/forms/index.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, startBench } from "./fixture.ts";

/** What is in no document, by environment, as the next cycle finds it. */
async function unmanaged(bench: Bench): Promise<Record<string, readonly string[] | undefined>> {
  const { end } = await bench.cycle();
  return Object.fromEntries((end.environments ?? []).map((each) => [each.environment, each.unmanaged]));
}

test("live resources and parts that no document declares are listed: services, environments, stages, variables, secrets", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: early\n";
  const declared = shop + job("a", "variables: { LEVEL: info }\nmanage: { ignore: [variables.THEIRS] }");
  repository.push({ "infra/shop.yaml": declared + stage });
  await bench.cycle();
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": [] });

  await server.reconcile(
    `${declared}${stage}${job("b")}${stage.replace("early", "late")}---\nkind: Environment\nproject: shop\nname: qa\nmode: STAGING\n---\nkind: Project\nname: another\n`,
  );
  const write = async (key: string, isSecret: boolean) =>
    server.api("POST", "/variable", {
      key,
      value: "canary",
      is_secret: isSecret,
      variable_scope: "JOB",
      variable_parent_id: await server.idOf("shop/staging/JOB a"),
    });
  await write("BY_HAND", false);
  await write("PASSWORD", true);
  await write("THEIRS", false);
  expect(await unmanaged(bench)).toEqual({
    shop: ["environment:shop/qa"],
    "shop/staging": [
      "deploymentstage:shop/staging/late",
      "job:shop/staging/b",
      "secret PASSWORD of job:shop/staging/a",
      "variable BY_HAND of job:shop/staging/a",
    ],
  });
  // A document takes it off the list.
  repository.push({
    "infra/shop.yaml":
      shop +
      stage +
      job("b") +
      job("a", "variables: { LEVEL: info, BY_HAND: canary }\nmanage: { ignore: [variables, secrets] }"),
  });
  await bench.cycle();
  expect(await unmanaged(bench)).toMatchObject({ "shop/staging": ["deploymentstage:shop/staging/late"] });
});

test("parts that a clone has copied from its source are not listed", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({
    "infra/shop.yaml":
      shop +
      job("a") +
      "---\nkind: Environment\nproject: shop\nname: copy\nmode: STAGING\nclone: { from: shop/staging }\n",
  });
  await bench.cycle();
  await bench.cycle();
  expect((await server.everything()).has("shop/copy/JOB a")).toBe(true);
  expect(await unmanaged(bench)).toMatchObject({ shop: [], "shop/copy": [] });
});

test("an environment of which no service is declared is looked into, also after its last documents have gone", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  const services = job("a") + job("b") + job("c");
  await server.reconcile(shop + services);
  repository.push({ "infra/shop.yaml": shop });
  const all = ["job:shop/staging/a", "job:shop/staging/b", "job:shop/staging/c"];
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": all });
  // What was made before the first cycle is read once more when its events have settled. Then what is known costs nothing.
  bench.clock.advance(60_000);
  await bench.cycle();
  const { requests } = await bench.cycle();
  expect(requests.filter((each) => !each.includes("/events"))).toEqual([]);

  repository.push({ "infra/shop.yaml": shop + services });
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": [] });
  repository.push({ "infra/shop.yaml": shop });
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": all });
  bench.reconciler = bench.restart("another");
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": all });
  await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB c")}`);
  expect(await unmanaged(bench)).toEqual({ shop: [], "shop/staging": all.slice(0, 2) });
});

test("a project of which no environment is declared is looked into", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  await server.reconcile(shop + job("a"));
  repository.push({ "infra/shop.yaml": "kind: Project\nname: shop\n" });
  expect(await unmanaged(bench)).toEqual({ shop: ["environment:shop/staging"] });
});

test("an environment says what has not been read in it, as a plan does", async () => {
  const bench = await startBench();
  bench.repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  const { end } = await bench.cycle();
  const unread = (end.environments ?? []).flatMap((each) => encodeUnread(each.unread ?? []));
  // Nothing in it is unread that the cycle has read: contents, and how services run.
  expect(unread).toEqual([
    { address: "project:shop", sort: "settings" },
    { address: "environment:shop/staging", sort: "settings" },
    { address: "job:shop/staging/a", sort: "settings" },
  ]);
});

test("an organization of which a project is in no document is looked into", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  await server.reconcile(shop + job("a"));
  repository.push({ "infra/a.yaml": "kind: Organization\nname: acme\n" });
  expect(await unmanaged(bench)).toEqual({ "the organization": ["project:shop"] });
  const { end } = await bench.cycle();
  expect(encodeUnread(end.environments?.[0]?.unread ?? [])).toEqual([
    { address: "organization:acme", sort: "settings" },
  ]);
  repository.push({ "infra/b.yaml": "kind: Project\nname: other\n" });
  expect(await unmanaged(bench)).toEqual({ "the organization": ["project:shop"], other: [] });
});
