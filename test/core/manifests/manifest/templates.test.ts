import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FetchTemplate, loadFolder, loadManifests } from "../../../../core/manifests/manifest/index.ts";
import { Variables } from "../../../../core/source/variables.ts";
import { readFileAt } from "../../../../adapters/git/index.ts";
import { describeProblems } from "../../../fixtures/manifest-problems.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "templates-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const template = `kind: Template
name: report
parameters:
  name: { type: string }
  tag: { type: string, default: "\${TAG:-1.4.2}" }
  memory: { type: integer, default: 512, maximum: 2048 }
  arguments: { type: array, default: [] }
documents:
  - kind: Job
    environment: shop/staging
    name: \${name}
    memory: \${memory}
    source: { image: { registry: docker-hub, image_name: "acme/\${name}", tag: "\${tag}" } }
    schedule: { cronjob: { scheduled_at: "0 3 * * *", arguments: "\${arguments}" } }
`;

async function load(
  files: Record<string, string>,
  { sources = Object.keys(files), fetchTemplate }: { sources?: string[]; fetchTemplate?: FetchTemplate } = {},
) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { documents, problems } = await loadManifests(
    sources.map((name) => path.join(folder, name)),
    { variables: new Variables(new Map([["TAG", "1.10"]])), ...(fetchTemplate && { fetchTemplate }) },
  );
  return { documents, problems: describeProblems(problems).replaceAll(`${folder}/`, "") };
}

test("a template makes its documents for each use, with typed values, defaults and variables", async () => {
  const { documents, problems } = await load({
    "uses.yaml": `from: report
with: { name: daily, memory: 1024 }
---
from: report
with: { name: weekly, tag: "2", memory: 256, arguments: [--all, "3"] }
---
from: report
with: { name: once }
`,
    "template.yaml": template,
  });
  expect(problems).toBe("");
  const fields = documents.map(({ name, fields: { memory, source, schedule } }) => ({
    name,
    memory,
    source,
    schedule,
  }));
  const imageOf = (name: string, tag: string) => ({
    image: { registry: "docker-hub", image_name: `acme/${name}`, tag },
  });
  const at = (args: string[]) => ({ cronjob: { scheduled_at: "0 3 * * *", arguments: args } });
  expect(fields).toEqual([
    { name: "daily", memory: 1024, source: imageOf("daily", "1.10"), schedule: at([]) },
    { name: "weekly", memory: 256, source: imageOf("weekly", "2"), schedule: at(["--all", "3"]) },
    { name: "once", memory: 512, source: imageOf("once", "1.10"), schedule: at([]) },
  ]);
});

test("later sources overlay the documents of a template, and its text files are beside the template", async () => {
  const { documents, problems } = await load(
    {
      "base/templates/t.yaml": `kind: Template
name: report
parameters: { name: { type: string } }
documents:
  - kind: Job
    environment: shop/staging
    name: \${name}
    variables: { CONFIG: { file: { mount_path: /etc/report, from: config.txt } } }
`,
      "base/templates/config.txt": "debug: true\n",
      "base/uses.yaml": "from: report\nwith: { name: a }\n---\nfrom: report\nwith: { name: b }\n",
      "top/b.yaml": "kind: Job\nenvironment: shop/staging\nname: b\ncpu: 250\n",
    },
    { sources: ["base", "top"] },
  );
  expect({ problems, cpu: documents.map(({ fields }) => fields["cpu"]) }).toEqual({
    problems: "",
    cpu: [undefined, 250],
  });
  expect(JSON.stringify(documents[0]?.fields)).toContain("debug: true");
});

