import { expect, test } from "vitest";
import { steady, useFixture } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const overlay = (fields: string) => `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}\n`;

/** The sources `base` and `overlay`. */
async function write(base: string, top: string): Promise<[string, string]> {
  await fixture.write("base/a.yaml", base);
  await fixture.write("overlay/a.yaml", top);
  return [`${fixture.folder}/base`, `${fixture.folder}/overlay`];
}

test("apply merges two sources, and the output of render plans as no change", async () => {
  const sources = await write(shop + cronJob("nightly"), overlay("cpu: ${CPU}"));
  const applied = await fixture.run(["apply", ...sources, "--yes", "--var", "CPU=250"]);
  expect(applied).toMatchObject({ code: 0 });

  const rendered = await fixture.run(["render", ...sources, "--var", "CPU=250"]);
  expect(rendered.stdout).toContain("cpu: 250");
  const file = await fixture.write("rendered.yaml", rendered.stdout);
  const planned = await fixture.run(["plan", file]);
  expect(steady(planned.stdout)).toContain("No changes to make: 3 resources");
});

test("render sends no request and needs neither server nor token", async () => {
  const [base] = await write(shop, "");
  const env = { INFRASYNC_BASE_URL: "", INFRASYNC_TOKEN: "" };
  expect(await fixture.run(["render", base], { env })).toMatchObject({ code: 0, stderr: "" });
  expect(await fixture.requests()).toEqual([]);
});

test("dump and apply keep a text with ${ unchanged", async () => {
  const source = await fixture.write("a.yaml", shop + cronJob("nightly", 'description: "echo $${HOME}"\n'));
  expect(await fixture.run(["apply", source, "--yes"])).toMatchObject({ code: 0 });
  const dumped = await fixture.run(["dump", "shop/staging/nightly"]);
  expect(dumped.stdout).toContain("description: echo $${HOME}");
  const file = await fixture.write("dumped.yaml", dumped.stdout);
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});

test("flags override files, files override the environment, and other environment variables are ignored", async () => {
  const [source] = await write(overlay("description: ${A} ${B} ${C} ${PATH:-none}"), "");
  const first = await fixture.write("first.yaml", "A: file\nB: first\n");
  const last = await fixture.write("last.yaml", "B: 1.10\n");
  const env = { INFRASYNC_VAR_A: "env", INFRASYNC_VAR_B: "env", INFRASYNC_VAR_C: "env", PATH: "/secret" };
  const flags = ["--var-file", first, "--var-file", last, "--var", "A=flag=1"];
  const { stdout } = await fixture.run(["render", source, ...flags], { env });
  expect(stdout).toContain("description: flag=1 1.10 env none");
});

test("all mistakes in variables are reported together", async () => {
  const [source] = await write(overlay("cpu: ${CPUS}\ndescription: ${NAME"), "");
  const file = await fixture.write("vars.yaml", "A: [1]\nB: 1\nB: 2\n1C: 3\n");
  const { code, stderr } = await fixture.run([
    "render",
    source,
    ...[file, `${fixture.folder}/none.yaml`].flatMap((name) => ["--var-file", name]),
    ...["CPU=1", "X", "a-b=1"].flatMap((value) => ["--var", value]),
  ]);
  expect(code).toBe(3);
  expect(stderr).toMatchInlineSnapshot(`
    "error: none.yaml does not exist
      name files or folders that exist

    error: --var "…" (number 2) is not an assignment of a variable
      write --var NAME=VALUE

    error: --var "…" (number 3) is not an assignment of a variable
      a name has letters, digits and _, and does not begin with a digit

    error: no manifest uses the variable CPU of --var
      did you mean CPUS?

    base/a.yaml:4:6: error: the variable CPUS is not set
      4 | cpu: \${CPUS}
        |      ^
      set it, give it a default (\${CPUS:-default}), or write $\${CPUS} if the text is meant as it is

    base/a.yaml:5:14: error: "\${NAME" is not a reference to a variable
      5 | description: \${NAME
        |              ^
      write \${NAME} or \${NAME:-default}; $\${ stands for \${ itself

    vars.yaml:1:1: error: the value of the variable A must be a text, a number, true or false
      1 | A: …
        | ^
      write lines such as TAG: 1.5.0; "" is an empty text

    vars.yaml:3:1: error: the variable B is set twice in this file
      3 | B: …
        | ^
      keep one of them

    vars.yaml:4:1: error: this is not the name of a variable
      4 | 1C: …
        | ^
      a name has letters, digits and _, and does not begin with a digit

    9 problems in 2 files; nothing has been changed
    "
  `);
});

test("apply of a saved plan refuses variables", async () => {
  const { code, stderr } = await fixture.run(["apply", "--plan", "x.json", "--var", "A=1", "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain("it cannot be combined with --var");
});
