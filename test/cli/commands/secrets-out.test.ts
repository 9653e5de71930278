import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const ci = `kind: ApiToken
name: ci
role: Deploy
---
kind: ApiToken
name: nightly
role: Read
`;

const writes = async () => (await fixture.requests()).filter((request) => !request.startsWith("GET"));

test("the values of new tokens go to the file, which only its owner reads, and to no output", async () => {
  const manifest = await fixture.write("tokens.yaml", ci);
  const out = join(fixture.folder, "secrets.jsonl");
  await fixture.write("secrets.jsonl", '{"earlier":"line"}\n');
  await chmod(out, 0o644);
  const plan = join(fixture.folder, "plan.json");
  const planned = await fixture.run(["plan", manifest, "--out", plan]);
  const ran = await fixture.run([
    "apply",
    manifest,
    "--yes",
    "--secrets-out",
    out,
    "--output",
    "json",
    "--log-level",
    "debug",
  ]);
  expect(ran.code, ran.stderr).toBe(0);
  const lines = (await readFile(out, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(lines.map(({ address = "earlier" }) => address).toSorted()).toEqual([
    "apitoken:ci",
    "apitoken:nightly",
    "earlier",
  ]);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const again = await fixture.run(["plan", manifest, "--output", "json"]);
  const shown = await fixture.run(["get", "apitoken:ci"]);
  const everywhere = [planned, ran, again, shown].map(({ stdout, stderr }) => stdout + stderr).join("\n");
  for (const { token = "" } of lines.filter((line) => line["token"] !== undefined)) {
    expect(token.length).toBeGreaterThan(20);
    expect(everywhere + (await readFile(plan, "utf8"))).not.toContain(token);
    const answer = await fetch(`${fixture.emulator.url}/organization`, {
      headers: { authorization: `Token ${token}` },
    });
    expect(answer.status).toBe(200);
  }
});

test("without the file, nothing is written, with the address and the flag", async () => {
  const manifest = await fixture.write("tokens.yaml", ci);
  const ran = await fixture.run(["apply", manifest, "--yes"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(
    "error: apitoken:ci: the API shows its token only once, in the answer to its creation, and this run has no place for it\n  name a file for it with --secrets-out",
  );
  expect(await writes()).toEqual([]);
});

test.each([
  ["a folder that does not exist", "missing/secrets", async () => undefined, "ENOENT"],
  ["a folder", "folder", () => mkdir(join(fixture.folder, "folder")), "EISDIR"],
  [
    "a link",
    "link",
    () => symlink(join(fixture.folder, "elsewhere"), join(fixture.folder, "link")),
    "it is a link",
  ],
])("%s is refused before any request", async (_name, path, prepare, code) => {
  await prepare();
  const manifest = await fixture.write("tokens.yaml", ci);
  await fixture.takeRequests();
  const ran = await fixture.run(["apply", manifest, "--yes", "--secrets-out", join(fixture.folder, path)]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(`cannot be written (${code})`);
  expect(ran.stderr).toContain("name a file of your own, in a folder that exists");
  expect(await fixture.requests()).toEqual([]);
});

test("a saved plan writes there as well", async () => {
  const manifest = await fixture.write("tokens.yaml", ci);
  const [plan, out] = ["plan.json", "secrets.jsonl"].map((name) => join(fixture.folder, name));
  await fixture.run(["plan", manifest, "--out", plan ?? ""]);
  const refused = await fixture.run(["apply", "--plan", plan ?? "", "--yes"]);
  expect(refused.code).toBe(3);
  const ran = await fixture.run(["apply", "--plan", plan ?? "", "--yes", "--secrets-out", out ?? ""]);
  expect(ran.code, ran.stderr).toBe(0);
  expect((await readFile(out ?? "", "utf8")).trim().split("\n")).toHaveLength(2);
});

test("a token is deleted only by a run that knows which one it uses", async () => {
  const manifest = await fixture.write("tokens.yaml", ci);
  await fixture.run(["apply", manifest, "--yes", "--secrets-out", join(fixture.folder, "out")]);
  await fixture.takeRequests();
  const refused = await fixture.run(["destroy", manifest, "--yes"]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("name the token that this run uses with INFRASYNC_TOKEN_NAME");
  expect(await writes()).toEqual([]);
  const ran = await fixture.run(["destroy", manifest, "--yes"], {
    env: { ...fixture.env, INFRASYNC_TOKEN_NAME: "admin" },
  });
  expect(ran.code, ran.stderr).toBe(0);
});

test("a run that makes no token leaves no empty file, and a file that was there before as it was", async () => {
  const manifest = await fixture.write(
    "group.yaml",
    "kind: LabelsGroup\nname: team\nlabels: [{ key: a, value: b }]\n",
  );
  const out = join(fixture.folder, "none.jsonl");
  const { code } = await fixture.run(["apply", manifest, "--yes", "--secrets-out", out]);
  expect(code).toBe(0);
  await expect(stat(out)).rejects.toThrow("ENOENT");
  const earlier = await fixture.write("earlier.jsonl", "");
  expect((await fixture.run(["apply", manifest, "--yes", "--secrets-out", earlier])).code).toBe(0);
  expect((await stat(earlier)).size).toBe(0);
});
