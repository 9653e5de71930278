/**
 * Commands of other tools, each with a sentence that says what does it here. Only names that mean a deletion lead to
 * `destroy`: nobody who types something else may be led there.
 */
const commandHabits: Readonly<Record<string, string>> = {
  up: "infrasync apply changes live resources to match the manifests",
  sync: "infrasync apply changes live resources to match the manifests",
  create: "infrasync apply creates what the manifests describe",
  update: "infrasync apply changes live resources to match the manifests",
  edit: "edit the manifest, then infrasync apply",
  preview: "infrasync plan shows what apply would change",
  refresh:
    "every infrasync plan reads the live resources; infrasync dump --update lets the manifests take over what is live",
  delete:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  rm: "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  down: "infrasync destroy deletes what the manifests describe, and infrasync stop stops services",
  import: "infrasync dump writes manifests of live resources, and from then on they are managed",
  export: "infrasync dump writes manifests of live resources",
  pull: "infrasync dump writes manifests of live resources",
  state: "there is no state: every run reads the live resources, and infrasync list shows them",
  workspace:
    "there are no workspaces: a document names its project and environment; overlays hold what differs",
  lint: "infrasync validate checks manifests without sending requests",
  check: "infrasync validate checks manifests without sending requests",
  test: "infrasync validate checks manifests, and infrasync emulator starts an API to try them against",
  fmt: "infrasync has no formatter: any formatter of YAML does it",
  build: "infrasync render prints the manifests with overlays, defaults and variables resolved",
  template: "infrasync render prints the manifests with overlays, defaults and variables resolved",
  kustomize: "infrasync render prints the manifests with overlays, defaults and variables resolved",
  describe: "infrasync get shows one live resource as a whole",
  ls: "infrasync list shows live resources",
  ps: "infrasync status shows how environments and services are",
  rollback: "revert the commit and apply, or deploy an earlier version with infrasync deploy --image-tag TAG",
  run: "infrasync deploy deploys environments or services, jobs too",
  start: "infrasync deploy starts environments or services",
  watch: "infrasync reconcile keeps a repository and the API in step",
  serve: "infrasync reconcile keeps a repository and the API in step",
  login: "there is no login: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
  logout: "there is no login: unset INFRASYNC_TOKEN",
  config:
    "settings are in infrasync.config.yaml, in INFRASYNC_ variables and in flags: see infrasync plan --help",
};

/** Complaints of the parser about options of other tools, each with what does it here. */
export const optionHabits: readonly [complaint: RegExp, advice: string][] = [
  [
    /^unknown option '(?:-f|--file|--filename|-R|--recursive)'$/,
    "name files and folders without a flag: infrasync apply manifests",
  ],
  [
    /^unknown option '--dry-run'$/,
    "infrasync plan shows the changes of apply, infrasync plan --destroy those of destroy",
  ],
  [/^unknown option '--json'$/, "--output json prints one JSON document"],
  [/^unknown option '--yes'$/, "leave it out: this command asks for no confirmation"],
  [/^unknown option '--?y/, "did you mean --yes?"],
  [/^unknown option '-var'$/, "write it with two dashes: --var NAME=VALUE"],
  [/^unknown option '-var-file'$/, "write it with two dashes: --var-file FILE"],
  [
    /^unknown option '(?:-n|--namespace|-e|--env|--environment)'$/,
    "a document names its environment; to choose those of one environment, use --target 'PROJECT/ENVIRONMENT/**'",
  ],
  [
    /^unknown option '--project'$/,
    "a document names its project; to choose those of one, use --target 'PROJECT/**'",
  ],
  [
    /^unknown option '(?:-k|--kustomize)'$/,
    "an overlay is a folder named after the one below it: infrasync apply base overlays/staging",
  ],
  [
    /^unknown option '(?:-l|--selector)'$/,
    "there are no labels to select by; use --target 'job:shop/staging/*'",
  ],
  [/^unknown option '(?:--force|--approve)'$/, "--yes skips the confirmation"],
  [/^unknown option '(?:-v|-vv|-vvv|--verbose|--debug)'$/, "--log-level debug logs every request"],
  [
    /^unknown option '(?:-q|--quiet|--silent)'$/,
    "leave it out, or send standard error elsewhere: progress is written there",
  ],
  [/^unknown option '(?:-w|--watch)'$/, "infrasync reconcile keeps a repository and the API in step"],
  [/^unknown option '(?:--server|--url|--host|--endpoint)'$/, "--base-url sets the URL of the API"],
  [/^unknown option '--org'$/, "--organization names the organization"],
  [
    /^unknown option '(?:-p|--parallel|--concurrency)'$/,
    "--parallelism sets how many changes are made at the same time",
  ],
  [
    /^unknown option '(?:--refresh|--refresh-only|-refresh-only|-refresh)'$/,
    "leave it out: every plan reads the live resources",
  ],
  [
    /^option '-o, --output <format>' argument 'ya?ml' /,
    "infrasync render, get and dump print YAML without a flag; for programs use --output json",
  ],
  [
    /^option '-o, --output <format>' argument 'wide' /,
    "leave it out: list and status show all their columns",
  ],
  [
    /^option '-o, --output <format>' argument '/,
    "to write to a file or folder, use --out with plan, dump or schema",
  ],
];

/** What does here what a command of another tool does; undefined for a name that no tool is known to have. */
export function commandHabit(name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(commandHabits, key) ? commandHabits[key] : undefined;
}
