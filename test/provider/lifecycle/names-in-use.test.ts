import { expect, test } from "vitest";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { retainedProperty } from "../../../provider/lifecycle/internal.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import type { Entry } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

const named = (name: string, more: Properties = {}): Properties => ({ ...nightly(), name, ...more });

/** A run of the engine, which asks about all resources one after the other, and then changes them side by side. */
function startRun() {
  const { server } = staging;
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({ HOME: "" }, (warning) => warnings.push(warning), server.clock);
  const { url, tokens } = server.emulator;
  const values: Record<string, string> = {
    "infrasync:baseUrl": url,
    "infrasync:token": tokens.admin,
    "infrasync:cloneTimeout": "2s",
  };
  const config = { get: (key: string) => values[key] };
  return {
    warnings,
    check: (kind: string, news: Properties, urn: string) => lifecycle.check(kind, {}, news, config, urn),
    make: (kind: string, news: Properties, urn: string) => lifecycle.create(kind, news, config, urn),
    drop: (entry: Entry, urn: string) => lifecycle.remove(entry.kind, entry.id, entry.outputs, config, urn),
    diff: (entry: Entry, news: Properties, urn: string) =>
      lifecycle.diff(entry.kind, entry.id, entry.outputs, news, config, urn),
    preview: (news: Properties, kind = "Job", isMade = true) =>
      lifecycle.judge(kind, config, news, undefined, isMade),
    create: (news: Properties, urn: string) => lifecycle.create("Job", news, config, urn),
    update: (entry: Entry, news: Properties, urn: string) =>
      lifecycle.update(entry.kind, entry.id, entry.outputs, news, config, urn),
    remove: (entry: Entry, urn: string) => lifecycle.remove("Job", entry.id, entry.outputs, config, urn),
  };
}

const names = async () => (await staging.services()).map(({ name }) => name).toSorted();

test("a new resource gets a name that another one gives up in the same run", async () => {
  const first = await (await pass()).create("Job", named("first"));
  const run = startRun();
  await run.diff(first, named("renamed"), "first");
  await run.preview(named("first"));
  expect(run.warnings).toEqual([]);
  await Promise.all([run.create(named("first"), "second"), run.update(first, named("renamed"), "first")]);
  expect(await names()).toEqual(["first", "renamed"]);
});

test("each of three resources gets the name of the next one, whatever comes first", async () => {
  const before = await pass();
  const jobs = await Promise.all(["a", "b", "c"].map((name) => before.create("Job", named(name))));
  const after = ["b", "c", "d"];
  const run = startRun();
  for (const [index, job] of jobs.entries()) await run.diff(job, named(after[index] ?? ""), `job${index}`);
  await Promise.all(jobs.map((job, index) => run.update(job, named(after[index] ?? ""), `job${index}`)));
  expect(await names()).toEqual(["b", "c", "d"]);
});

test("a resource gets the name of one that is replaced in another environment", async () => {
  const before = await pass();
  const other = await before.create("Environment", { ...staging.environment.inputs, name: "other" });
  const [moves, stays] = [await before.create("Job", named("a")), await before.create("Job", named("b"))];
  const run = startRun();
  const moved = named("a", { environment: other.id });
  await run.diff(moves, moved, "moves");
  await run.diff(stays, named("a"), "stays");
  const replace = async () => {
    await run.remove(moves, "moves");
    await run.create(moved, "moves");
  };
  await Promise.all([run.update(stays, named("a"), "stays"), replace()]);
  expect(await names()).toEqual(["a"]);
});

test("a replacement that keeps its name is no other resource of that name", async () => {
  const job = await (await pass()).create("Job", named("same"));
  const run = startRun();
  const atStart = named("same", { schedule: { onStart: {} } });
  expect(await run.diff(job, atStart, "same")).toMatchObject({ replaces: ["schedule"] });
  await run.preview(atStart);
  expect(run.warnings).toEqual([]);
});

