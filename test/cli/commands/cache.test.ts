import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shop } from "../../fixtures/manifests.ts";
import { documentOf } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const job = (name: string) =>
  `---
kind: Job
environment: shop/staging
name: ${name}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *" } }
variables: { NAME: very-own-${name} }
secrets: { TOKEN: { from_env: TOKEN } }
`;

/** Runs a command that keeps what it reads in a folder of the test. */
const run = (args: string[], env: Record<string, string> = {}) =>
  fixture.run(args, {
    env: { ...fixture.env, TOKEN: "quite-secret", XDG_CACHE_HOME: join(fixture.folder, "caches"), ...env },
  });

/** Applies from another machine, so that this one remembers nothing. */
async function begin(): Promise<void> {
  await fixture.write("all.yaml", shop + job("a") + job("b"));
  const elsewhere = { XDG_CACHE_HOME: join(fixture.folder, "elsewhere") };
  expect((await run(["apply", fixture.folder, "--yes"], elsewhere)).code).toBe(0);
  await settle();
}

/** Lets the changes settle that the events name. */
async function settle(): Promise<void> {
  await fetch(`${fixture.emulator.url}/_emulator/clock`, {
    method: "POST",
    headers: { "x-emulator-control": "1", "content-type": "application/json" },
    body: JSON.stringify({ advance_ms: 60_000 }),
  });
}

async function planned(...flags: string[]): Promise<{ lists: number; stdout: string }> {
  await fixture.takeRequests();
  const { code, stdout } = await run(["plan", fixture.folder, ...flags]);
  expect(code).toBe(0);
  const lists = (await fixture.takeRequests()).filter((request) => request.startsWith("GET /variable"));
  return { lists: lists.length, stdout };
}

test("a second plan remembers the variables, says so, and reads them again with --fresh or an age of a second", async () => {
  await begin();
  expect((await planned()).lists).toBe(2);
  const second = await planned();
  expect(second.lists).toBe(0);
  expect(second.stdout).toContain(
    "Cached less than a minute ago: variables, secrets, domains and settings of 2 of 2 resources (use --fresh to read them again).\n",
  );
  const json = await run(["plan", fixture.folder, "--output", "json"]);
  expect(documentOf(json)).toMatchObject({ cached: { resources: 2, of: 2 } });
  expect((await planned("--fresh")).lists).toBe(2);
  await settle();
  await fixture.write("infrasync.config.yaml", "max_age: 1s\n");
  expect((await planned()).lists).toBe(2);
  await fixture.write("infrasync.config.yaml", "max_age: 2d\n");
  expect((await run(["plan", fixture.folder])).stderr).toContain("write 1d or less");
});

/** The files of the store: what is cached of the resources, and of the lists. */
async function textsIn(folder: string): Promise<{ file: string; text: string }[]> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  return await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, "utf8") })));
}

