import { join } from "node:path";
import { expect, test } from "vitest";
import { job } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const tight = useFixture({ behaviour: { rate_limit: 24, rate_window_s: 3600 } });

/** A change that a run refuses, unless a flag consents to it. */
interface Guard {
  flag: string;
  before: string;
  after: string;
  /** The flags of the run that is refused. */
  typed?: readonly string[];
}

const environment = (name: string, more = "") =>
  `---\nkind: Environment\nproject: shop\nname: ${name}\ncluster: eu-west\n${more}`;
const prunes = "manage: { prune: true }\n";
const jobs = (count: number, place: string) =>
  Array.from({ length: count }, (_, index) => job(`${place.replace("shop/", "")}-${index}`, "", place)).join(
    "",
  );

const guards: Guard[] = [
  {
    flag: "--max-deletes (a number)",
    before: environment("number", prunes) + jobs(2, "shop/number"),
    after: environment("number", prunes),
    typed: ["--max-deletes", "1"],
  },
  {
    flag: "--max-deletes (a share)",
    before: environment("share", prunes) + jobs(10, "shop/share"),
    after: environment("share", prunes) + jobs(6, "shop/share"),
  },
  {
    flag: "--allow-replace",
    before: environment("place"),
    after: environment("place").replace("eu-west", "us-east"),
  },
  {
    flag: "--allow-infrastructure",
    before: "",
    after: "---\nkind: Cluster\nname: paris\nregion: eu-west-3\ncloud_provider: AWS\n",
  },
  {
    flag: "--expect",
    before: environment("reviewed"),
    after: environment("reviewed") + job("approved", "", "shop/reviewed"),
  },
  {
    flag: "--allow-commands",
    before: environment("command"),
    after:
      environment("command") + job("told", "secrets: { KEY: { from_command: echo value } }", "shop/command"),
  },
  { flag: "--secrets-out", before: "", after: "---\nkind: ApiToken\nname: ci\nrole: Read\n" },
  {
    flag: "--max-requests",
    before: environment("requests"),
    after: environment("requests") + jobs(20, "shop/requests"),
    typed: ["--max-requests", "20"],
  },
  { flag: "--yes", before: "", after: "" },
];

const settings = `policies:
  - name: reviewed
    actions: [create]
    environments: [shop/reviewed]
    effect: approve
    when: kind == "Job"
    message: somebody has to look at new jobs
`;

const project = "kind: Project\nname: shop\n";
const pairs = guards.flatMap((one, index) => guards.slice(index).map((other) => [one, other] as const));

test.each(pairs.map(([one, other]) => [one.flag, other.flag, [...new Set([one, other])]] as const))(
  "a run that lacks %s and %s names one command line, which passes",
  async (_one, _other, both) => {
    const manifest = join(fixture.folder, "shop.yaml");
    const write = (side: "before" | "after") =>
      fixture.write("shop.yaml", project + both.map((guard) => guard[side]).join(""));
    await write("before");
    const made = await fixture.run(["apply", manifest, "--yes"]);
    expect(made.code, made.stderr).toBe(0);
    await fixture.write("infrasync.config.yaml", settings);
    await write("after");
    const answered = both.some(({ flag }) => flag === "--yes") ? [] : ["--yes"];
    const typed = ["apply", manifest, ...answered, "--prune", ...both.flatMap((guard) => guard.typed ?? [])];
    const refused = await fixture.run(typed);
    // A run that lacks nothing but requests has an exit code of its own.
    expect(refused.code).toBe(both.every(({ flag }) => flag === "--max-requests") ? 4 : 3);
    const passing = await fixture.run(advisedIn(refused.stderr));
    expect(passing, `${refused.stderr}\n${passing.stderr}`).toMatchObject({ code: 0 });
    expect((await fixture.run(["plan", manifest, "--prune"])).stdout).toContain("No changes");
  },
);

/** The words of the command line that a refusal advises. */
function advisedIn(stderr: string): string[] {
  const [, line = ""] = /^To allow all of this:\n {2}infrasync (.*)$/m.exec(stderr) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? "")
    .map((word) => (/^(?:shop\.yaml|FILE)$/.test(word) ? join(fixture.folder, word) : word));
}

