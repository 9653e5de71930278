/**
 * Commands of other tools, each with a sentence that says what does it here. Only names that mean a deletion lead to
 * `destroy`: nobody who types something else may be led there.
 */
export const commandHabits: Readonly<Record<string, string>> = {
  up: "infrasync apply changes live resources to match the manifests",
  sync: "infrasync apply changes live resources to match the manifests",
  create: "infrasync apply creates what the manifests describe",
  update: "infrasync apply changes live resources to match the manifests",
  drift: "infrasync plan shows where live resources differ from the manifests",
  refresh:
    "every infrasync plan reads the live resources; infrasync dump --update lets the manifests take over what is live",
  delete:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  rm: "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  down: "infrasync destroy deletes what the manifests describe, and infrasync stop stops services",
  uninstall:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  import:
    "infrasync dump writes manifests of live resources, and infrasync convert those of a Terraform state; from then on they are managed",
  export: "infrasync dump writes manifests of live resources",
  state:
    "there is no state: every run reads the live resources, and infrasync list shows them; infrasync convert reads a Terraform state",
  terraform: "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages",
  lint: "infrasync validate checks manifests without sending requests",
  fmt: "there is no formatter: any formatter of YAML does it",
  template: "infrasync render prints the manifests with overlays, defaults and variables resolved",
  describe: "infrasync get shows one live resource as a whole",
  ls: "infrasync list shows live resources",
  ps: "infrasync status shows how environments and services are",
  rollback: "revert the commit and apply, or deploy an earlier version with infrasync deploy --image-tag TAG",
  run: "infrasync deploy deploys environments or services, jobs too",
  watch: "infrasync reconcile keeps a repository and the API in step",
  login: "there is no login: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
};

/** Complaints of the parser about options of other tools, each with what does it here. */
export const optionHabits: readonly [complaint: RegExp, advice: string][] = [
  [
    /^unknown option '(?:-f|--file|--filename|-R|--recursive)'$/,
    "name files and folders without a flag, such as infrasync plan manifests",
  ],
  [
    /^unknown option '--dry-run'$/,
    "infrasync plan shows the changes of apply, infrasync plan --destroy those of destroy",
  ],
  [/^unknown option '(?:--json|-json)'$/, "--output json prints one JSON document"],
  [/^unknown option '--yes'$/, "leave it out: this command asks for no confirmation"],
  [/^unknown option '--?y/, "did you mean --yes?"],
  [/^unknown option '-var'$/, "write it with two dashes: --var NAME=VALUE"],
  [
    /^unknown option '(?:-n|--namespace|-e|--env|--environment)'$/,
    "a document names its environment; to choose those of one environment, use --target 'PROJECT/ENVIRONMENT/**'",
  ],
  [
    /^unknown option '(?:-l|--selector|--select-tag|--tags)'$/,
    "there are no labels to select by; use --target 'job:shop/staging/*'",
  ],
  [/^unknown option '(?:--force|--approve)'$/, "--yes skips the confirmation"],
  [/^unknown option '(?:-v|-vv|-vvv|--verbose|--debug)'$/, "--log-level debug logs every request"],
  [
    /^missing required argument 'operation'$/,
    "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
  ],
  [
    /^missing required argument 'state'$/,
    "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages; infrasync dump --format pulumi-import writes a file for Pulumi",
  ],
  [
    /^unknown option '(?:--skip-preview|--non-interactive|--no-input|--assume-yes|-auto-approve)'$/,
    "--yes skips the confirmation",
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
    /^option '-o, --output <format>' argument '/,
    "to write to a file or folder, use --out with plan, dump or schema",
  ],
];

/** The infrasync command for one that users know from another tool; undefined for other names. */
export function commandHabit(name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(commandHabits, key) ? commandHabits[key] : undefined;
}
