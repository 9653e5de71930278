const deletes =
  "infrasync destroy deletes what the manifests describe, or one live resource: infrasync destroy shop/staging";
const applies = "infrasync apply changes live resources to match the manifests";
const listsAll = "infrasync list shows live resources";
const variables =
  "documents state variables and secrets; infrasync get PROJECT/ENVIRONMENT/SERVICE shows what a service has";
const environments =
  "infrasync list 'environment:**' shows the environments, and infrasync status their services";
const git = "manifests are files: git does it; infrasync plan shows what the files would change";
const versions = "infrasync history shows the deployments, and git the earlier manifests";
const events = "infrasync history shows who did what";
const clones =
  "infrasync clone copies a live resource, and a document with clone: makes one that manifests manage";
const renames = "give the document the new name, and name the old one in manage: { renamed_from: OLD }";
const contexts =
  "a token belongs to one organization: choose with INFRASYNC_TOKEN, INFRASYNC_BASE_URL or --config";
const newVersion = "to update the program itself, install the new version over the old one";
const browser = "there is no page to open; infrasync get shows a resource with its id";
const noCluster = "infrasync get kubeconfig CLUSTER --out FILE lets kubectl and its likes do that";
const noFormatter = "there is no formatter: any formatter of YAML does it";
const clusters = "infrasync get clusters shows them all";

/**
 * Words of other tools that are no commands here, each group with a sentence that says what does it. Only names that
 * mean a deletion lead to `destroy`: nobody who types something else may be led there.
 */
export const commandHabits: readonly [words: string, answer: string][] = [
  ["up sync merge", applies],
  ["create add", "infrasync apply creates what the manifests describe"],
  ["update upgrade", `${applies}; ${newVersion}`],
  ["self-update", newVersion],
  ["drift", "infrasync plan shows where live resources differ from the manifests"],
  [
    "refresh",
    "every infrasync plan reads the live resources; infrasync dump --update lets the manifests take over what is live",
  ],
  ["delete rm uninstall", deletes],
  ["down", "infrasync destroy deletes what the manifests describe, and infrasync stop stops services"],
  [
    "import",
    "infrasync dump writes manifests of live resources, and infrasync convert those of a Terraform state; from then on they are managed",
  ],
  ["export", "infrasync dump writes manifests of live resources"],
  [
    "state",
    "there is no state: every run reads the live resources, and infrasync list shows them; infrasync convert reads a Terraform state",
  ],
  ["terraform", "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages"],
  ["new", "infrasync init sets up a repository with manifests of what is live"],
  [
    "edit replace patch set",
    "change the manifest, and apply it; infrasync explain shows the fields of a kind",
  ],
  ["taint", "nothing marks a resource for a replacement: a plan says which change needs one"],
  ["lock unlock force-unlock", "there is no state that a run would lock"],
  ["output outputs", "infrasync get ADDRESS --output json shows a resource, with what the API says of it"],
  ["provider providers plugin plugins", "there are none to install: every kind is built in"],
  ["whoami auth", "infrasync doctor shows whether the token works, and for which organization"],
  ["config", "infrasync.config.yaml has the settings, and infrasync doctor checks them"],
  ["label annotate", "labels_groups and annotations_groups of a service state its labels and annotations"],
  [
    "app",
    "infrasync status shows how services are, and infrasync apply brings them in step with the manifests",
  ],
  ["lint", "infrasync validate checks manifests without sending requests"],
  ["fmt format", noFormatter],
  [
    "template",
    "infrasync render prints the manifests with overlays, defaults and variables resolved; a document of the kind Template describes several similar resources",
  ],
  [
    "values",
    "${NAME} in manifests takes its value from --var or --var-file; infrasync render shows the result",
  ],
  ["describe inspect", "infrasync get shows one live resource as a whole"],
  ["ls", listsAll],
  [
    "rollout undo",
    "infrasync rollback goes back to the version that ran before; infrasync status shows deployments, and infrasync restart starts services again",
  ],
  ["ps top", "infrasync status shows how environments and services are"],
  ["stages", "infrasync list 'deploymentstage:**' shows the deployment stages"],
  ["run", "infrasync deploy deploys environments or services, jobs too"],
  [
    "watch",
    "infrasync deploy --wait waits for a deployment, infrasync logs --follow shows new lines, and infrasync status --watch shows each change of the status",
  ],
  [
    "login",
    "there is no login: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
  ],
  ["context contexts use-context workspace", contexts],
  ["cp copy branch", clones],
  ["mv move rename", renames],
  ["env envs environment environments", environments],
  ["secret secrets var vars variable variables", variables],
  ["deployment deployments release releases revision", versions],
  ["audit activity blame event events", events],
  ["stash commit fetch checkout tag pull push", git],
  ["cluster", clusters],
  [
    "registry",
    "infrasync get registries shows them all; a document of the kind ContainerRegistry describes one",
  ],
  ["kubeconfig", "infrasync get kubeconfig CLUSTER --out FILE writes one"],
  ["ssh proxy kubectl exec attach port-forward", noCluster],
  ["helm", "a document of the kind Helm describes a chart, and infrasync deploy deploys it"],
  ["cost costs", "no prices are known here; infrasync doctor shows the quota of requests"],
  ["scale autoscale", "instances are fields of a service: min_running_instances and max_running_instances"],
  [
    "domain domains cert certs",
    "custom_domains of a service states its domains; certificates follow from them",
  ],
  ["open browse web console dashboard", browser],
  [
    "server",
    "infrasync emulator runs the API locally, and infrasync reconcile serves the page of a repository",
  ],
  ["agent argocd argo", "infrasync reconcile keeps live resources in step with a repository"],
  ["lsp", "infrasync schema --out FOLDER writes the schemas with which editors check and complete manifests"],
  ["api-versions", "infrasync explain shows the kinds of documents"],
  [
    "policy policies",
    "policies in infrasync.config.yaml forbid planned changes or warn of them; protect and max_deletes limit every run",
  ],
  [
    "modules module",
    "overlays and Defaults share what documents have in common; infrasync render shows the result",
  ],
  ["autocomplete", "infrasync completion prints a script that completes command lines"],
  ["alias", "an alias of the shell does it; infrasync completion completes command lines"],
  ["telemetry", "there is none: requests go to the API and nowhere else"],
  ["feedback bug", "infrasync doctor shows what a report should contain"],
];

