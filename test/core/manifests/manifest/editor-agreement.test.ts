import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { anyManifestSchema, parseManifest } from "../../../../core/manifests/manifest/index.ts";
import { Variables } from "../../../../core/source/variables.ts";

const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  keywords: ["markdownDescription", "defaultSnippets", "patternErrorMessage"],
});
addFormats.default(ajv, ["email", "uri", "uuid", "date-time"]);
const editor = ajv.compile(anyManifestSchema());

const variables = () =>
  new Variables(
    new Map([
      ["CPU", "500"],
      ["ON", "true"],
      ["WORD", "text"],
      ["MODE", "STAGING"],
      ["CRON", "0 3 * * *"],
      ["ID", "6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b"],
      ["PLACE", "shop/staging"],
    ]),
  );

const image = "source: { image: { registry: docker-hub, image_name: a, tag: '1' } }";
const job = (fields: string) =>
  `kind: Job\nenvironment: shop/staging\nname: x\n${image}\nschedule: { on_start: {} }\n${fields}`;
const bare = (fields: string) => `kind: Job\nenvironment: shop/staging\nname: x\n${fields}`;
const environment = (fields: string) => `kind: Environment\nproject: shop\nname: staging\n${fields}`;

const accepted: string[] = [
  job("cpu: 250"),
  job("cpu: ${CPU}"),
  job("auto_deploy: ${ON}"),
  environment("mode: ${MODE}"),
  environment("mode: STAGING"),
  job("schedule: { cronjob: { scheduled_at: '${CRON}', timezone: UTC } }").replace(
    "schedule: { on_start: {} }\n",
    "",
  ),
  job("manage: { id: '${ID}' }"),
  job("manage:\n  protect: ${ON}"),
  "kind: Job\nenvironment: ${PLACE}\nname: x-${WORD}\n",
  job("name: x").replace("name: x\n", ""),
  job("icon_uri: ${WORD}://icon"),
  job("variables: { A: text, B: { value: text }, C: null }"),
  job("variables:\n  A: ${WORD}\n  B: { value: 'x-${WORD}' }"),
  job("variables: { A: { value: '' } }"),
  job("variables: { A: { alias_of: B } }"),
  job("variables: { A: { file: { mount_path: /a, text: b } } }"),
  job("variables: {}"),
  job("secrets: { A: { from_env: X } }"),
  job("secrets: { A: { from_sops: 'x.yaml#a[0]' } }"),
  job("secrets:\n  A:\n    from_env: ${WORD}\n    allow_empty: ${ON}"),
  job("secrets: { A: null }"),
  job("secrets: { A: { version: '2' } }"),
  job("description: null"),
  job("cpu: null"),
  bare("clone: { from: shop/staging/y }"),
  bare("clone:\n  from: ${PLACE}/y"),
  bare("$remove: true"),
  bare("schedule: { on_start: {}, on_stop: {} }"),
  bare("schedule: { on_start: { arguments: [a] } }"),
  bare("source: { image: { tag: '2' } }"),
  bare("source: { image: null, docker: { git_repository: { branch: main } } }"),
  bare("labels_groups: [a, b]"),
  "kind: Project\nname: x\n",
  "kind: Project\nname: x\nmanage: { consent: 'replace-1234' }\n",
  "kind: Defaults\nfor: Job\nproject: shop\ncpu: ${CPU}\n",
  "kind: Defaults\nfor: '*'\nproject: shop\nmanage: { protect: true }\n",
  "kind: Defaults\nfor: Job\nenvironment: shop/staging\nvariables: { A: b }\n",
  "kind: GitToken\nname: bot\ntype: GITHUB\ntoken: { from_env: X }\n",
];

