import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Entry, Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const staging = useStaging();
const { nightly } = staging;
const minute = 60_000;

test("a second refresh reads no variables again but those that somebody has changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-parts-"));
  // What was read is written down a moment later, perhaps while the folder is removed.
  onTestFinished(() => removeFolder(folder));
  const { server, environment } = staging;
  const pass = () => Pass.start(server.emulator, {}, server.clock, folder);
  const making = await pass();
  const jobs = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      making.create("Job", {
        ...nightly(),
        name: `j${index}`,
        variables: { NAME: `value ${index}`, LEVEL: { value: "info", description: "how much" } },
        secrets: { TOKEN: { value: "hidden", version: "1" } },
        advancedSettings: { "build.timeout_max_sec": 1200 },
      }),
    ),
  );
  await server.advance(minute);
  // The engine refreshes what is above too, in any order.
  const project: Entry = {
    ...environment,
    kind: "Project",
    id: String(environment.outputs["project"]),
    outputs: { name: "shop", organization: server.organization.id },
  };
  const refresh = async () => {
    await server.forgetRequests();
    const refreshing = await pass();
    const found = await Promise.all(
      [project, environment, ...jobs].map((entry) => refreshing.refresh(entry)),
    );
    await refreshing.session.end();
    return { jobs: found.slice(2), requests: (await server.seen()).length };
  };
  const first = await refresh();
  const second = await refresh();
  expect(second.jobs).toEqual(first.jobs);
  // The project, the environments, the services, and how the server divides lists; and the events.
  expect([first.requests, second.requests]).toEqual([3 + 1 + 40, 4]);

  const variables = await server.results(`/variable?parent_id=${jobs[7]?.id}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "NAME");
  await server.api("PUT", `/variable/${String(variable?.["id"])}`, {
    key: variable?.["key"],
    value: "manually",
  });
  await server.advance(minute);
  const third = await refresh();
  expect(third.jobs[7]?.outputs["variables"]).not.toEqual(second.jobs[7]?.outputs["variables"]);
  expect(JSON.stringify(third.jobs)).toContain("manually");
  expect(third.requests).toBe(4 + 2);

  // A state with other values than those that were read is answered by the server.
  const [job] = jobs;
  if (!job) throw new Error("there is no job");
  const other = {
    ...job,
    outputs: { ...job.outputs, variables: { NAME: { value: "of another run" }, LEVEL: { value: "x" } } },
  };
  await server.forgetRequests();
  const alone = await (await pass()).refresh(other);
  expect(alone?.outputs["variables"]).toMatchObject({ NAME: { value: "value 0" } });
});

test("a damaged cache is reported once, set aside and read again", async () => {
  const folder = temporaryFolder("parts");
  const { server, environment } = staging;
  const making = await Pass.start(server.emulator, {}, server.clock, folder);
  const job = await making.create("Job", { ...nightly(), name: "j", variables: { NAME: "value" } });
  const project: Entry = {
    ...environment,
    kind: "Project",
    id: String(environment.outputs["project"]),
    outputs: { name: "shop", organization: server.organization.id },
  };
  const read = async () => {
    await server.advance(minute);
    const told = vi.spyOn(console, "error").mockReturnValue(undefined);
    const pass = await Pass.start(server.emulator, {}, server.clock, folder);
    await Promise.all([project, environment, job].map((entry) => pass.refresh(entry)));
    await pass.session.end();
    const said = told.mock.calls.map(([message]) => String(message));
    told.mockRestore();
    return said;
  };
  expect(await read()).toEqual([]);
  const parts = join(folder, "parts");
  const files = (await readdir(parts)).filter((name) => name.startsWith("parts-"));
  for (const name of files) await writeFile(join(parts, name), "{broken");
  const said = await read();
  expect(said.toSorted()).toEqual(
    files.map((name) => expect.stringContaining(`${join(parts, name)} is damaged`)).toSorted(),
  );
  expect(files).toHaveLength(1);
  expect(await read()).toEqual([]);
});

test("on a machine on which each step takes a second, a second refresh reads no variables again", async () => {
  const folder = temporaryFolder("parts");
  const { server, environment } = staging;
  const project = { ...environment, kind: "Project", id: String(environment.outputs["project"]) };
  const above = [
    { ...project, outputs: { name: "shop", organization: server.organization.id } },
    environment,
  ];
  const slowly = async <Result>(work: Promise<Result>) => {
    const result = await work;
    await server.advance(1_000);
    return result;
  };
  const making = await Pass.start(server.emulator, {}, server.clock, folder);
  for (const entry of above) await slowly(making.refresh(entry));
  const jobs: Entry[] = [];
  for (let index = 0; index < 20; index += 1)
    jobs.push(
      await slowly(
        making.create("Job", { ...nightly(), name: `j${index}`, variables: { NAME: { value: `${index}` } } }),
      ),
    );
  await making.session.end();
  await server.advance(minute);
  const refresh = async () => {
    const refreshing = await Pass.start(server.emulator, {}, server.clock, folder);
    await server.forgetRequests();
    for (const entry of [...above, ...jobs]) await slowly(refreshing.refresh(entry));
    await refreshing.session.end();
    return (await server.seen()).length;
  };
  // The project, the environments, the services and the events; once what each job has, as its environment was just made.
  expect([await refresh(), await refresh()]).toEqual([4 + 20, 4]);
});

test.each([
  ["reads no variables that the up has written", 0],
  ["that was ended during a write reads them all", 1],
])("a refresh right after an up %s", async (_what, working) => {
  const folder = temporaryFolder("parts");
  const { server, environment } = staging;
  const pass = () => Pass.start(server.emulator, {}, server.clock, folder);
  const project = { ...environment, kind: "Project", id: String(environment.outputs["project"]) };
  // Another run has made the environment: its events come late.
  await server.advance(minute);
  const making = await pass();
  const organization = server.organization.id;
  const above = [{ ...project, outputs: { name: "shop", organization } }, environment];
  await Promise.all(above.map((entry) => making.refresh(entry)));
  const jobs = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      making.create("Job", {
        ...nightly(),
        name: `told-${working}-${index}`,
        variables: { NAME: `value ${index}` },
      }),
    ),
  );
  making.session.working = working;
  await making.session.end();
  await server.forgetRequests();
  const refreshing = await pass();
  const found = await Promise.all([...above, ...jobs].map((entry) => refreshing.refresh(entry)));
  expect(found.slice(2).map((entry) => entry?.outputs["variables"])).toEqual(
    jobs.map(({ outputs }) => outputs["variables"]),
  );
  const seen = await server.seen();
  expect(seen.filter(({ path }) => path === "/variable")).toHaveLength(working * jobs.length);
});

test("after a change of fields alone, a refresh reads no variables again, and the next look reads one page of known events", async () => {
  const folder = temporaryFolder("parts");
  const { server, environment } = staging;
  const pass = () => Pass.start(server.emulator, {}, server.clock, folder);
  const organization = server.organization.id;
  const id = String(environment.outputs["project"]);
  const inputs = { name: "shop" };
  const project: Entry = {
    kind: "Project",
    id,
    inputs,
    outputs: { ...inputs, organization },
    initErrors: [],
  };
  const declared = (index: number) => ({
    ...nightly(),
    name: `f${index}`,
    variables: Object.fromEntries(Array.from({ length: 12 }, (_unused, key) => [`KEY_${key}`, `${index}`])),
  });
  await server.advance(20 * minute);
  const making = await pass();
  for (const entry of [project, environment]) await making.refresh(entry);
  const jobs = await Promise.all(
    Array.from({ length: 30 }, (_unused, index) => making.create("Job", declared(index))),
  );
  await making.session.end();
  await server.advance(minute);
  const refresh = async (entries: readonly Entry[]) => {
    await server.forgetRequests();
    const refreshing = await pass();
    await Promise.all([project, environment, ...entries].map((entry) => refreshing.refresh(entry)));
    await refreshing.session.end();
    const paths = (await server.seen()).map(({ path }) => path);
    const events = paths.filter((path) => path.endsWith("/events")).length;
    return { events, lists: paths.filter((path) => path === "/variable").length };
  };
  // Each of the jobs and of their variables has an event.
  expect(await refresh(jobs)).toEqual({ events: 4, lists: 0 });
  expect(await refresh(jobs)).toEqual({ events: 1, lists: 0 });

  const changing = await pass();
  await changing.up(project, inputs);
  const changed = await Promise.all(
    jobs.map((job, index) => changing.update(job, { ...declared(index), cpu: 750 })),
  );
  await changing.session.end();
  expect((await refresh(changed)).lists).toBe(0);
  await server.advance(minute);
  // A list that somebody has changed is read, and a second request proves it whole.
  const variables = await server.results(`/variable?parent_id=${jobs[3]?.id}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "KEY_3");
  await server.api("PUT", `/variable/${String(variable?.["id"])}`, { key: "KEY_3", value: "manually" });
  await server.advance(minute);
  expect((await refresh(changed)).lists).toBe(2);
});