test("a name that another resource gives up only after this one is waited for during 20 s, and then the next run has it", async () => {
  const before = await pass();
  const [first, second] = [await before.create("Job", named("a")), await before.create("Job", named("b"))];
  const run = startRun();
  await run.diff(first, named("b"), "first");
  await run.diff(second, named("c"), "second");
  const started = staging.server.clock.now();
  await expect(run.update(first, named("b"), "first")).rejects.toThrow(
    'another resource of this program still has the name "b", and releases it in this run; run `pulumi up` again, or, if the other resource depends on this one, change the other one in an earlier run',
  );
  expect(staging.server.clock.now() - started).toBeGreaterThanOrEqual(20_000);
  expect(run.warnings.at(-1)).toMatch(
    /^Another resource of this program still has the name "b", and releases it; waiting for it, \d+ s at most$/,
  );
  await run.update(second, named("c"), "second");
  await run.update(first, named("b"), "first");
  expect(await names()).toEqual(["b", "c"]);
});

test("a name that another resource of the program keeps is refused with the name of that resource and what to do", async () => {
  const before = await pass();
  const [first, second] = [await before.create("Job", named("a")), await before.create("Job", named("b"))];
  const run = startRun();
  await run.diff(second, named("b"), "second");
  await run.diff(first, named("b"), "first");
  const reason = `the name is taken: the Job "b" (${second.id}) of this program keeps it in this run; choose another name, or rename the other one in an earlier run`;
  expect(run.warnings.join("\n")).toContain(reason);
  await expect(run.update(first, named("b"), "first")).rejects.toThrow(reason);
});

test("a parent that is gone is an error of the preview already, with its name in the state", async () => {
  const { environment, server } = staging;
  await server.api("DELETE", `/environment/${environment.id}`);
  const message = `its parent, the Environment "staging" (${environment.id}), does not exist; run \`pulumi refresh\`, then \`pulumi up\``;
  for (const act of ["preview", "create"] as const) {
    const run = startRun();
    await run.diff(environment, environment.inputs, "environment");
    const made = act === "preview" ? run.preview(named("new")) : run.create(named("new"), "new");
    await expect(made).rejects.toThrow(message);
  }
});

test("a preview says that a name is taken, and `up` says what to do about a resource that the program has no more", async () => {
  const before = await pass();
  const gone = await before.create("Job", named("first"));
  const other = await before.create("Job", named("other"));
  const advice =
    'there is a Job "first" (ID) already; set `aliases` to its earlier name in the program, or `adopt: true` to adopt it, or choose another name';
  // An update takes nothing over.
  const renaming =
    'there is a Job "first" (ID) already; choose another name, or make this change in a later run if the program renames or removes the other one';
  const preview = startRun();
  await preview.preview(named("first"));
  await preview.diff(other, named("first"), "other");
  const said = 'the name is taken by the Job "first" (ID): unless this run replaces or renames it, ';
  expect(preview.warnings.map((text) => text.replaceAll(gone.id, "ID"))).toEqual([
    `${said}set \`aliases\` or \`adopt: true\`, or choose another name`,
    `${said}choose another name`,
  ]);
  const refusal = (attempt: Promise<unknown>) =>
    attempt.catch((error: Error) => error.message.replaceAll(gone.id, "ID"));
  expect(await refusal(startRun().create(named("first"), "new"))).toContain(advice);
  expect(await refusal(startRun().update(other, named("first"), "other"))).toBe(
    `the name is taken: ${renaming}`,
  );
  expect(await names()).toEqual(["first", "other"]);
});

test("a preview says that the name of a new project is taken, unless the whole stack is new", async () => {
  const { environment, server } = staging;
  await server.reconcile([{ kind: "Project", name: "taken" }]);
  const run = startRun();
  await run.preview({ name: "taken" }, "Project");
  expect(run.warnings).toEqual([]);
  await run.diff(environment, environment.inputs, "environment");
  await run.preview({ name: "taken" }, "Project");
  expect(run.warnings.join("\n")).toContain('the name is taken by the Project "taken"');
});

