import { beforeEach, expect, test } from "vitest";
import { formatAddress, type Plan, type Policy } from "../../../../core/index.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { application, database, job, shop } from "../../../fixtures/manifests.ts";

const harness = useHarness();
beforeEach(async () => {
  await harness.reconcile(shop + job("worker") + job("migrate") + application("api"));
});

const notes = ({ notes: all }: Plan) =>
  all.filter(({ code }) => code === "unmanaged_resources").map(({ message }) => message);
const noted = async (documents: string, policy: Partial<Policy> = {}) =>
  notes(await harness.plan(documents, policy));

test("a plan names what no document declares, without a request for it", async () => {
  await harness.forgetRequests();
  const declared = await harness.plan(shop + job("worker") + job("migrate") + application("api"));
  const plan = await harness.plan(shop + job("migrate"));
  expect(notes(declared)).toEqual([]);
  expect(notes(plan)).toEqual(["Unmanaged: Job shop/staging/worker, Application shop/staging/api"]);
  expect(plan.notes.flatMap(({ resources = [] }) => resources.map(formatAddress))).toEqual([
    "job:shop/staging/worker",
    "application:shop/staging/api",
  ]);
  expect(plan.spent).toBe(declared.spent);
});

test("a service with a new name in its document: the plan names the old one, and how to declare that it is the same", async () => {
  expect(await noted(shop + job("consumer") + job("migrate") + application("api"))).toEqual([
    "Unmanaged: Job shop/staging/worker (if consumer is its new name, set manage.renamed_from: worker)",
  ]);
  // Which of the two it would be, nobody can say.
  expect(await noted(shop + job("one") + job("two") + job("migrate") + application("api"))).toEqual([
    "Unmanaged: Job shop/staging/worker; if a new resource is one of these under a new name, set manage.renamed_from in its document",
  ]);
  expect(
    await noted(
      shop + job("consumer", "manage: { renamed_from: worker }") + job("migrate") + application("api"),
    ),
  ).toEqual([]);
});

test("an environment beside a declared one, and no project beside a declared one", async () => {
  const production = shop.replace("staging", "production").replace(/^[^]*?---\n/, "---\n");
  await harness.reconcile(shop + production);
  await harness.reconcile("kind: Project\nname: other\n");
  expect(await noted(shop + job("worker") + job("migrate") + application("api"))).toEqual([
    "Unmanaged: Environment shop/production",
  ]);
});

test("a database that somebody has made manually", async () => {
  await harness.api("POST", `/environment/${await harness.idOf("shop/staging")}/database`, database);
  expect(await noted(shop + job("worker") + job("migrate") + application("api"))).toEqual([
    "Unmanaged: Database shop/staging/db",
  ]);
});

test("only what the targets choose", async () => {
  const targets = [parsePattern("job:**")];
  expect(await noted(shop + job("migrate"), { targets })).toEqual(["Unmanaged: Job shop/staging/worker"]);
});

test("nothing that a prune names or deletes, that a clone has brought, or that comes with its parent", async () => {
  const pruned = shop.replace("mode:", "manage: { prune: true }\nmode:") + job("migrate");
  expect(await noted(pruned)).toEqual([
    expect.stringContaining("contains 2 resources that no document declares"),
  ]);
  expect(await noted(pruned, { prune: true })).toEqual([]);
  const clone = `---\nkind: Environment\nproject: shop\nname: preview\nclone: { from: shop/staging }\n`;
  const all = shop + job("worker") + job("migrate") + application("api") + clone;
  await harness.reconcile(all);
  expect(await noted(all)).toEqual([]);
  expect(await noted(`${all}---\nkind: DeploymentStage\nenvironment: shop/staging\nname: early\n`)).toEqual(
    [],
  );
});

test("at most ten names", async () => {
  const many = Array.from({ length: 12 }, (_, index) => job(`job-${index}`)).join("");
  await harness.reconcile(shop + many);
  const [message = ""] = await noted(shop + job("job-0"));
  expect(message.match(/shop\/staging\//g)).toHaveLength(10);
  expect(message).toMatch(/ and 4 more$/);
});

test("half a rename of a project is told: documents are still in the old one", async () => {
  const all = shop + job("worker") + job("migrate") + application("api");
  expect(await noted(all.replace("name: shop", "name: store"))).toEqual([
    "Unmanaged: Project shop (if store is its new name, set manage.renamed_from: shop)",
  ]);
  expect(await noted(`${all}---\nkind: Project\nname: store\n`)).toEqual([]);
});

test("a whole rename of a project is told, and what is in the old one does not count as unmanaged", async () => {
  const all = (shop + job("worker") + job("migrate")).replaceAll("shop", "store");
  const renamed = "Unmanaged: Project shop (if store is its new name, set manage.renamed_from: shop)";
  expect(await noted(all)).toEqual([renamed]);
  expect((await harness.plan(all, { strict: true })).unmanaged).toEqual([]);
  expect(await noted(all.replace("name: store", "$&\nmanage: { renamed_from: shop }"))).toEqual([
    "Unmanaged: Application store/staging/api",
  ]);
  expect(await noted(all, { elsewhere: [parsePattern("project:shop")] })).toEqual([]);
  await harness.reconcile("kind: Project\nname: other\n");
  expect(await noted(all)).toEqual([
    "Unmanaged: Project shop, Project other; if a new resource is one of these under a new name, set manage.renamed_from in its document",
  ]);
});
