import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { tries } from "../fixtures/random-cases.ts";
import { documentOf } from "./captured.ts";
import { useFixture } from "./fixture.ts";

const fixture = useFixture();

const base = `kind: Project
name: shop
PROJECT
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
ENVIRONMENT
---
kind: Database
environment: shop/staging
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
`;

/** The ways in which a text may have a password in it. */
const forms: readonly ((password: string) => string)[] = [
  (password) => password,
  (password) => `jdbc:${password}`,
  (password) => `the one is ${password}, as before`,
  (password) => Buffer.from(password).toString("base64"),
  (password) => Buffer.from(`shop:${password}@db`).toString("base64"),
  (password) => encodeURIComponent(`a b&${password}`),
  (password) => JSON.stringify({ a: { b: password } }),
  (password) => JSON.stringify(JSON.stringify({ b: `"${password}` })),
];

/** The places of a resource that everyone reads, each with a text. */
function job(name: string, texts: readonly string[]): string {
  const [one = "", two = "", three = "", four = ""] = texts;
  return `---\n${stringify({
    kind: "Job",
    environment: "shop/staging",
    name,
    description: `see ${one}`,
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
    schedule: {
      cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC", arguments: ["run", two, `--with=${three}`] },
    },
    variables: {
      LINK: one,
      OTHER: { value: four, description: "x" },
      SETUP: { file: { mount_path: "/etc/x", text: `a\n${two}\nb` } },
    },
  })}`;
}

async function passwordOf(name: string): Promise<{ id: string; password: string }> {
  const { id } = documentOf(await fixture.run(["get", `database:shop/staging/${name}`, "--output", "json"]));
  const reported = await fixture.request("GET", `/database/${String(id)}/masterCredentials`);
  return { id: String(id), password: String(reported["password"]) };
}

function formsIn(output: string, password: string): string[] {
  const bare = Buffer.from(password).toString("base64").replaceAll("=", "").slice(0, -1);
  const inside = Buffer.from(`shop:${password}@db`).toString("base64").slice(8, -8);
  return [password, bare, inside].filter((form) => output.includes(form));
}

test("a password that the server tells of a database is in no output of get, diff, plan, show and apply, in whatever form a text has it", async () => {
  const at = (name: string) => join(fixture.folder, name);
  const first = base.replace("PROJECT", "description: a").replace("ENVIRONMENT", "");
  await fixture.write("first/all.yaml", first);
  expect((await fixture.run(["apply", at("first"), "--yes"])).code).toBe(0);
  const { password } = await passwordOf("orders");
  const variables = (text: string) => `variables: { LINK: "x ${text}" }`;
  const texts = (shift: number) =>
    [0, 1, 2, 3].map((index) => `${shift} ${forms[(index + shift) % forms.length]?.(password) ?? ""}`);
  const all = (more: string, shift: number) =>
    base.replace("PROJECT", variables(more + password)).replace("ENVIRONMENT", variables(more + password)) +
    job("one", texts(shift)) +
    job("two", texts(shift + 4));
  await fixture.write("old/all.yaml", all("old", 0));
  await fixture.write("new/all.yaml", all("new", 2));
  await fixture.write("other/all.yaml", first);
  const shown: string[] = [];
  const run = async (line: string) => {
    const args = line
      .split(" ")
      .map((word) =>
        /^[A-Z]+$/.test(word) ? at(word === "SAVED" ? "plan.json" : word.toLowerCase()) : word,
      );
    const { code, stdout, stderr } = await fixture.run(args);
    expect([0, 1, 2], `${line}: ${stderr}`).toContain(code);
    for (const output of `${stdout}\n${stderr}`.split("\n"))
      if (formsIn(output, password).length > 0) shown.push(`${line}: ${output}`);
    return stdout;
  };
  for (const line of [
    "plan OLD",
    "plan OLD --output json",
    "apply OLD --yes --output jsonl",
    "plan NEW",
    "plan NEW --output json",
    "plan NEW --output markdown",
    "plan NEW --out SAVED",
    "show SAVED",
    "show SAVED --output json",
    "plan OTHER --strict",
    "dump --update NEW --dry-run",
    "dump --update OTHER --strict --dry-run",
    "diff job:shop/staging/one job:shop/staging/two",
    "diff job:shop/staging/one job:shop/staging/two --output json",
    "get job:shop/staging/one",
    "get environment:shop/staging",
    "get project:shop",
    "apply NEW --yes",
  ])
    await run(line);
  const { inputs: _inputs, ...saved } = JSON.parse(await readFile(at("plan.json"), "utf8")) as object & {
    inputs: unknown;
  };
  expect(formsIn(JSON.stringify(saved), password)).toEqual([]);
  expect(shown).toEqual([]);
  const noted = await run("plan OLD");
  expect(noted.replaceAll(/\s+/g, " ")).toContain("the password of database:shop/staging/orders");
});