test("an exchange that needs replacements is reported where it is, also when the second one is asked about late", async () => {
  const before = await pass();
  const jobs = await Promise.all(["a", "b", "c"].map((name) => before.create("Job", named(name))));
  const [a, b, c] = jobs as [Entry, Entry, Entry];
  const other = { schedule: { onStart: {} } };
  const run = startRun();
  await run.diff(a, named("b", other), "a");
  await run.diff(c, named("c", other), "c");
  const removals = [run.remove(a, "a"), run.remove(c, "c")].map((each) =>
    each.catch((error: Error) => error.message),
  );
  const exchange = (name: string, what: string) =>
    `the Job "${name}" cannot ${what}: resources of this program exchange a name, a place or another value that only one can have; give one of them a third one, run \`pulumi up\`, and then make this change`;
  await expect(run.diff(b, named("a", other), "b")).rejects.toThrow(exchange("b", 'get the name "a"'));
  expect(await Promise.all(removals)).toEqual([
    exchange("b", "be replaced"),
    `it stays, because this run cannot replace another resource: ${exchange("b", "be replaced")}`,
  ]);
  expect(await names()).toEqual(["a", "b", "c"]);
});

test("a resource that waits for a name learns that the name is exchanged", async () => {
  const before = await pass();
  const [a, b] = [await before.create("Job", named("a")), await before.create("Job", named("b"))];
  const run = startRun();
  await run.diff(a, named("b"), "a");
  const update = run.update(a, named("b"), "a").catch((error: Error) => error.message);
  await expect(run.diff(b, named("a"), "b")).rejects.toThrow("exchange a name");
  expect(await update).toContain('the name "b" does not become free: resources of this program exchange');
  expect(await names()).toEqual(["a", "b"]);
});

test("a job that leaves an environment which the same run replaces is refused, whichever of the two is asked about first", async () => {
  const before = await pass();
  const { environment } = staging;
  const other = await before.create("Environment", { ...environment.inputs, name: "other" });
  const job = await before.create("Job", nightly());
  const elsewhere = { ...environment.inputs, cluster: "us-east" };
  const inOther = { ...nightly(), environment: other.id };
  const advice =
    "Pulumi cannot do both in one run; run `pulumi up` with the move alone, and then make the other change";
  const environmentFirst = startRun();
  await environmentFirst.diff(environment, elsewhere, "environment");
  // The engine asks so about what depends on a resource that it replaces, before it asks about it with its new inputs.
  await environmentFirst.diff(job, { ...nightly(), environment: unknownValue }, "job");
  const { failures } = await environmentFirst.check("Job", inOther, "job");
  expect(failures).toEqual([{ property: "environment", reason: expect.stringContaining(advice) }]);
  const jobFirst = startRun();
  await jobFirst.diff(job, inOther, "job");
  await expect(jobFirst.diff(environment, elsewhere, "environment")).rejects.toThrow(advice);
  const stays = await before.create("Job", named("stays"));
  const without = startRun();
  await without.diff(environment, elsewhere, "environment");
  for (const each of [job, stays])
    await without.diff(each, { ...each.inputs, environment: unknownValue }, each.id);
  const removals = [job, stays].map((each) => without.drop(each, each.id).catch(String));
  await without.check("Job", inOther, job.id);
  for (const each of await Promise.all(removals)) expect(each).toContain(advice);
  expect(await names()).toEqual(["nightly", "stays"]);
  await before.remove(stays);
  const together = startRun();
  await together.diff(environment, elsewhere, "environment");
  await together.diff(job, { ...nightly(), environment: unknownValue }, "job");
  await together.remove(job, "job");
  await together.drop(environment, "environment");
  const { id } = await together.make("Environment", elsewhere, "environment");
  expect(await together.check("Job", { ...nightly(), environment: id }, "job")).toMatchObject({
    failures: [],
  });
  // The job has not left: another environment can be replaced after its own.
  const inside = await before.create("Job", { ...named("inside"), environment: other.id });
  await together.diff(other, { ...elsewhere, name: "other" }, "other");
  await together.diff(inside, { ...inside.inputs, environment: unknownValue }, "inside");
  await together.drop(inside, "inside");
});

/** The inputs of an application with custom domains. */
const having = (name: string, ...domains: string[]): Properties => ({
  ...staging.api(),
  name,
  customDomains: Object.fromEntries(domains.map((domain) => [domain, {}])),
});

async function domainsOf({ id }: Entry): Promise<unknown[]> {
  return (await staging.server.results(`/application/${id}/customDomain`)).map(({ domain }) => domain);
}