test("mistakes in a use of a template point to the use; mistakes in the template are reported once, at the template, and name a use", async () => {
  const { problems } = await load({
    "template.yaml": template.replace(
      "memory: ${memory}",
      "memory: ${memory}\n    cpuu: 1\n    description: ${when}",
    ),
    "uses.yaml": `from: report
with: { name: a }
---
from: report
with: { name: b, memory: 4096 }
---
from: report
with: { nam: c }
---
from: raport
---
from: report
with: { name: d, color: red }
---
from: report
with: { name: e }
`,
  });
  expect(problems).toMatchInlineSnapshot(`
    "13:5 a Job has no field "cpuu" (template report, used at uses.yaml:1 and 1 more)
        did you mean cpu?
    14:18 the variable when is not set (template report, used at uses.yaml:1 and 1 more)
        set it, give it a default (\${when:-default}), or write $\${when} if the text is meant as it is
    5:26 memory must be 2048 or less, not 4096
        write a number in that range
    7:1 name is missing
        add name
    8:9 the template report has no parameter "nam"
        did you mean name?
    10:7 there is no template "raport"
        did you mean report?
    13:18 the template report has no parameter "color"
        it may have: name, tag, memory, arguments"
  `);
});

test.each([
  ["documents that are missing", "kind: Template\nname: a\n"],
  [
    "an unknown type",
    "kind: Template\nname: a\nparameters: { a: { type: text } }\ndocuments: [{ kind: Project }]\n",
  ],
  [
    "another repository at a branch",
    "kind: Template\nname: a\ngit: https://a.example/b\ncommit: main\npath: a.yaml\n",
  ],
  [
    "another repository without a commit",
    "kind: Template\nname: a\ngit: https://a.example/b\npath: a.yaml\n",
  ],
  ["two of a name", `${template}---\n${template}`],
  ["a template in a template", "kind: Template\nname: a\ndocuments: [{ from: b }]\n---\nfrom: a\n"],
  [
    "a list as a part of a text",
    'kind: Template\nname: a\nparameters: { a: { type: array, default: [] } }\ndocuments: [{ kind: Project, name: "x-${a}" }]\n---\nfrom: a\n',
  ],
])("a template is refused for %s", async (_case, text) => {
  expect((await load({ "a.yaml": text })).problems).toMatchSnapshot();
});

test("a template of another repository is read at its commit, and a wrong place is a problem at the template", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "--quiet", "other");
  writeFileSync(path.join(folder, "other/report.yaml"), template);
  git("-C", "other", "add", ".");
  git("-C", "other", "commit", "--quiet", "--message", "a");
  const commit = git("-C", "other", "rev-parse", "HEAD").trim();
  writeFileSync(path.join(folder, "other/report.yaml"), template.replace("512", "640"));
  git("-C", "other", "commit", "--quiet", "--all", "--message", "b");
  const remote = (file: string) =>
    `kind: Template\nname: report\ngit: ${folder}/other\ncommit: ${commit}\npath: ${file}\n---\nfrom: report\nwith: { name: x }\n`;
  const fetchTemplate: FetchTemplate = (desired) =>
    readFileAt({ url: desired.git, protocol: "file" }, desired.commit, desired.path, {
      env: process.env,
      signal: new AbortController().signal,
    });
  const { documents, problems } = await load({ "a.yaml": remote("report.yaml") }, { fetchTemplate });
  expect({ problems, memory: documents[0]?.fields["memory"] }).toEqual({ problems: "", memory: 512 });
  const wrong = await load({ "a.yaml": remote("nothing.yaml") }, { fetchTemplate });
  expect(wrong.problems.replaceAll(commit.slice(0, 7), "COMMIT")).toMatchInlineSnapshot(`
    "3:6 other@COMMIT:nothing.yaml cannot be read: the commit COMMIT has no file nothing.yaml (template report, used at a.yaml:7)
        check git, commit and path of the template"
  `);
  const unread = await load({ "a.yaml": remote("report.yaml") });
  expect(unread.problems).toContain("is not read here");
});

test("templates of a folder that is not on the disk are used too", async () => {
  const files = new Map([
    ["t.yaml", template],
    ["u.yaml", "from: report\nwith: { name: x }\n"],
  ]);
  const { documents, problems } = await loadFolder({
    name: "repo",
    paths: [...files.keys()],
    read: async (name) => new TextEncoder().encode(files.get(name)),
  });
  expect({ problems, names: documents.map(({ name }) => name) }).toEqual({ problems: [], names: ["x"] });
});
