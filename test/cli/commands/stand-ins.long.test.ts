import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { job, shop } from "../../fixtures/manifests.ts";
import { refusedTexts } from "../../fixtures/stand-ins.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
const quoted = (text: string) => JSON.stringify(text);
const overlay = (rest: string) => `kind: Job\nenvironment: shop/staging\nname: nightly\n${rest}\n`;

type Door = (text: string) => Record<string, string>;
const doors: [door: string, files: Door][] = [
  ["a variable", (text) => ({ "m/a.yaml": shop + job("nightly", `variables: { X: ${quoted(text)} }`) })],
  ["a description", (text) => ({ "m/a.yaml": shop + job("nightly", `description: ${quoted(text)}`) })],
  [
    "an overlay",
    (text) => ({
      "m/a.yaml": shop + job("nightly"),
      "over/b.yaml": overlay(`variables: { X: ${quoted(text)} }`),
    }),
  ],
  [
    "defaults",
    (text) => ({
      "m/a.yaml": `${shop}${job("nightly")}---\nkind: Defaults\nenvironment: shop/staging\nfor: Job\ndescription: ${quoted(text)}\n`,
    }),
  ],
  [
    "a parameter of a template",
    (text) => ({
      "m/a.yaml": `${shop}---\nkind: Template\nname: p\nparameters: { text: { type: string } }\ndocuments:\n  - { kind: Project, name: other, description: "\${text}" }\n---\nfrom: p\nwith: { text: ${quoted(text)} }\n`,
    }),
  ],
  [
    "a mounted file",
    (text) => ({
      "m/a.yaml": shop + job("nightly", "variables: { X: { file: { mount_path: /x, from: x.txt } } }"),
      "m/x.txt": text,
    }),
  ],
  [
    "a secret from a file",
    (text) => ({
      "m/a.yaml": shop + job("nightly", "secrets: { X: { from_file: x.txt } }"),
      "m/x.txt": text,
    }),
  ],
  ["a setting", (text) => ({ "m/a.yaml": shop, "m/infrasync.config.yaml": `protect: [${quoted(text)}]\n` })],
];

describe.each(doors)("%s", (door, files) => {
  test.each(refusedTexts)("refuses %s before a write", async (_what, text, message) => {
    for (const [name, content] of Object.entries(files(text))) await fixture.write(name, content);
    const sources = ["m", "over"].filter((each) => each === "m" || door === "an overlay");
    const ran = await fixture.run(["apply", ...sources.map((each) => `${fixture.folder}/${each}`), "--yes"]);
    expect(steady(ran.stderr + ran.stdout)).toContain(message);
    expect(ran.code).not.toBe(0);
    expect(writesOf(await fixture.requests()).filter((each) => each.includes("ariable"))).toEqual([]);
  });
});

test("a file that git-crypt has locked is told as that, as a manifest, as settings and as a mounted file", async () => {
  await fixture.write(
    "m/a.yaml",
    shop + job("nightly", "variables: { X: { file: { mount_path: /x, from: x.txt } } }"),
  );
  const locked = Buffer.concat([Buffer.from("\0GITCRYPT\0"), Buffer.from([0xff, 0xfe, 0x80])]);
  for (const name of ["m/x.txt", "m/b.yaml", "m/infrasync.config.yaml"]) {
    const file = await fixture.write(name, "");
    await writeFile(file, locked);
    const { code, stderr } = await fixture.run(["validate", `${fixture.folder}/m`]);
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("is encrypted by git-crypt"),
    });
    await writeFile(file, name.endsWith(".txt") ? "text" : "# nothing\n");
  }
});

test("what get prints can be edited and applied: a credential is a secret with a source, and no mark is written", async () => {
  const url = "mongodb://user:c4nary@db.acme.example/orders";
  const file = await fixture.write(
    "a.yaml",
    shop +
      job(
        "nightly",
        `variables: { DB_URL: "${url}", LEVEL: info }\nsource: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }`.replace(
          /\nsource.*/,
          "",
        ),
      ),
  );
  expect(await fixture.run(["apply", file, "--yes"])).toMatchObject({ code: 0 });
  for (const format of [[], ["--output", "json"]]) {
    const { stdout } = await fixture.run(["get", "job:shop/staging/nightly", ...format]);
    expect(stdout).not.toMatch(/\[credential\]|c4nary/);
    expect(stdout).toContain("SHOP_STAGING_JOB_NIGHTLY_DB_URL");
  }
  const { stdout } = await fixture.run(["get", "job:shop/staging/nightly"]);
  const copy = await fixture.write("copy.yaml", stdout.replace("LEVEL: info", "LEVEL: debug"));
  const refused = await fixture.run(["apply", copy, "--yes"]);
  expect(refused.code).not.toBe(0);
  expect(writesOf(await fixture.requests()).filter((each) => each.startsWith("PUT"))).toEqual([]);
  const env = { ...fixture.env, SHOP_STAGING_JOB_NIGHTLY_DB_URL: url };
  const planned = await fixture.run(["plan", copy], { env });
  expect(planned.stdout).toContain("secrets.DB_URL");
  expect(planned.stdout).not.toContain("c4nary");
});

test("get leaves out a text with a credential that no secret can replace, and says so", async () => {
  const file = await fixture.write(
    "a.yaml",
    shop + job("nightly", 'description: "see https://u:c4nary@h/x"'),
  );
  expect(await fixture.run(["apply", file, "--yes"])).toMatchObject({ code: 0 });
  const { stdout } = await fixture.run(["get", "job:shop/staging/nightly"]);
  expect(stdout).toContain("# description: description is left out: a URL with a password");
  const copy = await fixture.write("copy.yaml", stdout);
  expect((await fixture.run(["plan", copy])).stdout).toContain("No changes");
});

test("a plan notes odd values of secrets, and values that a program has not filled in", async () => {
  const file = await fixture.write(
    "a.yaml",
    shop +
      job(
        "nightly",
        'variables: { A: "undefined", B: "{{ .Values.x }}", C: $NAME }\nsecrets: { S: { from_env: SHOP_S }, F: { from_file: f.txt } }',
      ),
  );
  await fixture.write("f.txt", "\uFEFFs3cret\r\ns3cret");
  const { code, stdout } = await fixture.run(["plan", file], {
    env: { ...fixture.env, SHOP_S: '"s3cret" ' },
  });
  expect(code).toBe(0);
  expect(stdout).toContain("variables.A is the text that a program writes");
  expect(stdout).toContain("variables.B is an expression of a template");
  expect(stdout).toContain("variables.C is sent as it is");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "secrets.S of job:shop/staging/nightly: its value begins or ends with a blank",
  );
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "has a byte order mark before it, which is left out, has line breaks of Windows",
  );
  expect(stdout).not.toContain("s3cret");
});
