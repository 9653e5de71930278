import { scalar } from "./scalar.ts";
import { type CiPackage, installation } from "./package.ts";

/** The inputs of the files for CI. */
interface Pipeline {
  baseUrl: string;
  ciPackage: CiPackage;
}

/** A workflow for GitHub. Only the step that runs infrasync has tokens. */
export function githubText({ baseUrl, ciPackage }: Pipeline): string {
  const job = (token: string, command: string) => `runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: 24 }
      # Lists that one job has read cost the next job no request. The cache contains names and ids, and no values.
      - uses: actions/cache@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0
        with:
          path: ~/.cache/infrasync/parts
          key: infrasync-${command}-\${{ github.run_id }}
          restore-keys: infrasync-${command}-
      - run: |
${lines(ciPackage, 10)}
      - run: infrasync ci ${command} manifests
        env:
          INFRASYNC_TOKEN: \${{ secrets.${token} }}
          INFRASYNC_GIT_HOST_TOKEN: \${{ github.token }}`;
  return `# Shows what a pull request would change, as a comment, and applies the reviewed plan after the merge. The repository
# needs two secrets: INFRASYNC_READ_TOKEN (scope Read), and INFRASYNC_WRITE_TOKEN (scope Write) in the environment
# "production", which only the default branch may use.${registryNote(ciPackage)}
on:
  pull_request:
  merge_group:
  push: { branches: [main] }
permissions: { contents: read, pull-requests: write, statuses: write }
env:
  INFRASYNC_BASE_URL: ${scalar(baseUrl)}
jobs:
  plan:
    if: github.event_name != 'push'
    ${job("INFRASYNC_READ_TOKEN", "plan")}
  apply:
    if: github.event_name == 'push'
    environment: production
    concurrency: { group: infrasync-apply, queue: max }
    ${job("INFRASYNC_WRITE_TOKEN", "apply")}
`;
}

export function gitlabText({ baseUrl, ciPackage }: Pipeline): string {
  return `# Shows what a merge request would change, as a note, and applies the reviewed plan after the merge. The project needs
# three masked variables: INFRASYNC_READ_TOKEN (scope Read), INFRASYNC_WRITE_TOKEN (scope Write, protected), and
# INFRASYNC_GIT_HOST_TOKEN (an access token of the project with the scope api and the role Developer).${registryNote(ciPackage)}
# No newer commit cancels the apply of an older one.
workflow: { auto_cancel: { on_new_commit: none } }
variables:
  INFRASYNC_BASE_URL: ${scalar(baseUrl)}
  INFRASYNC_CACHE: $CI_PROJECT_DIR/.infrasync-cache
default:
  image: node:24
  # Lists that one job has read cost the next job no request. The cache contains names and ids, and no values.
  cache: { key: infrasync-$CI_JOB_NAME, paths: [.infrasync-cache] }
  before_script:
    - |
${lines(ciPackage, 6)}
plan:
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_READ_TOKEN infrasync ci plan manifests
apply:
  rules: [{ if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  resource_group: infrasync
  script:
    - INFRASYNC_TOKEN=$INFRASYNC_WRITE_TOKEN infrasync ci apply manifests
`;
}

function lines(ciPackage: CiPackage, indentation: number): string {
  return installation(ciPackage)
    .map((line) => " ".repeat(indentation) + line)
    .join("\n");
}

function registryNote(ciPackage: CiPackage): string {
  if (!("scope" in ciPackage)) return "";
  return `\n# A line of .npmrc names the registry of the package: ${ciPackage.scope}:registry=https://npm.example.com`;
}
