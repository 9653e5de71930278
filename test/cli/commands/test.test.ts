import { expect, test } from "vitest";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const live = `live:
  - { kind: Project, name: shop }
  - { kind: Environment, project: shop, name: staging, cluster: eu-west }
`;
const database = (more: string) =>
  `  - { kind: Database, environment: shop/staging, name: orders, type: POSTGRESQL, version: "17", mode: CONTAINER, ${more} }\n`;
const refused = `story: a public database is refused
${live}documents:
${database("accessibility: PUBLIC")}expect:
  plan: ["create database:shop/staging/orders"]
  refused: [no-public-database]
`;

/** Plays stories with the settings of a team. */
async function play(text: string, ...flags: string[]) {
  const config = await fixture.write("infrasync.config.yaml", "policies: [{ ready: no-public-database }]\n");
  const file = await fixture.write("stories/a.yaml", text);
  return fixture.run(["test", file, "--config", config, ...flags]);
}

test("stories are played on emulators of their own, with the policies of the settings file", async () => {
  const changed = `story: its size changes
${live}${database("cpu: 250")}documents:
  - { kind: Database, environment: shop/staging, name: orders, cpu: "\${CPU}" }
vars: { CPU: 500 }
expect: { plan: ["update database:shop/staging/orders: cpu"] }
`.replace('"${CPU}"', "500");
  const { code, stdout, stderr } = await play(
    `${refused}---\n${changed.replace("vars: { CPU: 500 }\n", "")}`,
  );
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: "",
    stdout: "ok    a public database is refused\nok    its size changes\n\n2 stories: all as expected.\n",
  });
  expect(await fixture.requests()).toEqual([]);
});

test("a story says how the plan differs from what is expected", async () => {
  const text = refused
    .replace("PUBLIC", "PRIVATE")
    .replace("create", "update")
    .replace("refused: [no", "notes: [nothing]\n  refused: [no");
  const { code, stdout } = await play(text);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `wrong stories/a.yaml:1:1: a public database is refused
        expected, but not planned: update database:shop/staging/orders
        planned, but not expected: create database:shop/staging/orders
        not refused: no-public-database
        not noted: nothing

1 story: 1 not as expected.
`,
  });
  const json = await play(refused.replace("  refused: [no-public-database]\n", ""), "--output", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    stories: [{ line: 1, differences: [expect.stringContaining("refused: database:shop/staging/orders")] }],
  });
});

test("an expectation that is empty expects nothing of the sort", async () => {
  const empty = refused.replace("[no-public-database]", "[]");
  expect((await play(empty)).stdout).toContain("refused: database:shop/staging/orders");
  const noted = refused.replace("refused: [no-public-database]", "notes: []");
  const file = await fixture.write("stories/b.yaml", noted);
  const config = await fixture.write(
    "warn.yaml",
    "policies: [{ ready: no-public-database, effect: warn }]\n",
  );
  const { stdout } = await fixture.run(["test", file, "--config", config]);
  expect(stdout).toContain("noted, but not expected: ");
});

test.each([
  ["an unknown member", "story: a\nexpect: { plans: [] }\n", 'expect has no member "plans"'],
  ["no expectation", "story: a\n", "expect is missing"],
  ["no story", "# nothing\n", "no stories found"],
])("a file with %s is a mistake", async (_case, text, message) => {
  const { code, stderr } = await play(text);
  expect({ code, isSaid: stderr.includes(message), stderr }).toMatchObject({ code: 3, isSaid: true });
});

test.each([
  ["documents with a mistake", refused.replace("mode: CONTAINER", "mode: X"), "refused: mode must be one of"],
  [
    "live documents with a mistake",
    refused.replace("cluster: eu-west", "clusters: a"),
    "the live documents cannot be applied",
  ],
  ["a seed that is not there", refused.replace(live, "seed: nothing.yaml\n"), "cannot be read"],
])("a story with %s is not as expected", async (_case, text, message) => {
  const { code, stdout } = await play(text.replace("  refused: [no-public-database]\n", ""));
  expect({ code, isSaid: stdout.includes(message), stdout }).toMatchObject({ code: 1, isSaid: true });
});

test.each([
  ["block", '  - kind: Job\n    # its own\n    name: "${NAME}"\n    memory: ${MEMORY}\n'],
  ["flow", '  - { kind: Job, name: "${NAME}",\n      memory: "${MEMORY}" }\n'],
  ["alias", '  - { kind: Job, name: "${NAME}", memory: 512, description: *words }\n'],
])("quotes of a document in a story count, as in a manifest: %s", async (form, document) => {
  const text = `story: &words its name is a text
${live}documents:
${document.replace("kind: Job", form === "block" ? "kind: Job\n    environment: shop/staging\n    source: { image: { registry: docker-hub, image_name: a/b, tag: x } }\n    schedule: { on_start: {} }" : "kind: Job, environment: shop/staging, source: { image: { registry: docker-hub, image_name: a/b, tag: x } }, schedule: { on_start: {} }")}vars: { NAME: 512, MEMORY: 512 }
expect: { plan: ["create job:shop/staging/512"] }
`;
  const { stdout } = await play(form === "alias" ? text.replace(", MEMORY: 512", "") : text);
  if (form === "flow") expect(stdout).toContain('refused: memory must be a whole number, not the text "512"');
  else expect(stdout).toContain("1 story: all as expected.");
});
