import { dirname, join, relative } from "node:path";
import type { DumpedDocument } from "../../../core/import/live/index.ts";
import { anyManifestSchema } from "../../../core/manifests/manifest/index.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { settingsFileSchema } from "../../settings/file-schema.ts";
import { type FileToWrite, manifestFiles } from "../../files/write-files.ts";
import type { CiPackage } from "./package.ts";
import { githubText, gitlabText } from "./pipelines.ts";
import { scalar } from "./scalar.ts";

/** The systems for which `init` writes a file. */
export const ciSystems = ["github", "gitlab", "none"] as const;
export type CiSystem = (typeof ciSystems)[number];

export interface RepositoryFacts {
  folder: string;
  baseUrl: string;
  organization: string;
  /** The live resources; without any, the first manifest is an example. */
  documents: readonly DumpedDocument[];
  /** The name of a cluster of the organization, if it has one. */
  cluster: string | undefined;
  ci: { system: "github" | "gitlab"; ciPackage: CiPackage } | { system: "none" };
}

const schemaFile = join(".schemas", "manifest.schema.json");
const settingsSchemaFile = join(".schemas", "settings.schema.json");

export function beginningFiles(beginning: RepositoryFacts): FileToWrite[] {
  const { folder, baseUrl, ci } = beginning;
  return [
    {
      name: join(folder, settingsFileName),
      text: editorLine(folder, settingsSchemaFile, join(folder, settingsFileName)) + settingsText(beginning),
    },
    { name: join(folder, schemaFile), text: `${JSON.stringify(anyManifestSchema(), undefined, 2)}\n` },
    {
      name: join(folder, settingsSchemaFile),
      text: `${JSON.stringify(settingsFileSchema(), undefined, 2)}\n`,
    },
    ...firstManifests(beginning).map(({ name, text }) => ({
      name,
      text: `${editorLine(folder, schemaFile, name)}${text}`,
    })),
    ...(ci.system === "github"
      ? [
          {
            name: join(folder, ".github", "workflows", "infrasync.yaml"),
            text: githubText({ baseUrl, ...ci }),
          },
        ]
      : []),
    ...(ci.system === "gitlab"
      ? [{ name: join(folder, ".gitlab-ci.yml"), text: gitlabText({ baseUrl, ...ci }) }]
      : []),
  ];
}

/** The lines for a `.gitignore`: private files. */
export const ignoredFiles = ["plan.json", ".env", "*.token"];

/** The first line of a file, from which editors know its schema. */
function editorLine(folder: string, schema: string, file: string): string {
  const from = relative(dirname(file), join(folder, schema)).replaceAll("\\", "/");
  return `# yaml-language-server: $schema=${from}\n`;
}

/** The file of the first manifest of an organization without projects. */
export function exampleIn(folder: string): string {
  return join(folder, "manifests", "my-project.yaml");
}

function firstManifests({ folder, documents, cluster }: RepositoryFacts): FileToWrite[] {
  const manifests = join(folder, "manifests");
  const declared = manifestFiles(manifests, documents);
  if (documents.some(({ kind }) => kind.name === "Project")) return declared;
  const environment =
    cluster === undefined
      ? ""
      : `---\nkind: Environment\nproject: my-project\nname: staging\nmode: STAGING\ncluster: ${scalar(cluster)}\n`;
  const text = `# Something to begin with: choose other names, then run infrasync plan manifests.\nkind: Project\nname: my-project\n${environment}`;
  return [...declared, { name: exampleIn(folder), text }];
}

function settingsText({ baseUrl, organization, ci }: RepositoryFacts): string {
  const deploying =
    ci.system === undefined
      ? ""
      : "# Nothing is deployed unasked. To deploy with each apply, also services that were never deployed, and to fail if a deployment fails:\n# deploy: true\n# wait: true\n";
  return `# Settings of infrasync. The token is not here: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains it.
# In CI, INFRASYNC_BASE_URL has to say the same as base_url.
base_url: ${scalar(baseUrl)}
organization: ${scalar(organization)}
${deploying}`;
}
