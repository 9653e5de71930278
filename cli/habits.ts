/**
 * Commands of other tools, each with a sentence that says what does it here. Only names that mean a deletion lead to
 * `destroy`: nobody who types something else may be led there.
 */
const commandHabits: Readonly<Record<string, string>> = {
  up: "infrasync apply changes live resources to match the manifests",
  sync: "infrasync apply changes live resources to match the manifests",
  install: "infrasync apply creates what the manifests describe",
  upgrade: "infrasync apply changes live resources to match the manifests",
  push: "infrasync apply changes live resources to match the manifests",
  reset: "infrasync apply brings live resources back to what the manifests say",
  heal: "infrasync apply brings live resources back to what the manifests say",
  create: "infrasync apply creates what the manifests describe",
  update: "infrasync apply changes live resources to match the manifests",
  edit: "edit the manifest, then infrasync apply",
  replace:
    "infrasync apply --allow-replace PATTERN deletes resources and creates them again where a change needs that",
  patch: "edit the manifest, then infrasync apply; --set sets one field for one run",
  set: "infrasync apply manifests --set ADDRESS:FIELD=VALUE sets a field for one run",
  scale: "state min_running_instances and max_running_instances in the manifest, then infrasync apply",
  label: "state labels_groups in the manifest, then infrasync apply",
  annotate: "state annotations_groups in the manifest, then infrasync apply",
  expose: "state ports in the manifest, then infrasync apply",
  taint:
    "infrasync apply --allow-replace PATTERN allows a replacement where a change needs one; to build again, infrasync redeploy",
  untaint: "there is no state, so nothing is marked",
  drift: "infrasync plan shows where live resources differ from the manifests",
  refresh:
    "every infrasync plan reads the live resources; infrasync dump --update lets the manifests take over what is live",
  delete:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  rm: "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  down: "infrasync destroy deletes what the manifests describe, and infrasync stop stops services",
  uninstall:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  remove:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  teardown:
    "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
  prune: "infrasync apply --prune deletes what no manifest describes, where the environment allows it",
  adopt: "infrasync dump writes manifests of live resources, and from then on they are managed",
  accept: "infrasync dump --update lets the manifests take over what is live",
  save: "infrasync plan --out FILE saves a plan, and infrasync dump --out FOLDER writes manifests",
  import:
    "infrasync dump writes manifests of live resources, and infrasync convert those of a Terraform state; from then on they are managed",
  export: "infrasync dump writes manifests of live resources",
  pull: "infrasync dump writes manifests of live resources",
  state:
    "there is no state: every run reads the live resources, and infrasync list shows them; infrasync convert reads a Terraform state",
  terraform: "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages",
  tfstate: "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages",
  migrate: "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages",
  "force-unlock": "there is no lock: a run that was killed is mended by running again",
  unlock: "there is no lock: a run that was killed is mended by running again",
  output: "infrasync get shows a live resource with all that the API reports of it",
  outputs: "infrasync get shows a live resource with all that the API reports of it",
  console:
    "infrasync explain shows the fields of manifests, and infrasync render the manifests as they count",
  providers: "there is one API and one provider; infrasync doctor examines the way to it",
  stack:
    "there are no stacks: a document names its project and environment; infrasync list shows what is live",
  new: "infrasync init begins a repository",
  bootstrap: "infrasync init begins a repository",
  whoami: "infrasync doctor shows the organization of the token, and what else a run needs",
  about: "infrasync doctor shows versions, the server, the token and the organization",
  info: "infrasync doctor shows versions, the server, the token and the organization",
  ping: "infrasync doctor examines the way to the API",
  auth: "infrasync doctor examines the token",
  app: "there are no apps: infrasync apply FOLDER syncs, infrasync plan FOLDER compares, infrasync status shows services",
  appset: "overlays and variables describe several environments with one set of manifests",
  proj: "infrasync list shows projects and what is in them",
  gateway: "leave it out: infrasync apply, infrasync plan, infrasync dump",
  file: "infrasync render and infrasync validate work on manifest files",
  rollout: "infrasync restart, redeploy, stop and status work on services",
  scheduled: "infrasync list shows jobs, and infrasync explain job.schedule how they are scheduled",
  exec: "there is no shell in a service; infrasync logs shows what it writes",
  shell: "there is no shell in a service; infrasync logs shows what it writes",
  attach: "there is no shell in a service; infrasync logs shows what it writes",
  "port-forward": "ports are not forwarded; state ports with publicly_accessible in the manifest",
  top: "there are no metrics of services; infrasync status shows how services are",
  wait: "infrasync deploy --wait and infrasync apply --deploy --wait wait for deployments",
  events: "infrasync logs shows log lines of a service, and infrasync status its deployments",
  tail: "infrasync logs shows the log lines of a service",
  "cluster-info": "infrasync get clusters shows the clusters, and infrasync doctor the way to the API",
  "api-resources": "infrasync explain KIND explains a kind; infrasync schema prints its schema",
  kinds: "infrasync explain KIND explains a kind; infrasync schema prints its schema",
  docs: "infrasync explain KIND.FIELD explains a field",
  man: "infrasync COMMAND --help explains a command",
  clusters: "infrasync get clusters shows the clusters of the organization",
  registries: "infrasync get registries shows the container registries of the organization",
  tokens: "infrasync get tokens shows the git tokens of the organization",
  projects: "infrasync list shows live resources",
  environments: "infrasync list shows live resources",
  services: "infrasync list shows live resources",
  jobs: "infrasync list shows live resources",
  history: "git log shows earlier manifests; infrasync status shows the last deployments",
  undo: "revert the commit and apply",
  pause: "infrasync suspend keeps reconcile from changing something, and infrasync stop stops services",
  unpause: "infrasync resume ends a suspension, and infrasync deploy starts services",
  kill: "infrasync cancel ends a deployment under way, and infrasync stop stops services",
  ui: "infrasync reconcile serves a page that shows how everything stands",
  dashboard: "infrasync reconcile serves a page that shows how everything stands",
  mock: "infrasync emulator starts an API to try manifests against",
  simulate: "infrasync emulator starts an API to try manifests against",
  secrets: "a document states secrets with their sources; apply --rotate-secrets writes them again",
  env: "a document states variables; infrasync get shows those of a live resource",
  workspace:
    "there are no workspaces: a document names its project and environment; overlays hold what differs",
  lint: "infrasync validate checks manifests without sending requests",
  check: "infrasync validate checks manifests without sending requests",
  test: "infrasync validate checks manifests, and infrasync emulator starts an API to try them against",
  fmt: "there is no formatter: any formatter of YAML does it",
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
    /^unknown option '(?:-l|--selector|--select-tag|--tags)'$/,
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
  [/^unknown option '--format'$/, "--output says how the result is printed; --help lists the formats"],
  [/^unknown option '--values'$/, "--var-file names a file with the values of variables"],
  [
    /^unknown option '(?:--set-string|--set-file)'$/,
    "--set sets a field; its value is YAML: --set 'ADDRESS:FIELD=\"5\"'",
  ],
  [
    /^unknown option '(?:-C|--cwd|--chdir|-chdir)'$/,
    "name the folder with the manifests as an argument: infrasync plan FOLDER",
  ],
  [
    /^missing required argument 'state'$/,
    "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages; infrasync dump --format pulumi-import writes a file for Pulumi",
  ],
  [
    /^missing required argument 'operation'$/,
    "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
  ],
  [
    /^unknown option '(?:-s|--stack|--workspace)'$/,
    "there are no stacks: name the folders of the manifests and overlays as arguments",
  ],
  [
    /^unknown option '(?:--context|--kubeconfig|--kube-context|--profile)'$/,
    "--base-url and --organization say where to, and INFRASYNC_TOKEN who; --config names another settings file",
  ],
  [
    /^unknown option '(?:-A|--all-namespaces|--all-projects)'$/,
    "leave it out: without a project or environment, all are meant",
  ],
  [
    /^unknown option '(?:--skip-preview|--non-interactive|--no-input|--assume-yes|-auto-approve)'$/,
    "--yes skips the confirmation",
  ],
  [
    /^unknown option '(?:--lock|-lock|--lock-timeout|-lock-timeout)'$/,
    "leave it out: there is no state to lock",
  ],
  [
    /^unknown option '(?:--state|-state|--backend-config|-backend-config|--migrate-state)'$/,
    "leave it out: there is no state",
  ],
  [
    /^unknown option '--?(?:upgrade|reconfigure)'$/,
    "leave it out: there are no providers, modules or backends to install",
  ],
  [
    /^unknown option '(?:--atomic|--rollback-on-failure)'$/,
    "leave it out: a run that failed is continued by running again, and nothing is rolled back",
  ],
  [
    /^unknown option '(?:--timeout)'$/,
    "--wait-timeout limits the wait for deployments, --clone-timeout that for clones",
  ],
  [
    /^unknown option '(?:--diff|--show-diff|--no-diff)'$/,
    "leave it out: infrasync plan shows each field that changes",
  ],
  [
    /^unknown option '(?:--replace|-replace)'$/,
    "--allow-replace PATTERN allows replacements where a change needs one",
  ],
  [
    /^unknown option '(?:--exclude|--skip)'$/,
    "choose what is meant with --target, which is repeatable; manage.ignore leaves fields to others",
  ],
  [
    /^unknown option '(?:--cascade|--grace-period|--now)'$/,
    "leave it out: what is in a resource is deleted with it, and the plan lists it",
  ],
  [
    /^unknown option '(?:--tag|--image|--image-tag)'$/,
    "--set ADDRESS:source.image.tag=TAG sets a tag for one run; infrasync deploy --image-tag deploys one",
  ],
  [
    /^unknown option '(?:--revision|--ref|--branch|--commit)'$/,
    "check out the commit first; plan --base compares with one, and infrasync reconcile follows a branch",
  ],
  [
    /^unknown option '(?:--show-secrets|--show-sensitive)'$/,
    "leave it out: no value of a secret is ever shown",
  ],
  [/^unknown option '(?:--no-wait)'$/, "leave it out: without --wait, nothing waits for deployments"],
  [/^unknown option '(?:--out-file|--output-file|--save|--save-plan)'$/, "--out FILE saves the plan"],
  [/^too many arguments for 'convert'/, "infrasync convert reads one state; convert each by itself"],
  [
    /^too many arguments for 'get'/,
    "get shows one resource: infrasync get job:shop/staging/migrate; infrasync list shows several",
  ],
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