test("a service gets a domain that another one gives up in the same run, also when that one is asked about late", async () => {
  const before = await pass();
  const one = await before.create("Application", having("one", "a.example.com"));
  const other = await before.create("Application", having("other", "b.example.com"));
  const run = startRun();
  await run.diff(one, having("one", "b.example.com"), "one");
  const update = run.update(one, having("one", "b.example.com"), "one");
  await run.diff(other, having("other", "c.example.com"), "other");
  const updating = run.update(other, having("other", "c.example.com"), "other");
  const [, { outs }] = await Promise.all([update, updating]);
  expect([await domainsOf(one), await domainsOf(other)]).toEqual([["b.example.com"], ["c.example.com"]]);
  const next = startRun();
  const changed = { ...other, outputs: outs };
  await next.diff(changed, having("other"), "other");
  const creation = next.make("Application", having("third", "c.example.com"), "third");
  const [third] = await Promise.all([creation, next.update(changed, having("other"), "other")]);
  expect(await domainsOf({ ...one, id: third.id })).toEqual(["c.example.com"]);
});

test("a service that cannot get a domain keeps the one that it has, and the message names the domain", async () => {
  const before = await pass();
  const one = await before.create("Application", having("one", "a.example.com"));
  await before.create("Application", having("other", "b.example.com"));
  const run = startRun();
  await run.diff(one, having("one", "b.example.com"), "one");
  const refusal = await run.update(one, having("one", "b.example.com"), "one").catch(String);
  expect(refusal).toContain(
    'the custom domain b.example.com belongs to the Application "other", which must release it first; run `pulumi up` again to continue, or if the program no longer has the resource that has this value, run `pulumi up` without the value first',
  );
  expect(refusal).not.toMatch(/POST|[0-9a-f]{8}-/);
  expect(await domainsOf(one)).toEqual(["a.example.com"]);
});

const withoutIt =
  "; if the program no longer has the resource that has this value, run `pulumi up` without the value first, which deletes that resource";

test("a preview names the service that has a domain, unless that one gives it up in the same run", async () => {
  const before = await pass();
  const prod = await before.create("Environment", { ...staging.environment.inputs, name: "prod" });
  const held = having("other", "b.example.com");
  const other = await before.create("Application", { ...held, environment: prod.id });
  const one = await before.create("Application", having("one", "a.example.com"));
  const preview = startRun();
  await preview.diff(one, having("one", "b.example.com"), "one");
  expect(preview.warnings).toEqual([
    `the Application "one": the custom domain b.example.com leads to Application shop/prod/other${withoutIt}`,
  ]);
  const free = startRun();
  await free.diff(other, { ...other.inputs, customDomains: {} }, "other");
  await free.diff(one, having("one", "b.example.com"), "one");
  expect(free.warnings).toEqual([]);
});

test("a replacement keeps what it replaces if another service has a domain that it gets", async () => {
  const before = await pass();
  const one = await before.create("Application", having("one", "a.example.com"));
  await before.create("Application", having("other", "b.example.com"));
  const prod = await before.create("Environment", { ...staging.environment.inputs, name: "prod" });
  const elsewhere = { ...having("one", "b.example.com"), environment: prod.id };
  const run = startRun();
  const { replaces } = await run.diff(one, elsewhere, "one");
  expect(replaces).not.toEqual([]);
  const refusal =
    'the Application "one" cannot be replaced: customDomains.b.example.com: the custom domain b.example.com leads to Application shop/staging/other; remove it there first';
  await expect(run.drop(one, "one")).rejects.toThrow(refusal);
  expect(await domainsOf(one)).toEqual(["a.example.com"]);
  const far = await before.create("Project", { name: "far" });
  const there = await before.create("Environment", { ...staging.environment.inputs, project: far.id });
  await before.create("Application", { ...having("afar", "c.example.com"), environment: there.id });
  const next = startRun();
  const inProd = { ...having("one", "a.example.com", "c.example.com"), environment: prod.id };
  await next.diff(one, inProd, "one");
  const farRefusal = "the custom domain c.example.com leads to Application far/staging/afar; remove it";
  await expect(next.preview(inProd, "Application", false)).rejects.toThrow(farRefusal);
  await expect(next.drop(one, "one")).rejects.toThrow(farRefusal);
  expect(await domainsOf(one)).toEqual(["a.example.com"]);
});