/** Pieces of texts, with `X` in the place of a password, and texts that only look a little like it. */
const text = fc
  .tuple(
    fc.constantFrom("", "a ", "https://h/?q=", "--flag=", '{ "k": "', "user:"),
    fc.constantFrom("X", "B64", "plain", "1234567", "X-X", "prefix/X"),
    fc.constantFrom("", "@db/x", " and more", '" }', ";"),
  )
  .map((parts) => parts.join(""));

const jobs = fc.record({
  description: text,
  argument: text,
  link: text,
  file: text,
  name: fc.constantFrom("LINK", "DB_PASS", "CONFIG", "dsn", "PWD"),
});

test("random organizations: no credential is in an output of get, diff, plan and apply, and what get prints plans as no change or is refused", async () => {
  const first = base.replace("PROJECT", "description: a").replace("ENVIRONMENT", "");
  await fixture.write("first/all.yaml", first);
  expect((await fixture.run(["apply", join(fixture.folder, "first"), "--yes"])).code).toBe(0);
  const { password } = await passwordOf("orders");
  const filled = (written: string) =>
    written.replaceAll("X", password).replaceAll("B64", Buffer.from(password).toString("base64"));
  await fc.assert(
    fc.asyncProperty(jobs, jobs, async (one, two) => {
      const documents = [one, two].map(({ description, argument, link, file, name }, index) => ({
        kind: "Job",
        environment: "shop/staging",
        name: index === 0 ? "one" : "two",
        description: filled(description),
        source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
        schedule: {
          cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC", arguments: ["run", filled(argument)] },
        },
        variables: {
          [name]: { value: filled(link) },
          FILE: { file: { mount_path: "/etc/x", text: filled(file) } },
        },
      }));
      const all = await fixture.write(
        "random/all.yaml",
        [first, ...documents.map((each) => stringify(each))].join("---\n"),
      );
      const outputs: string[] = [];
      const run = async (...args: string[]) => {
        const ran = await fixture.run(args);
        outputs.push(...`${ran.stdout}\n${ran.stderr}`.split("\n"));
        return ran;
      };
      await run("plan", all, "--output", "json");
      expect((await run("apply", all, "--yes")).code).toBe(0);
      await run("diff", "job:shop/staging/one", "job:shop/staging/two", "--output", "json");
      for (const name of ["one", "two"]) {
        const { stdout } = await run("get", `job:shop/staging/${name}`);
        const copy = await fixture.write(`copy-${name}.yaml`, stdout);
        const planned = await run("plan", copy);
        // A secret in the place of a variable is a change that needs its source.
        expect(planned.stdout + planned.stderr).toMatch(/No changes|secrets\.|error:/);
        expect(stdout).not.toContain("[credential]");
      }
      expect(outputs.filter((line) => formsIn(line, password).length > 0)).toEqual([]);
    }),
    { numRuns: tries(2) },
  );
});
