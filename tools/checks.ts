// Makes the code that is not checked in, because it follows from the schemas: the code that checks documents, inputs of
// programs and policies (ajv turns each schema into a function, which takes longer than a whole small plan), the types
// of documents, and the classes of the Pulumi provider. `npm run build` does so, and so do all readers of the sources:
// the typecheck, the tests, `npm run infrasync`.
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FieldSchema } from "../core/model/schema/field-schema.ts";
import type { Formats } from "../core/model/schema/format.ts";
import { replaceFile } from "./generated-files.ts";
import { isNewer } from "./newer.ts";
import { sourceFolders } from "./source-folders.ts";

const checkout = path.join(import.meta.dirname, "..");

/** Written last. */
const stamp = path.join(checkout, ".cache", "checks");

/** The inputs of the code. */
const ingredients = [...sourceFolders, "tools", "package.json", "package-lock.json"];

interface Subject {
  name: string;
  schema: FieldSchema;
  formats: Formats;
}

let made: Promise<void> | undefined;

/** Updates the code: a file for each schema, and an index of them. */
export function makeChecks(): Promise<void> {
  return (made ??= makeStale());
}

async function makeStale(): Promise<void> {
  if (
    await isNewer(
      stamp,
      ingredients.map((name) => path.join(checkout, name)),
    )
  )
    return;
  for await (const [folder, subjects] of schemas()) await writeChecks(path.join(checkout, folder), subjects);
  const { documentTypes } = await import("./document-types.ts");
  replaceFile("core/manifests/manifest/document-types.ts", documentTypes());
  const { providerFiles } = await import("./provider-types.ts");
  const { exampleSections } = await import("./pulumi/programs/index.ts");
  const { packageSchema } = await import("./pulumi/schema/index.ts");
  const { packageVersion } = await import("../provider/plugin/types.ts");
  const text = JSON.stringify(packageSchema(packageVersion(), undefined, exampleSections()));
  const schema = `/** The schema of the package, in the form of Pulumi. */\nexport const schema = ${JSON.stringify(text)};\n`;
  await writeFiles(
    path.join(checkout, "provider/generated"),
    new Map([...providerFiles(), ["schema.ts", schema]]),
  );
  await mkdir(path.dirname(stamp), { recursive: true });
  await writeFile(stamp, "");
}

/** Each of these may load the code of those before it. */
async function* schemas(): AsyncGenerator<[folder: string, subjects: Subject[]]> {
  const { kinds } = await import("../core/model/kinds/index.ts");
  const { documentSchema } = await import("../core/manifests/manifest/document-schema.ts");
  const { templateSchema, useSchema } = await import("../core/manifests/manifest/template-schema.ts");
  const { formatsFor } = await import("../core/manifests/manifest/formats.ts");
  const { inputFormats, inputSchema } = await import("../provider/lifecycle/inputs.ts");
  const { deploymentInputs } = await import("../provider/lifecycle/deployment-inputs.ts");
  const { accessFormats, accessSchema } = await import("../reconciler/people/access-schema.ts");
  const { sourceFormats, sourceSchema, sourceSetSchema } =
    await import("../reconciler/sources/source-schema.ts");
  const { policyFormats, policySchema } = await import("../reconciler/policy/schema.ts");
  const { declaredFormats } = await import("../reconciler/declaration-formats.ts");
  const { sectionsSchema, settingsFormats } = await import("../core/manifests/settings/schema.ts");
  yield [
    "core/manifests/manifest/checks",
    [
      ...kinds.map((kind) => ({ name: kind.name, schema: documentSchema(kind), formats: formatsFor(kind) })),
      { name: "Template", schema: templateSchema, formats: {} },
      { name: "TemplateUse", schema: useSchema, formats: {} },
    ],
  ];
  yield [
    "provider/lifecycle/checks",
    [
      ...kinds.map((kind) => ({ name: kind.name, schema: inputSchema(kind) })),
      { name: "Deployment", schema: deploymentInputs },
    ].map((each) => ({ ...each, formats: inputFormats })),
  ];
  yield [
    "core/manifests/settings/checks",
    [{ name: "Sections", schema: sectionsSchema, formats: settingsFormats }],
  ];
  yield ["reconciler/people/checks", [{ name: "Access", schema: accessSchema, formats: accessFormats }]];
  yield [
    "reconciler/sources/checks",
    [
      { name: "Source", schema: sourceSchema, formats: sourceFormats },
      { name: "SourceSet", schema: sourceSetSchema, formats: sourceFormats },
    ],
  ];
  yield ["reconciler/policy/checks", [{ name: "Policy", schema: policySchema, formats: policyFormats }]];
  const { routesSchema } = await import("../reconciler/notify/routes-schema.ts");
  yield ["reconciler/notify/checks", [{ name: "Routes", schema: routesSchema, formats: declaredFormats }]];
}

async function writeChecks(folder: string, subjects: readonly Subject[]): Promise<void> {
  const { checkCode } = await import("./check-code.ts");
  const files = new Map(subjects.map((subject) => [`${subject.name.toLowerCase()}.js`, checkCode(subject)]));
  files.set("index.js", indexOf(subjects));
  await writeFiles(folder, files);
}

/** Writes code into a folder, and removes earlier code from it. */
async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) {
    // Another process may be reading it.
    const incomplete = path.join(checkout, ".cache", `made-${process.pid}`);
    await mkdir(path.dirname(incomplete), { recursive: true });
    await writeFile(incomplete, text);
    await rename(incomplete, path.join(folder, name));
  }
  for (const name of await readdir(folder))
    if (!name.endsWith(".d.ts") && !files.has(name)) await rm(path.join(folder, name));
}

function indexOf(subjects: readonly Subject[]): string {
  const names = subjects.map(({ name }) => name);
  return [
    ...names.map((name) => `import { check as ${name} } from "./${name.toLowerCase()}.js";`),
    `export const checks = { ${names.join(", ")} };\n`,
  ].join("\n");
}

if (import.meta.main) await makeChecks();
