import { dirname, join, relative } from "node:path";
import type { DumpedDocument } from "../../../core/import/live/index.ts";
import { anyManifestSchema } from "../../../core/manifest/index.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { settingsFileSchema } from "../../settings/file-schema.ts";
import { packageVersion } from "../../version.ts";
import { manifestFiles } from "../../support/write-manifests.ts";

/** The systems for which `init` writes a file. */
export const ciSystems = ["github", "gitlab", "none"] as const;
export type CiSystem = (typeof ciSystems)[number];

/** The facts on which the files of a new repository depend. */
export interface Beginning {
  folder: string;
  baseUrl: string;
  organization: string;
  /** The live resources; without any, the first manifest is one to begin with. */
  documents: readonly DumpedDocument[];
  /** The name of a cluster of the organization, if it has one. */
  cluster: string | undefined;
  ci: CiSystem;
}

/** A file with its text. */
export interface NewFile {
  name: string;
  text: string;
}

const schemaFile = join(".schemas", "manifest.schema.json");
const settingsSchemaFile = join(".schemas", "settings.schema.json");

/** The files of a new repository. */
export function beginningFiles(beginning: Beginning): NewFile[] {
  const { folder, ci } = beginning;
  return [
    {
      name: join(folder, settingsFileName),
      text: editorLine(folder, settingsSchemaFile, join(folder, settingsFileName)) + settingsText(beginning),
    },
    {
      name: join(folder, schemaFile),
      text: `${JSON.stringify(anyManifestSchema(), undefined, 2)}\n`,
    },
    {
      name: join(folder, settingsSchemaFile),
      text: `${JSON.stringify(settingsFileSchema(), undefined, 2)}\n`,
    },
    ...firstManifests(beginning).map(({ name, text }) => ({
      name,
      text: `${editorLine(folder, schemaFile, name)}${text}`,
    })),
    ...(ci === "github"
      ? [{ name: join(folder, ".github", "workflows", "infrasync.yaml"), text: githubText(beginning) }]
      : []),
    ...(ci === "gitlab" ? [{ name: join(folder, ".gitlab-ci.yml"), text: gitlabText(beginning) }] : []),
  ];
}

/** The lines that a `.gitignore` should have: files that are not for others to see. */
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

function firstManifests({ folder, documents, cluster }: Beginning): NewFile[] {
  const manifests = join(folder, "manifests");
  const described = manifestFiles(manifests, documents);
  if (documents.some(({ kind }) => kind.name === "Project")) return described;
  const environment =
    cluster === undefined
      ? ""
      : `---\nkind: Environment\nproject: my-project\nname: staging\nmode: STAGING\ncluster: ${scalar(cluster)}\n`;
  const text = `# Something to begin with: choose other names, then run infrasync plan manifests.\nkind: Project\nname: my-project\n${environment}`;
  return [...described, { name: exampleIn(folder), text }];
}

function settingsText({ baseUrl, organization }: Beginning): string {
  return `# Settings of infrasync. The token is not here: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains it.
# In CI, INFRASYNC_BASE_URL has to say the same as base_url.
base_url: ${scalar(baseUrl)}
organization: ${scalar(organization)}
`;
}

function githubText({ baseUrl }: Beginning): string {
  const job = (token: string, command: string) => `runs-on: ubuntu-latest
    env: { INFRASYNC_TOKEN: "\${{ secrets.${token} }}" }
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      - run: ${infrasync} ci ${command} manifests`;
  return `# Shows what a pull request would change, as a comment, and applies after the merge what was reviewed. The repository
# needs two secrets: INFRASYNC_READ_TOKEN (scope Read), and INFRASYNC_WRITE_TOKEN (scope Write) in the environment
# "production", which only the default branch may use.
on:
  pull_request:
  push: { branches: [main] }
permissions: { contents: read, pull-requests: write, statuses: write }
env:
  INFRASYNC_BASE_URL: ${scalar(baseUrl)}
  INFRASYNC_FORGE_TOKEN: \${{ github.token }}
jobs:
  plan:
    if: github.event_name == 'pull_request'
    ${job("INFRASYNC_READ_TOKEN", "plan")}
  apply:
    if: github.event_name == 'push'
    environment: production
    concurrency: infrasync-apply
    ${job("INFRASYNC_WRITE_TOKEN", "apply")}
`;
}

function gitlabText({ baseUrl }: Beginning): string {
  return `# Shows what a merge request would change, as a note, and applies after the merge what was reviewed. The project needs
# three masked variables: INFRASYNC_READ_TOKEN (scope Read), INFRASYNC_WRITE_TOKEN (scope Write, protected), and
# INFRASYNC_FORGE_TOKEN (an access token of the project with the scope api and the role Developer).
variables:
  INFRASYNC_BASE_URL: ${scalar(baseUrl)}
plan:
  image: node:24
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_READ_TOKEN ${infrasync} ci plan manifests
apply:
  image: node:24
  rules: [{ if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  resource_group: infrasync
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_WRITE_TOKEN ${infrasync} ci apply manifests
`;
}

const infrasync = `npx --yes infrasync@${packageVersion()}`;

/** A text as a YAML scalar on one line. */
function scalar(text: string): string {
  return /^[A-Za-z][\w./:-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text) && !text.endsWith(":")
    ? text
    : JSON.stringify(text);
}
