import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture } from "../fixture.ts";

const fixture = useFixture();

const out = () => join(fixture.folder, "kubeconfig");
const get = (cluster: string, ...more: string[]) =>
  fixture.run(["get", "kubeconfig", cluster, "--out", out(), ...more]);
const at = "/organization/{id}/cluster/{id}/kubeconfig";
const canary = "c4n4ry-t0ken";

test("goes to a file that only its owner reads, and to no output", async () => {
  await fixture.write("kubeconfig", "");
  await chmod(out(), 0o644);
  await fixture.takeRequests();
  const ran = await get("EU-West", "--log-level", "debug");
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toBe("The kubeconfig of EU-West is in kubeconfig, which only you can read.\n");
  expect(await fixture.takeRequests()).toEqual([
    "GET /organization",
    "GET /organization/{id}/cluster",
    `GET ${at}`,
  ]);
  const text = await readFile(out(), "utf8");
  expect(text).toMatch(/^apiVersion: v1\nkind: Config\n/);
  expect((await stat(out())).mode & 0o777).toBe(0o600);
  const [, token = "none"] = /token: (\S+)/.exec(text) ?? [];
  expect(ran.stdout + ran.stderr).not.toContain(token);
});

test("by address and by id, with JSON that names the file", async () => {
  const ran = await get("cluster:eu-west", "-o", "json");
  expect(documentOf(ran)).toMatchObject({ ok: true, format: "infrasync-documents", files: ["kubeconfig"] });
  const [cluster] = fixture.emulator.clusters;
  const other = join(fixture.folder, "other");
  await fixture.takeRequests();
  const byId = await fixture.run(["get", "kubeconfig", cluster?.id ?? "", "--out", other]);
  expect(byId.code, byId.stderr).toBe(0);
  expect(await fixture.takeRequests()).toEqual(["GET /organization", `GET ${at}`]);
});

test.each([
  ["a folder that does not exist", "missing/file", async () => undefined, "cannot be written (ENOENT)"],
  ["a folder", "folder", () => mkdir(join(fixture.folder, "folder")), "cannot be written (EISDIR)"],
  [
    "a link",
    "link",
    () => symlink(join(fixture.folder, "elsewhere"), join(fixture.folder, "link")),
    "cannot be written (it is a link)",
  ],
  ["a file with content", "full", () => fixture.write("full", "clusters: []\n"), "has content already"],
])("%s is refused before any request", async (_name, file, prepare, says) => {
  await prepare();
  await fixture.takeRequests();
  const ran = await fixture.run(["get", "kubeconfig", "eu-west", "--out", join(fixture.folder, file)]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(says);
  expect(await fixture.requests()).toEqual([]);
  if (file === "full") expect(await readFile(join(fixture.folder, file), "utf8")).toBe("clusters: []\n");
});

test.each([
  [
    ["kubeconfig", "eu-west"],
    "a kubeconfig is a secret, so it is written to a file and never printed\n  name a file for it with --out",
  ],
  [
    ["kubeconfig", "eu-west", "--out", "-"],
    "a kubeconfig is a secret, so it is written to a file and never printed",
  ],
  [["kubeconfig"], "infrasync get kubeconfig needs a cluster"],
  [["shop/staging", "eu-west"], "only infrasync get kubeconfig takes a second argument and --out"],
  [["clusters", "--out", "file"], "only infrasync get kubeconfig takes a second argument and --out"],
])("get %s is refused before any request", async (args, says) => {
  await fixture.takeRequests();
  const ran = await fixture.run(["get", ...args]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(says);
  expect(await fixture.requests()).toEqual([]);
});

const answers = (status: number, body: unknown) =>
  fixture.fault({ path: "/organization/*/cluster/*/kubeconfig", status, body });

test.each([
  [403, { message: "no" }, `403 on GET ${at}: the token may not do this`, "use one whose scope"],
  [404, { message: "no" }, `404 on GET ${at}: the cluster eu-west has no kubeconfig`, "once it is deployed"],
  [200, { token: canary }, "it is not a kubeconfig", "check that the base URL is the API's"],
])("an answer of %i without a kubeconfig leaves no file", async (status, body, says, advises) => {
  await answers(status, body);
  const ran = await get("eu-west");
  expect(ran.code).not.toBe(0);
  expect(steady(ran.stderr)).toContain(says);
  expect(ran.stderr).toContain(advises);
  expect(ran.stdout + ran.stderr).not.toContain(canary);
  expect(existsSync(out())).toBe(false);
});

test("a token that may only read is refused, and a cluster that does not exist has advice", async () => {
  const refused = await fixture.run(["get", "kubeconfig", "eu-west", "--out", out()], {
    env: { INFRASYNC_TOKEN: fixture.emulator.tokens.read },
  });
  expect(refused.stderr).toContain("the token may not do this");
  const absent = await get("eu-wset");
  expect(absent.code).toBe(3);
  expect(absent.stderr).toContain(
    'there is no cluster "eu-wset"\n  did you mean eu-west? the organization has: eu-west, us-east',
  );
});