test("a refusal for a lack of consents tells how to get the requests", async () => {
  const [place, other] = [environment("place"), environment("place").replace("eu-west", "us-east")];
  const manifest = await tight.write("shop.yaml", project + place);
  await tight.run(["apply", manifest, "--yes"]);
  await tight.write("shop.yaml", project + other + jobs(20, "shop/place"));
  const refused = await tight.run(["apply", manifest]);
  expect(refused.code).toBe(3);
  const advised = /^ {2}infrasync apply shop\.yaml (.*)$/m.exec(refused.stderr)?.[1];
  for (const flag of ["--allow-replace environment:shop/place", "--on-quota wait", "--yes"])
    expect(advised).toContain(flag);
});

test("no flag is advised where a quota ends that the settings file forbids to wait for", async () => {
  const manifest = await tight.write("shop.yaml", project + environment("place"));
  await tight.write("infrasync.config.yaml", "on_quota: fail\n");
  let ran = await tight.run(["plan", manifest, "--fresh"]);
  for (let run = 0; run < 24 && ran.code === 0; run += 1)
    ran = await tight.run(["plan", manifest, "--fresh"]);
  expect(ran).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      "remove on_quota from infrasync.config.yaml: no flag can override the file",
    ) as string,
  });
  expect(ran.stderr).not.toContain("--on-quota");
});

test("no flag is advised for requests that the settings file forbids", async () => {
  const manifest = await fixture.write("shop.yaml", project + environment("place"));
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("infrasync.config.yaml", "max_requests: 15\n");
  await fixture.write("shop.yaml", project + environment("place") + jobs(20, "shop/place"));
  const { code, stderr } = await fixture.run(["apply", manifest, "--yes", "--max-requests", "1000"]);
  expect(code).toBe(4);
  expect(stderr).toMatch(/raise max_requests in infrasync\.config\.yaml to \d+: no flag can exceed the file/);
  expect(stderr).not.toContain("To consent");
});

test("who has raised one limit is told to raise it with the other one, not in its place", async () => {
  const many = environment("share", prunes) + jobs(12, "shop/share");
  const manifest = await fixture.write("shop.yaml", project + many);
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("shop.yaml", project + environment("share", prunes));
  const apply = ["apply", manifest, "--yes", "--prune"];
  for (const limit of [[], ["--max-deletes", "12"], ["--max-deletes", "100%"]]) {
    const { stderr } = await fixture.run([...apply, ...limit]);
    expect(stderr).toContain("infrasync apply shop.yaml --prune --yes --max-deletes 12,100%\n");
    const { stdout } = await fixture.run([...apply, ...limit, "--output", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      consent: {
        lifts: "all",
        command: "infrasync apply shop.yaml --prune --yes --output json --max-deletes 12,100%",
      },
    });
  }
  expect(await fixture.run([...apply, "--max-deletes", "12,100%"])).toMatchObject({ code: 0 });
});

test("a limit of the settings file is raised there: no flag is advised that the file overrules", async () => {
  const manifest = await fixture.write(
    "shop.yaml",
    project + environment("number", prunes) + jobs(2, "shop/number"),
  );
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("infrasync.config.yaml", "max_deletes: 1\n");
  await fixture.write("shop.yaml", project + environment("number", prunes));
  const { stderr } = await fixture.run(["apply", manifest, "--yes", "--prune", "--max-deletes", "50"]);
  expect(stderr).toContain("raise max_deletes in infrasync.config.yaml to 2: no flag can exceed the file");
  expect(stderr).not.toContain("--max-deletes 2");
});

test("problems that differ in the environment only are one, in text, Markdown and HTML", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const declared = (count: number) =>
    project + names.map((name) => environment(name, prunes) + jobs(count, `shop/${name}`)).join("");
  const manifest = await fixture.write("shop.yaml", declared(10));
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("shop.yaml", declared(5));
  const flags = [manifest, "--prune", "--max-deletes", "100"];
  const others = "the same holds for shop/two, shop/three, shop/four, shop/five";
  const { stderr } = await fixture.run(["apply", ...flags, "--yes"]);
  expect(stderr.match(/^error:/gm)).toHaveLength(1);
  expect(stderr).toContain(
    `5 of the 10 resources in environment:shop/one would be deleted or replaced, more than 30 %; ${others}`,
  );
  for (const output of ["text", "markdown"]) {
    const { stdout } = await fixture.run(["plan", ...flags, "--output", output]);
    expect(stdout.split(others)).toHaveLength(2);
    expect(stdout).toContain("--max-deletes 100,50%");
  }
});
