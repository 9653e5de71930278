import { dirname, join, relative } from "node:path";
import type { DumpedDocument } from "../../core/dump/index.ts";
import { anyManifestSchema } from "../../core/manifest/index.ts";
import { settingsFileName } from "../../core/source/files.ts";
import { packageVersion } from "../version.ts";
import { manifestFiles } from "./write-manifests.ts";

/** The systems for which `init` writes a file. */
export const ciSystems = ["github", "gitlab", "none"] as const;
export type CiSystem = (typeof ciSystems)[number];

/** What the files of a new repository depend on. */
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

/** The files of a new repository. */
export function beginningFiles(beginning: Beginning): NewFile[] {
  const { folder, ci } = beginning;
  return [
    { name: join(folder, settingsFileName), text: settingsText(beginning) },
    {
      name: join(folder, schemaFile),
      text: `${JSON.stringify(anyManifestSchema(), undefined, 2)}\n`,
    },
    ...firstManifests(beginning).map(({ name, text }) => ({
      name,
      text: `# yaml-language-server: $schema=${schemaFrom(folder, name)}\n${text}`,
    })),
    ...(ci === "github"
      ? [{ name: join(folder, ".github", "workflows", "infrasync.yaml"), text: githubText(beginning) }]
      : []),
    ...(ci === "gitlab" ? [{ name: join(folder, ".gitlab-ci.yml"), text: gitlabText(beginning) }] : []),
  ];
}

/** The lines that a `.gitignore` should have: files that are not for others to see. */
export const ignoredFiles = ["plan.json", ".env", "*.token"];

function schemaFrom(folder: string, file: string): string {
  return relative(dirname(file), join(folder, schemaFile)).replaceAll("\\", "/");
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
  return [...described, { name: join(manifests, "my-project.yaml"), text }];
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
    env:
      INFRASYNC_BASE_URL: ${scalar(baseUrl)}
      INFRASYNC_TOKEN: \${{ secrets.${token} }}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      - run: ${infrasync} ${command}`;
  return `# Shows what a pull request would change, and applies the manifests after the merge. The repository needs two secrets:
# INFRASYNC_READ_TOKEN (role Read) and INFRASYNC_WRITE_TOKEN (role Write).
on:
  pull_request:
  push: { branches: [main] }
permissions: { contents: read }
jobs:
  plan:
    if: github.event_name == 'pull_request'
    ${job("INFRASYNC_READ_TOKEN", "plan manifests")}
  apply:
    if: github.event_name == 'push'
    concurrency: infrasync
    ${job("INFRASYNC_WRITE_TOKEN", "apply manifests --yes")}
`;
}

function gitlabText({ baseUrl }: Beginning): string {
  return `# Shows what a merge request would change, and applies the manifests after the merge. The project needs two masked
# variables: INFRASYNC_READ_TOKEN (role Read), and INFRASYNC_WRITE_TOKEN (role Write, protected).
variables:
  INFRASYNC_BASE_URL: ${scalar(baseUrl)}
plan:
  image: node:24
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_READ_TOKEN ${infrasync} plan manifests
apply:
  image: node:24
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  resource_group: infrasync
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_WRITE_TOKEN ${infrasync} apply manifests --yes
`;
}

const infrasync = `npx --yes infrasync@${packageVersion()}`;

/** A text as a YAML scalar on one line. */
function scalar(text: string): string {
  return /^[A-Za-z][\w./:-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text) && !text.endsWith(":")
    ? text
    : JSON.stringify(text);
}