test("the store has names and no values, for its user alone, and doctor --clear-cache deletes it without a request", async () => {
  await begin();
  await planned();
  const folder = join(fixture.folder, "caches", "infrasync", "parts");
  const files = await textsIn(folder);
  expect(files.filter(({ text }) => text.includes('"NAME"'))).toHaveLength(1);
  for (const { file, text } of files) {
    expect(text).not.toMatch(/very-own|quite-secret/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await fixture.takeRequests();
  expect((await run(["doctor", "--clear-cache"])).stdout).toContain("cache  deleted 2 files in ");
  expect(await readdir(folder)).toEqual([]);
  expect((await run(["doctor", "--clear-cache"])).stdout).toBe(
    "ok       cache  there is nothing to delete\n",
  );
  expect(await fixture.takeRequests()).toEqual([]);
  expect((await planned()).lists).toBe(2);
});

test("a damaged store is refreshed, and a folder with other permissions is made private again", async () => {
  await begin();
  await planned();
  const folder = join(fixture.folder, "caches", "infrasync", "parts");
  for (const { file, text } of await textsIn(folder)) await writeFile(file, text.replace("NAME", "EMAN"));
  expect((await planned()).lists).toBe(2);
  await chmod(folder, 0o777);
  expect((await planned()).lists).toBe(0);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("a settings file can ask for less memory, and cannot say where it is", async () => {
  await begin();
  await planned();
  await fixture.write("infrasync.config.yaml", "max_age: 1s\n");
  await settle();
  expect((await planned()).lists).toBe(2);
  await fixture.write("infrasync.config.yaml", "cache: /tmp/elsewhere\n");
  const { code, stderr } = await run(["plan", fixture.folder]);
  expect(code).toBe(3);
  expect(stderr).toContain("cache");
});

test("a folder that cannot be the user's own is named, and the plan reads everything", async () => {
  await begin();
  const file = await fixture.write("file", "");
  await mkdir(join(fixture.folder, "own"));
  const { code, stderr } = await run(["plan", fixture.folder], { INFRASYNC_CACHE: file });
  expect(code).toBe(0);
  expect(stderr).toContain("it has to be a folder, no link, and yours alone");
  const link = join(fixture.folder, "link");
  await symlink(join(fixture.folder, "own"), link);
  expect((await run(["plan", fixture.folder], { INFRASYNC_CACHE: link })).stderr).toContain(
    "Nothing is cached in link",
  );
  expect(await readdir(link)).toEqual([]);
  await run(["plan", fixture.folder], { INFRASYNC_CACHE: join(fixture.folder, "own") });
  expect(await readdir(join(fixture.folder, "own", "parts"))).toHaveLength(2);
});

test("status and dump remember the variables too, unless a value is needed that only the server has", async () => {
  await begin();
  const silent = job("c").replace(/variables:.*\n/, "");
  const other = `---\nkind: Environment\nproject: shop\nname: other\nmode: STAGING\n${silent.replace("staging", "other")}`;
  await fixture.write("all.yaml", shop + job("a") + job("b") + silent + other);
  expect((await run(["apply", fixture.folder, "--yes", "--deploy"])).code).toBe(0);
  await settle();
  const lists = async (...args: string[]) => {
    await fixture.takeRequests();
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    const requests = (await fixture.takeRequests()).filter((request) => request.startsWith("GET /variable"));
    return { requests: requests.length, stdout };
  };
  const status = await lists("status");
  expect(status.requests).toBe(2);
  expect(await lists("status")).toMatchObject({ requests: 0 });
  const dump = await lists("dump");
  // The project and two jobs with values: that the third has none is known since it was created.
  expect(dump.requests).toBe(3);
  expect(await lists("dump")).toEqual({ requests: 2, stdout: dump.stdout });
  expect(await lists("dump", "--fresh")).toEqual({ requests: 7, stdout: dump.stdout });
});

test("destroy --yes and preview delete --yes read once what they delete, and the events once", async () => {
  await begin();
  await fixture.write("infrasync.reconcile.yaml", "previews: { from: shop/staging }\n");
  const preview = (what: string) =>
    run(["preview", what, "42", "--policy", fixture.folder, "--yes"], { TOKEN: "" });
  expect((await preview("create")).code).toBe(0);
  await settle();
  const reading = async (deleting: () => ReturnType<typeof run>) => {
    await fixture.takeRequests();
    expect((await deleting()).code).toBe(0);
    const requests = await fixture.takeRequests();
    return ["/events", "GET /variable"].map((part) => requests.filter((each) => each.includes(part)).length);
  };
  // The environment and its two jobs; and the project.
  expect(await reading(() => preview("delete"))).toEqual([1, 1 + 2]);
  expect(await reading(() => run(["destroy", fixture.folder, "--yes", "--max-deletes", "9,100%"]))).toEqual([
    1,
    1 + 1 + 2,
  ]);
});

test("a plan after a container was deleted reads the variables of its siblings, of which the server has deleted some with it", async () => {
  const container = (name: string, more = "") =>
    `---\nkind: Container\nenvironment: shop/staging\nname: ${name}\nregistry: docker-hub\nimage_name: acme/api\ntag: "1"\n${more}`;
  await fixture.write("all.yaml", shop + container("b"));
  const file = await fixture.write("a.yaml", container("a"));
  expect(await run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const services = await fixture.request("GET", `/organization/${fixture.emulator.organization.id}/services`);
  const { id = "" } =
    (services["results"] as Record<string, string>[]).find(({ name }) => name === "a") ?? {};
  const host = `QOVERY_CONTAINER_Z${id.slice(0, 8).toUpperCase()}_HOST_INTERNAL`;
  await fixture.write("all.yaml", shop + container("b", `variables: { HOST: { alias_of: ${host} } }\n`));
  expect(await run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  await settle();
  await planned();
  const destroyed = await run(["destroy", "container:shop/staging/a", fixture.folder, "--yes"]);
  expect(destroyed.stdout).toContain("also deletes: 1 variable (HOST of b)");
  await settle();
  await rm(file);
  const { code, stderr } = await run(["plan", fixture.folder]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining(`there is no variable ${host}`),
  });
});

test("a plan after a container has lost its public port reads the variables of its siblings, of which the server has deleted some with it", async () => {
  const port = (isPublic: boolean) =>
    `ports: [{ internal_port: 8080, external_port: 443, publicly_accessible: ${isPublic}, protocol: HTTP }]\n`;
  const container = (name: string, more: string) =>
    `---\nkind: Container\nenvironment: shop/staging\nname: ${name}\nregistry: docker-hub\nimage_name: acme/api\ntag: "1"\n${more}`;
  const user = container("b", "variables: { HOST: { from: container:a, output: host_external } }\n");
  await fixture.write("all.yaml", shop + container("a", port(true)) + user);
  expect(await run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  await settle();
  await planned();
  await fixture.write("all.yaml", shop + container("a", port(false)) + user);
  const changed = await run(["apply", fixture.folder, "--target", "container:shop/staging/a", "--yes"]);
  expect(changed).toMatchObject({ code: 0 });
  await settle();
  expect((await run(["plan", fixture.folder])).stdout).toContain("Plan: 1 to update");
});