const refused: string[] = [
  bare("source: {}"),
  bare("schedule: {}"),
  job("variables: { A: {} }"),
  job("variables: { A: { file: {} } }"),
  job("secrets: { A: {} }"),
  job("secrets: { A: hunter2 }"),
  job("secrets: { A: { value: hunter2 } }"),
  job("secrets: { A: { from_env: X, from_file: y } }"),
  job("secrets: { A: { from_env: '' } }"),
  job("secrets: { A: { from_sops: x.yaml } }"),
  job("secrets: { A: { from_env: X, rotate: true } }"),
  job("secrets: { A: { from_env: 5 } }"),
  job("secrets: { A: { from_env: X, allow_empty: maybe } }"),
  job("variables: { A: 5 }"),
  job("variables: { A: true }"),
  job("variables: { 1A: b }"),
  job("variables: { A: { value: b, alias_of: C } }"),
  job("variables: { A: { value: null } }"),
  job("variables: { A: [b] }"),
  job("variables: [A]"),
  job("cpu: a"),
  job("cpu: '250'"),
  job("cpu: 2.5"),
  job("cpu: 0"),
  job("auto_deploy: yes please"),
  job("auto_deploy: null"),
  job("port: 70000"),
  job("nothing: 1"),
  job("name: ''").replace("name: x\n", ""),
  job("name: ' x'").replace("name: x\n", ""),
  "kind: Job\nenvironment: staging\nname: x\n",
  "kind: Job\nname: x\n",
  "kind: Nothing\nname: x\n",
  "name: x\n",
  environment("mode: TESTING"),
  environment("clone: { from: staging }"),
  bare("clone: {}"),
  bare("$remove: false"),
  bare("$remove: true\ncpu: 250"),
  bare("schedule: { cronjob: {}, on_start: {} }"),
  bare("schedule: { cronjob: { scheduled_at: daily } }"),
  bare("source: { image: {}, docker: {} }"),
  bare("labels_groups: [a, a]"),
  bare("labels_groups: [null]"),
  job("manage: { keep: true }"),
  job("manage: { ignore: [nothing] }"),
  job("manage: { ignore: cpu }"),
  job("manage: { id: x }"),
  job("manage: null"),
  job("icon_uri: x"),
  "kind: Defaults\nproject: shop\ncpu: 250\n",
  "kind: Defaults\nfor: Job\ncpu: 250\n",
  "kind: Defaults\nfor: Job\nproject: shop\nname: x\n",
  "kind: Defaults\nfor: Job\nproject: shop\nenvironment: shop/staging\n",
  "kind: Defaults\nfor: Job\nproject: shop\ndefaults: { cpu: 250 }\n",
  "kind: Defaults\nfor: Job\nproject: shop\nmanage: { id: 6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b }\n",
  "kind: Defaults\nfor: '*'\nproject: shop\ndefaults: { cpu: 250 }\n",
  "kind: Defaults\nfor: Project\nproject: shop\n",
  "kind: GitToken\nname: bot\ntype: GITHUB\ntoken: {}\n",
  "kind: GitToken\nname: bot\ntype: GITHUB\ntoken: hunter2\n",
  "kind: GitToken\nname: bot\ntype: GITHUB\ntoken: null\n",
];

/** Whether each of the two accepts a document: the schema that editors use, and the command line. */
function verdicts(text: string) {
  const isValid = editor(parse(text, { schema: "core" }));
  const { problems } = parseManifest(text, "x.yaml", variables());
  return {
    editor: isValid ? "accepts" : "refuses",
    commandLine: problems.length === 0 ? "accepts" : "refuses",
  };
}

test.each(accepted)("the editor and the command line accept: %s", (text) => {
  expect(verdicts(text)).toEqual({ editor: "accepts", commandLine: "accepts" });
});

test.each(refused)("the editor and the command line refuse: %s", (text) => {
  expect(verdicts(text)).toEqual({ editor: "refuses", commandLine: "refuses" });
});

test.each(["Job", "'*'"])("defaults around the fields of defaults are refused with a hint: for %s", (of) => {
  const { problems } = parseManifest(
    `kind: Defaults\nfor: ${of}\nproject: shop\ndefaults: { cpu: 250 }\n`,
    "x.yaml",
  );
  expect(problems).toMatchObject([
    {
      message: 'defaults have no member "defaults"',
      advice: "write the fields themselves, beside kind, for and project",
      position: { line: 4, column: 1 },
    },
  ]);
});