test("a service that gets the name of another one, which gets a domain of it, is refused in the preview", async () => {
  const before = await pass();
  const one = await before.create("Application", having("one"));
  const other = await before.create("Application", having("other", "a.example.com"));
  for (const isFirst of [true, false]) {
    const run = startRun();
    const first = () => run.diff(one, having("third", "a.example.com"), "one");
    const second = () => run.diff(other, having("one"), "other");
    await (isFirst ? first() : second());
    await expect(isFirst ? second() : first()).rejects.toThrow(
      "exchange a name, a place or another value that only one can have",
    );
  }
  expect(await staging.server.writes()).toHaveLength(5);
});

test("two resources of one name in a new parent are refused before the parent is made", async () => {
  const run = startRun();
  const { inputs } = staging.environment;
  await run.check("Environment", { ...inputs, name: "new" }, "new");
  const inNew = { ...nightly(), environment: unknownValue };
  expect(await run.check("Job", inNew, "one")).toMatchObject({ failures: [] });
  expect(await run.check("Job", inNew, "one")).toMatchObject({ failures: [] });
  const twice = expect.stringContaining("another resource of this program is a Job with the name");
  expect(await run.check("Job", inNew, "two")).toMatchObject({ failures: [{ reason: twice }] });
  // The parent may be either of two.
  await run.check("Environment", { ...inputs, name: "newer" }, "newer");
  expect(await run.check("Job", inNew, "three")).toMatchObject({ failures: [] });
});

test("a job that stays on the server forbids the replacement of its environment in the preview", async () => {
  const job = await (await pass()).create("Job", nightly());
  const run = startRun();
  await run.diff(staging.environment, { ...staging.environment.inputs, cluster: "us-east" }, "environment");
  const kept = { ...nightly(), environment: unknownValue, [retainedProperty]: true };
  await expect(run.diff(job, kept, "job")).rejects.toThrow(
    'the Job "nightly" stays because of its option `retainOnDelete: true`, and this run replaces its Environment; move it or delete it first',
  );
});

test("a name that differs only in case stays, and the preview says so", async () => {
  const job = await (await pass()).create("Job", nightly());
  const run = startRun();
  expect(await run.diff(job, named("Nightly"), "job")).toMatchObject({ changes: false });
  expect(run.warnings).toEqual([
    'the Job keeps the name "nightly": "Nightly" differs only in case, and is the same name',
  ]);
});

test("services that exchange their domains keep them, when the second one is asked about late", async () => {
  const before = await pass();
  const one = await before.create("Application", having("one", "a.example.com"));
  const other = await before.create("Application", having("other", "b.example.com"));
  const run = startRun();
  await run.diff(one, having("one", "b.example.com"), "one");
  const update = run.update(one, having("one", "b.example.com"), "one").catch(String);
  await expect(run.diff(other, having("other", "a.example.com"), "other")).rejects.toThrow("exchange");
  expect(await update).toContain("exchange");
  expect([await domainsOf(one), await domainsOf(other)]).toEqual([["a.example.com"], ["b.example.com"]]);
});

test("a service that is replaced, alone or with its environment, is no other holder of its domain, and its environment no second one of that name", async () => {
  const before = await pass();
  const { environment } = staging;
  const prod = await before.create("Environment", { ...environment.inputs, name: "prod" });
  const one = await before.create("Application", having("one", "a.example.com"));
  const inNew = { ...one.inputs, environment: unknownValue };
  for (const isForced of [false, true]) {
    const together = startRun();
    const elsewhere = { ...environment.inputs, cluster: "us-east" };
    // The engine does not ask about a resource that the user replaces.
    if (!isForced) await together.diff(environment, elsewhere, "environment");
    await together.check("Environment", elsewhere, "environment");
    await together.diff(one, inNew, "one");
    await together.check("Application", inNew, "one");
    await together.preview(inNew, "Application");
    expect(together.warnings).toEqual([]);
  }
  const alone = startRun();
  const inProd = { ...one.inputs, environment: prod.id };
  await alone.diff(one, inProd, "one");
  await alone.check("Application", inProd, "one");
  await alone.preview(inProd, "Application");
  expect(alone.warnings).toEqual([]);
});

