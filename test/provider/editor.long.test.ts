import path from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { kinds } from "../../core/model/kinds/index.ts";
import { inputSchema } from "../../provider/lifecycle/inputs.ts";

const root = path.join(import.meta.dirname, "..", "..");
const file = path.join(root, "test", "provider", "in-the-editor.ts");

/** The program of the documentation, and some mistakes. */
const program = `
import { ${kinds.map(({ name }) => name).join(", ")} } from "../../provider/index.ts";

const shop = new Project("shop", { name: "shop" });
const staging = new Environment("staging", { project: shop.id, name: "staging", mode: "STAGING", cluster: "eu-west" });
const api = new Application("api", {
  environment: staging.id, name: "api",
  gitRepository: { url: "…", branch: "main" },
  ports: [{ internalPort: 8080, publiclyAccessible: true }],
});
const nightly = new Job("nightly", {
  environment: staging.id, name: "nightly",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
});
export const migrate = new Job("migrate", { environment: staging.id, name: "migrate", cloneFrom: nightly.id, cpu: 250 });
export const copy = new Environment("copy", { project: shop.id, name: "copy", mode: staging.mode, cluster: staging.cluster });
export const same = new Job("same", {
  environment: copy.id, name: "same",
  source: nightly.source, schedule: nightly.schedule, labelsGroups: nightly.labelsGroups, iconUri: nightly.iconUri,
});
export const cpu: import("@pulumi/pulumi").Output<number> = migrate.cpu;
export const registry = nightly.source.apply(({ image }) => image?.registry.name);
export const mode = api.ports.apply(([port]) => port?.internalPort);
`;
const mistakes = `
new Job("a", { environment: staging.id });
new Job("b", { environment: staging.id, name: "b", memmory: 1 });
new Job("c", { environment: staging.id, name: "c", cpuArchitecture: "arm" });
new Job("d", { environment: staging.id, name: "d", source: { image: { image_name: "x" } } });
`;
const empty = kinds.map(({ name }) => `new ${name}("every", {  });\n`).join("");

let service: ts.LanguageService;
const text = program + mistakes + empty;

beforeAll(() => {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
});

test("the program of the documentation has no error, and each mistake has one", () => {
  const lines = service
    .getSemanticDiagnostics(file)
    .filter(({ start = 0 }) => start < text.length - empty.length)
    .map(({ start, messageText }) => ({
      line: text.slice(0, start).split("\n").length - program.split("\n").length,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  expect(lines).toEqual([
    { line: 1, message: expect.stringContaining("Property 'name' is missing") },
    { line: 2, message: expect.stringContaining("'memmory' does not exist") },
    { line: 3, message: expect.stringContaining('"arm"') },
    { line: 4, message: expect.stringContaining("'image_name' does not exist") },
  ]);
});

test.each([
  ["cpu: 250", "CPU in millicores: 1000 is one CPU. Default: `500`."],
  ["imageName:", "Image name; its form depends on the registry"],
  ["scheduledAt:", "Cron expression of five fields, without seconds."],
  ["cluster:", "A change replaces the resource: an environment cannot be moved to another cluster."],
  ["cloneFrom:", "Id of the Job to clone when it is created"],
  ["Job(", "A job runs on a schedule"],
  ["source.apply", "Source of the job: `image` or `docker`."],
  ["internalPort)", "Port that the container listens on."],
])("an editor explains %s", (place, explanation) => {
  const info = service.getQuickInfoAtPosition(file, text.indexOf(place) + 1);
  expect(ts.displayPartsToString(info?.documentation)).toContain(explanation);
});

test.each(kinds)("an editor proposes every input of $name with its explanation", (kind) => {
  const position = text.indexOf(`new ${kind.name}("every", { `) + `new ${kind.name}("every", { `.length;
  const proposals = service.getCompletionsAtPosition(file, position, {})?.entries.map(({ name }) => name);
  const inputs = Object.entries(inputSchema(kind).properties ?? {});
  expect(proposals?.toSorted()).toEqual(inputs.map(([name]) => name).toSorted());
  for (const [name, { description = "none" }] of inputs) {
    const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, {}, undefined);
    expect(ts.displayPartsToString(details?.documentation)).toContain(description);
  }
});
