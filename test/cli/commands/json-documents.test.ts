import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { beforeEach, describe, expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { documentOf } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

beforeEach(() => fixture.write("shop.yaml", shop + cronJob("nightly")));

const compiled = new Map<string, ValidateFunction>();

/** Expects a document to have a format, a version, and the form of the published schema of that format. */
function expectPublished(document: Record<string, unknown>): void {
  const [, name = ""] = /^infrasync-(.+)$/.exec(String(document["format"])) ?? [];
  const schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as {
    properties: Record<string, unknown>;
  };
  const validate =
    compiled.get(name) ??
    new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(schema);
  compiled.set(name, validate);
  validate(document);
  expect(validate.errors ?? [], JSON.stringify(document)).toEqual([]);
  expect(document).toMatchObject({ version: expect.any(Number) });
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(document)));
}

const json = (...args: string[]) =>
  fixture.run([...args.map((arg) => arg.replace("FOLDER", fixture.folder)), "--output", "json"]);

describe("every JSON document has a format, a version and a published schema", () => {
  test.each([
    ["infrasync-validation", "validate FOLDER"],
    ["infrasync-documents", "render FOLDER"],
    ["infrasync-explanation", "explain job.cpu"],
    ["infrasync-explanation", "explain job"],
    ["infrasync-documents", "schema --out FOLDER/schemas"],
    ["infrasync-plan", "plan FOLDER"],
    ["infrasync-run", "apply FOLDER --yes"],
  ])("%s: %s", async (format, line) => {
    const ran = await json(...line.split(" "));
    expect(ran.code).toBe(0);
    expect(documentOf(ran)["format"]).toBe(format);
    expectPublished(documentOf(ran));
  });

  test.each([
    ["infrasync-plan", 0, "plan FOLDER"],
    ["infrasync-run", 0, "apply FOLDER --yes"],
    ["infrasync-documents", 0, "dump shop/staging"],
    ["infrasync-documents", 0, "dump shop/staging --out FOLDER/dumped"],
    ["infrasync-update", 0, "dump --update FOLDER --dry-run"],
    ["infrasync-run", 0, "clone job shop/staging/nightly --to shop/staging --name copy --dry-run"],
    ["infrasync-run", 0, "clone job shop/staging/nightly --to shop/staging --name copy --yes"],
    ["infrasync-list", 0, "list"],
    ["infrasync-resource", 0, "get shop/staging/nightly"],
    ["infrasync-entries", 0, "get clusters"],
    ["infrasync-diagnosis", 0, "doctor"],
    ["infrasync-status", 0, "status"],
    ["infrasync-deployment", 0, "deploy shop/staging --dry-run"],
    ["infrasync-run", 0, "destroy FOLDER --yes"],
  ])("%s, of live resources, exit %i: %s", async (format, code, line) => {
    await fixture.run(["apply", fixture.folder, "--yes"]);
    const ran = await json(...line.split(" "));
    expect(ran.code, ran.stderr + ran.stdout).toBe(code);
    expect(documentOf(ran)["format"]).toBe(format);
    expectPublished(documentOf(ran));
  });

  test.each([
    ["plan --prun", "usage"],
    ["validate FOLDER/nowhere", "invalid_input"],
    ["clone job shop/staging/nightly --to shop/staging --name copy", "not_approved"],
    ["get shop/nowhere/a", "not_found"],
    ["up", "usage"],
  ])("an error of %s", async (line, code) => {
    const ran = await json(...line.split(" "));
    const document = documentOf(ran);
    expect(document).toMatchObject({
      ok: false,
      format: "infrasync-error",
      error: { code: expect.stringMatching(new RegExp(`^(?:${code}|invalid_input)$`)) },
    });
    expectPublished(document);
  });

  test("a problem has the members of the published schema, and no others: also the one that counts others", async () => {
    const wrong = Array.from({ length: 150 }, (_, index) =>
      cronJob(`a-${index}`).replace("cpu: 500", "cpu: x"),
    );
    await fixture.write("wrong/a.yaml", wrong.join(""));
    const { problems } = documentOf(await json("validate", "FOLDER/wrong")) as { problems: object[] };
    expect(problems.at(-1)).toMatchObject({ code: "omitted", message: "and 50 more in this file" });
    const schema = JSON.parse(readFileSync("schemas/error.schema.json", "utf8")) as {
      properties: { problems: { items: { properties: object } } };
    };
    const members = Object.keys(schema.properties.problems.items.properties);
    expect(
      problems.flatMap((problem) => Object.keys(problem)).filter((name) => !members.includes(name)),
    ).toEqual([]);
  });

  test("a run that is refused has its plan and the problems", async () => {
    await fixture.run(["apply", fixture.folder, "--yes"]);
    await fixture.write("shop.yaml", shop);
    const ran = await json("destroy", "FOLDER", "--yes");
    expect(documentOf(ran)).toMatchObject({ ok: false, format: "infrasync-run", plan: {}, problems: [{}] });
    expectPublished(documentOf(ran));
  });
});

describe("--output jsonl writes a line for each event, and the document of the run last", () => {
  const linesOf = async (...args: string[]) => {
    const { code, stdout } = await fixture.run([...args, "--output", "jsonl"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines) expectPublished(line);
    return { code, lines, reported: lines.map(({ event, format, address }) => [event ?? format, address]) };
  };

  test("apply and destroy", async () => {
    const applied = await linesOf("apply", fixture.folder, "--yes");
    expect(applied.code).toBe(0);
    expect(applied.reported).toEqual([
      ["planned", undefined],
      ["started", "project:shop"],
      ["finished", "project:shop"],
      ["started", "environment:shop/staging"],
      ["finished", "environment:shop/staging"],
      ["started", "job:shop/staging/nightly"],
      ["finished", "job:shop/staging/nightly"],
      ["infrasync-run", undefined],
    ]);
    expect(applied.lines[2]).toMatchObject({ status: "done", finished: 1, total: 3, at: expect.any(String) });
    const destroyed = await linesOf("destroy", fixture.folder, "--yes");
    expect(destroyed.reported.at(-1)).toEqual(["infrasync-run", undefined]);
    expect(destroyed.code).toBe(0);
  });

  test("clone ends with its manifest; a failure has its reason", async () => {
    await fixture.run(["apply", fixture.folder, "--yes"]);
    const copy = ["clone", "job", "shop/staging/nightly", "--to", "shop/staging", "--yes", "--name"];
    const { lines } = await linesOf(...copy, "copy");
    expect(lines.at(-1)).toMatchObject({ ok: true, documents: [{ name: "copy" }] });
    await fixture.fault({ method: "POST", path: "/job/*/clone", status: 422 });
    const failed = await linesOf(...copy, "other");
    expect(failed.code).toBe(1);
    expect(failed.lines.find(({ event }) => event === "finished")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("422"),
    });
    expect(failed.lines.at(-1)).toMatchObject({ ok: false, error: { code: "incomplete" } });
  });

  test("a mistake is one line", async () => {
    const { code, lines } = await linesOf("apply", join(fixture.folder, "nowhere"), "--yes");
    expect({ code, lines }).toMatchObject({ code: 3, lines: [{ ok: false, format: "infrasync-error" }] });
  });
});