test("a domain that another service gives up in the same run is free, beside one that stays taken", async () => {
  const before = await pass();
  const other = await before.create("Application", having("other", "b.example.com"));
  await before.create("Application", having("third", "c.example.com"));
  const run = startRun();
  await run.diff(other, having("other"), "other");
  await run.preview(having("one", "b.example.com"), "Application");
  expect(run.warnings).toEqual([]);
  await run.preview(having("one", "b.example.com", "c.example.com"), "Application");
  expect(run.warnings).toEqual([
    `the Application "one": the custom domain c.example.com leads to Application shop/staging/third${withoutIt}`,
  ]);
});

test("an environment with a job that the program does not know is not replaced: the preview says so, and `up` deletes nothing before", async () => {
  const before = await pass();
  const { environment } = staging;
  const own = await before.create("Job", named("own"));
  await before.create("Job", named("foreign"));
  const elsewhere = { ...environment.inputs, cluster: "us-east" };
  const inNew = { ...own.inputs, environment: unknownValue };
  const refusal = "it contains 1 resource that would be deleted with it: foreign";
  const begin = async (inputs: Properties) => {
    const run = startRun();
    await run.diff(environment, inputs, "environment");
    await run.diff(own, inNew, "own");
    await run.check("Environment", inputs, "environment");
    return run;
  };
  await staging.server.forgetRequests();
  const preview = await begin(elsewhere);
  await expect(preview.preview(elsewhere, "Environment")).rejects.toThrow(refusal);
  // A dynamic provider gets the inputs before the engine asks about the dependants, and then those of each dependant.
  const dynamic = await begin(elsewhere);
  await dynamic.preview(elsewhere, "Environment", false);
  await expect(dynamic.preview(inNew, "Job", false)).rejects.toThrow(refusal);
  const up = await begin(elsewhere);
  await expect(up.drop(own, "own")).rejects.toThrow(refusal);
  expect(await staging.server.writes()).toEqual([]);
  const agreed = await begin({ ...elsewhere, deleteContents: true });
  await agreed.preview({ ...elsewhere, deleteContents: true }, "Environment");
  await agreed.drop(own, "own");
  expect(await names()).toEqual(["foreign"]);
});

test("a database with a backup that the program does not know keeps the job that is replaced with it", async () => {
  const before = await pass();
  const { environment } = staging;
  const own = await before.create("Job", named("own"));
  const type = { type: "POSTGRESQL", version: "16", mode: "CONTAINER" };
  const orders = await before.create("Database", { environment: environment.id, name: "orders", ...type });
  await before.create("Backup", { database: orders.id, name: "before" });
  const run = startRun();
  await run.diff(environment, { ...environment.inputs, cluster: "us-east" }, "environment");
  for (const each of [own, orders])
    await run.diff(each, { ...each.inputs, environment: unknownValue }, each.id);
  await expect(run.drop(own, own.id)).rejects.toThrow("which cannot be restored");
  expect(await names()).toEqual(["orders", "own"]);
});

test("a replacement that refers to a missing sibling deletes nothing", async () => {
  const job = await (await pass()).create("Job", nightly());
  const missing: [Properties, string][] = [
    [{ variables: { H: { from: "database:none", output: "host_internal" } } }, 'there is no Database "none"'],
    [{ deploymentStage: "none" }, 'there is no DeploymentStage "none"'],
  ];
  for (const [more, refusal] of missing) {
    const run = startRun();
    const news = { ...nightly(), schedule: { onStart: {} }, ...more };
    await run.diff(job, news, "job").catch(String);
    await expect(run.preview(news, "Job", false)).rejects.toThrow(refusal);
    await expect(run.drop(job, "job")).rejects.toThrow(`the Job "nightly" cannot be replaced: `);
    expect(await names()).toEqual(["nightly"]);
  }
  const run = startRun();
  await run.check("DeploymentStage", { environment: staging.environment.id, name: "late" }, "stage");
  const late = { ...nightly(), schedule: { onStart: {} }, deploymentStage: "late" };
  await run.diff(job, late, "job");
  await run.preview(late, "Job");
});

