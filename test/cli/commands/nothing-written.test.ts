import { expect, test } from "vitest";
import { job, shop } from "../../fixtures/manifests.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const overlay = (fields: string) => `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}\n`;
const variables = "variables:\n  CHANNEL: alerts\n";
const template = (field: string) =>
  `kind: Template\nname: cron\nparameters:\n  memory: { type: integer }\ndocuments:\n  - kind: Job\n    environment: shop/staging\n    name: nightly\n    schedule:\n      cronjob: { scheduled_at: "0 3 * * *" }\n    source: { docker: { git_repository: { url: "https://github.com/acme/shop", branch: main } } }\n    ${field}\n`;

test.each<[door: string, files: Record<string, string>, message: string]>([
  ["a variable", { "b.yaml": shop + job("nightly", "variables:\n  CHANNEL: #ops\n") }, "variables.CHANNEL"],
  ["a field", { "b.yaml": shop + job("nightly", "memory: # 8192\n") }, "memory"],
  ["a list", { "b.yaml": shop + job("nightly", "ports:\n#  - internal_port: 80\n") }, "ports"],
  ["an element", { "b.yaml": shop + job("nightly", "labels_groups:\n  - # all\n") }, "labels_groups[0]"],
  ["a flow member", { "b.yaml": shop + job("nightly", "variables: { CHANNEL }\n") }, "variables.CHANNEL"],
  ["an anchor", { "b.yaml": shop + job("nightly", "memory: &m\ncpu: *m\n") }, "memory"],
  ["an overlay", { "b.yaml": shop + job("nightly"), "over/c.yaml": overlay("memory: # 1") }, "memory"],
  [
    "defaults",
    {
      "b.yaml": `${shop}${job("nightly")}---\nkind: Defaults\nenvironment: shop/staging\nfor: Job\nmemory: # 1\n`,
    },
    "memory",
  ],
  [
    "a template",
    { "b.yaml": `${shop}---\n${template("memory: # 1")}---\nfrom: cron\nwith: { memory: 1 }\n` },
    "memory",
  ],
  [
    "a parameter",
    { "b.yaml": `${shop}---\n${template("memory: ${memory}")}---\nfrom: cron\nwith:\n  memory: # 1\n` },
    "memory",
  ],
  ["protect", { "b.yaml": shop, "infrasync.config.yaml": "protect:\n#  - shop/**\n" }, "protect"],
  [
    "variables of an environment",
    { "b.yaml": shop, "infrasync.config.yaml": "environments:\n  one:\n    variables:\n      TAG: # 1\n" },
    "environments.one.variables.TAG",
  ],
])("%s with nothing written is an error at every command", async (_door, files, member) => {
  const base = await fixture.write("a.yaml", shop + job("nightly", `${variables}memory: 2048\n`));
  expect(await fixture.run(["apply", base, "--yes"])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
  await fixture.write("a.yaml", "# moved\n");
  for (const [name, text] of Object.entries(files)) await fixture.write(`new/${name}`, text);
  const sources = Object.keys(files).some((name) => name.startsWith("over/"))
    ? ["new/b.yaml", "new/over"]
    : ["new"];
  for (const command of [["validate"], ["plan"], ["apply", "--yes"]]) {
    const ran = await fixture.run([...command, ...sources.map((each) => `${fixture.folder}/${each}`)]);
    expect(steady(ran.stderr + ran.stdout)).toContain(`${member} has no value`);
    expect(steady(ran.stderr + ran.stdout)).toContain("quote a text that begins with #");
    expect(ran.code).toBe(3);
  }
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test.each(["null", "~", "Null"])("a written %s resets a field and removes a variable", async (written) => {
  const file = await fixture.write("a.yaml", shop + job("nightly", `${variables}memory: 2048\n`));
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write(
    "a.yaml",
    shop + job("nightly", `variables:\n  CHANNEL: ${written}\nmemory: ${written}\n`),
  );
  const planned = await fixture.run(["plan", file]);
  expect(planned.stdout).toMatch(/memory +2 GB -> 512 MB/);
  expect(planned.stdout).toContain("CHANNEL");
});