/** An answer to a complaint of the parser about a habit from other tools. */
interface OptionHabit {
  complaint: RegExp;
  /** The commands for which this is the answer; absent: all others. */
  of?: readonly string[];
  advice: string;
}

/** The complaint about any of these options. */
function unknown(options: string): RegExp {
  return new RegExp(`^unknown option '(?:${options.split(" ").join("|")})'$`);
}

const oneScope = unknown("-n --namespace -e --env --environment");
const everyScope = unknown("-A --all --all-namespaces");
const labels = unknown("-l --selector --select-tag --tags");
const force = unknown("--force -force --approve --server-side --force-conflicts");
const following = unknown("-w --watch");
const patterned = ["get", "list", "status"];
const targeted = ["plan", "apply", "destroy"];

/** Options of other tools, each with what does it here; the first that fits counts. */
export const optionHabits: readonly OptionHabit[] = [
  {
    complaint: unknown("-f --file --filename -R -r --recursive"),
    advice: "name files and folders without a flag, such as infrasync plan manifests",
  },
  {
    complaint: /^unknown option '-chdir/,
    advice: "name the folder: infrasync plan manifests, or go there first",
  },
  {
    complaint: unknown("--dry-run"),
    advice: "infrasync plan shows the changes of apply, infrasync plan --destroy those of destroy",
  },
  { complaint: unknown("--json -json"), advice: "--output json prints one JSON document" },
  { complaint: unknown("--yes"), advice: "leave it out: this command asks for no confirmation" },
  { complaint: /^unknown option '--?y/, advice: "did you mean --yes?" },
  { complaint: unknown("-var"), advice: "write it with two dashes: --var NAME=VALUE" },
  {
    complaint: oneScope,
    of: targeted,
    advice:
      "name an environment of the settings file, such as infrasync plan staging, or use --target 'PROJECT/ENVIRONMENT/**'",
  },
  {
    complaint: oneScope,
    of: patterned,
    advice: "write a pattern: infrasync list 'PROJECT/ENVIRONMENT/**'",
  },
  { complaint: oneScope, advice: "name the environment by its address: PROJECT/ENVIRONMENT" },
  {
    complaint: everyScope,
    of: patterned,
    advice: "infrasync list shows all environments; infrasync list 'job:**' all jobs",
  },
  {
    complaint: everyScope,
    of: targeted,
    advice: "leave it out: without --target, everything in the manifests is meant",
  },
  {
    complaint: labels,
    of: targeted,
    advice: "there are no labels to select by; use --target 'job:shop/staging/*'",
  },
  { complaint: labels, advice: "there are no labels to select by; write a pattern: 'job:shop/staging/*'" },
  { complaint: unknown("--only --exclude"), advice: "use --target 'job:shop/staging/*'" },
  {
    complaint: force,
    of: ["apply", "destroy"],
    advice:
      "nothing forces a run: --yes skips the confirmation, and a refusal names the consent that it needs, such as --allow-replace",
  },
  { complaint: force, advice: "leave it out: nothing has to be forced here" },
  { complaint: unknown("-v -vv -vvv --verbose --debug"), advice: "--log-level debug logs every request" },
  {
    complaint: following,
    of: ["get"],
    advice:
      "infrasync list --watch and infrasync status --watch show changes as they come; infrasync deploy --wait waits for a deployment",
  },
  {
    complaint: following,
    of: ["deploy", "redeploy", "restart", "stop", "apply"],
    advice: "did you mean --wait?",
  },
  { complaint: following, of: ["logs"], advice: "did you mean --follow?" },
  {
    complaint: unknown("--since --since-time --previous -p"),
    of: ["logs"],
    advice: "--tail 1000 shows more lines; each line has its time",
  },
  {
    complaint: unknown("--stat --name-only --compact"),
    advice: "--output markdown begins with a table of the changes",
  },
  {
    complaint: unknown("--strict"),
    of: ["validate"],
    advice:
      "leave it out: validate reports every mistake; infrasync plan --strict lists what no document states",
  },
  {
    complaint: unknown("--fix"),
    of: ["doctor"],
    advice: "doctor changes nothing: each line says what to do",
  },
  {
    complaint: unknown("-type"),
    advice: "infrasync graph --format mermaid chooses another form",
  },
  {
    complaint: unknown("--api-key --apikey --access-token"),
    advice: "set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
  },
  {
    complaint: /^missing required argument 'operation'$/,
    advice:
      "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
  },
  {
    complaint: /^missing required argument 'state'$/,
    advice:
      "infrasync convert terraform.tfstate writes manifests of what a Terraform state manages; infrasync dump --format pulumi-import writes a file for Pulumi",
  },
  {
    complaint: unknown("--skip-preview --non-interactive --no-input --assume-yes -auto-approve"),
    advice: "--yes skips the confirmation",
  },
  {
    complaint: unknown("--refresh --refresh-only -refresh-only -refresh"),
    advice: "leave it out: every plan reads the live resources",
  },
  {
    complaint: /^option '-o, --output <format>' argument 'ya?ml' /,
    advice: "infrasync render, get and dump print YAML; for programs use --output json",
  },
  {
    complaint: /^option '-o, --output <format>' argument '/,
    advice: "to write to a file or folder, use --out with plan, dump or schema",
  },
  {
    complaint: /'powershell'|'pwsh'/,
    of: ["completion"],
    advice: "there is completion for bash, zsh and fish",
  },
];

const answers = new Map(
  commandHabits.flatMap(([words, answer]) => words.split(" ").map((word) => [word, answer] as const)),
);

/** The infrasync counterpart of a word of another tool; undefined for other words. */
export function commandHabit(name: string): string | undefined {
  return answers.get(name.toLowerCase());
}

/** The infrasync command for a word of another tool; undefined unless exactly one fits. */
export function meantCommand(name: string): string | undefined {
  return /^infrasync ([a-z]+)/.exec(commandHabit(name) ?? "")?.[1];
}

/** The advice for a word that the parser refuses; undefined if it is no habit. */
export function optionHabit(complaint: string, command: string | undefined): string | undefined {
  return optionHabits.find(
    (habit) => habit.complaint.test(complaint) && (habit.of?.includes(command ?? "") ?? true),
  )?.advice;
}