test("a preview that cannot find out who has a new domain says so", async () => {
  const before = await pass();
  const application = (name: string, domain?: string) => ({
    environment: staging.environment.id,
    name,
    gitRepository: { url: "https://github.com/acme/api" },
    ports: [{ internalPort: 80, publiclyAccessible: true }],
    ...(domain && { customDomains: { [domain]: {} } }),
  });
  await before.create("Application", application("one"));
  const run = startRun();
  await run.preview(application("new", "a.example.com"), "Application");
  expect(run.warnings).toEqual([]);
  for (let index = 0; index < 55; index += 1) await before.create("Application", application(`s${index}`));
  const next = startRun();
  await next.preview(application("new", "a.example.com"), "Application");
  expect(next.warnings.join("\n")).toContain(
    "whether another resource has the custom domain a.example.com is unknown: the preview reads at most 50 lists for it",
  );
});

test("a preview looks up the resource that a program adopts or clones by its id", async () => {
  const { environment } = staging;
  const before = await pass();
  const job = await before.create("Job", named("there"));
  const other = await before.create("Environment", { ...environment.inputs, name: "other" });
  const preview = (more: Properties) => startRun().preview(named("new", more));
  await preview({ adoptId: job.id });
  await preview({ cloneFrom: job.id });
  await preview({ adoptId: unknownValue });
  await preview({ cloneFrom: unknownValue });
  await expect(preview({ adoptId: environment.id })).rejects.toThrow(
    `there is no Job with the id ${environment.id}; correct adoptId, or leave it out`,
  );
  await expect(preview({ cloneFrom: environment.id })).rejects.toThrow(
    `there is no Job with the id ${environment.id} to clone; correct cloneFrom`,
  );
  await expect(preview({ adoptId: job.id, environment: other.id })).rejects.toThrow(
    `the Job ${job.id} is in another Environment (${environment.id})`,
  );
  await expect(preview({ cloneFrom: job.id, schedule: { onStart: {} } })).rejects.toThrow(
    "a clone cannot differ from its source",
  );
});

test("a resource that the user replaces is not deleted if the new one cannot be made", async () => {
  const job = await (await pass()).create("Job", nightly());
  const run = startRun();
  const news = { ...nightly(), deploymentStage: "none" };
  // The engine asks about no change.
  await run.check("Job", news, "job");
  await expect(run.drop(job, "job")).rejects.toThrow('there is no DeploymentStage "none"');
  expect(await names()).toEqual(["nightly"]);
  const next = startRun();
  await next.check("Job", nightly(), "job");
  await next.drop(job, "job");
  await next.create(nightly(), "job");
  expect(await names()).toEqual(["nightly"]);
});

test("an environment that the user replaces keeps what the program has in it if it contains something else", async () => {
  const { environment } = staging;
  const before = await pass();
  const own = await before.create("Job", named("own"));
  await before.create("Job", named("foreign"));
  const begin = async (inputs: Properties) => {
    const run = startRun();
    await run.check("Environment", inputs, "environment");
    await run.diff(own, { ...own.inputs, environment: unknownValue }, "own");
    return run;
  };
  await expect((await begin(environment.inputs)).drop(own, "own")).rejects.toThrow(
    "it contains 1 resource that would be deleted with it: foreign",
  );
  expect(await names()).toEqual(["foreign", "own"]);
  await (await begin({ ...environment.inputs, deleteContents: true })).drop(own, "own");
  expect(await names()).toEqual(["foreign"]);
});

test("a job may leave an environment that stays for a new one of the same name in a new project", async () => {
  const before = await pass();
  const [job] = await Promise.all(["moves", "stays"].map((name) => before.create("Job", named(name))));
  if (!job) throw new Error("there is no job");
  const run = startRun();
  const { inputs } = staging.environment;
  await run.diff(staging.environment, inputs, "staging");
  await run.check("Environment", { ...inputs, project: unknownValue }, "other");
  const moved = named("moves", { environment: unknownValue });
  await run.diff(job, moved, "moves");
  await run.preview(moved);
  expect(run.warnings).toEqual([]);
});

test("a job in a replaced environment that is gone is previewed, also with the stage that a new one has", async () => {
  const job = await (await pass()).create("Job", nightly());
  await staging.server.api("DELETE", `/environment/${staging.environment.id}`);
  const run = startRun();
  await run.diff(staging.environment, { ...staging.environment.inputs, cluster: "us-east" }, "staging");
  const again = { ...nightly(), environment: unknownValue, deploymentStage: "DEFAULT" };
  await run.diff(job, again, "job");
  await run.preview(again);
  expect(run.warnings).toEqual([]);
});
