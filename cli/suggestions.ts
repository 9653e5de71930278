import { kindsCalled } from "../core/model/kinds/index.ts";
import { rowsOf } from "../core/values/text.ts";

/** Words of other tools, and what does it here. Only words for a deletion lead to `destroy`. */
export const commandSuggestions: readonly [words: string, answer: string][] = rowsOf(`
up sync merge push launch | infrasync apply changes live resources to match the manifests
create add | infrasync apply creates what the manifests declare
update upgrade | infrasync apply changes live resources to match the manifests; to update the program itself, install the new version over the old one
drift | infrasync plan shows where live resources differ from the manifests
refresh | every infrasync plan reads the live resources; infrasync dump --update writes the live values into the manifests
delete rm uninstall | infrasync destroy deletes what the manifests declare, or one live resource: infrasync destroy shop/staging
down | infrasync destroy deletes what the manifests declare, and infrasync stop stops services
import | infrasync dump writes manifests of live resources; from then on they are managed
export | infrasync dump writes manifests of live resources
state | there is no state: every run reads the live resources, and infrasync list shows them
new | infrasync init sets up a repository with manifests of the live resources
edit replace patch set | change the manifest, and apply it; infrasync explain shows the fields of a kind
whoami auth | infrasync doctor shows whether the token works, and for which organization
convert | infrasync init writes manifests of the live resources; docs/guides/moving-from-terraform.md has the other steps
graph mcp | infrasync plan --output json has the changes for programs
test | infrasync validate checks manifests without sending requests, and infrasync plan shows what they change
probe | npm run test:conformance does it, in a checkout of the repository
lint | infrasync validate checks manifests without sending requests
fmt format | there is no formatter: any formatter of YAML does it
template | infrasync render prints the manifests with overlays, defaults and variables resolved; a document of the kind Template describes several similar resources
describe inspect info | infrasync get shows one live resource as a whole
ls search api-resources services volumes images | infrasync list shows live resources
url browse port dashboard console ips | infrasync open shows where a service can be reached
output outputs | infrasync get shows what the API reports of a resource, infrasync open its URL, and infrasync apply --output json what a run has made
taint untaint | delete the resource, and apply again; a field that cannot change asks for --allow-replace
unlock force-unlock | there is no lock: two runs at once are noticed right before each write, and the later one plans again
providers provider plugin plugins extension | there are no plugins: the API is built in; infrasync explain shows its kinds
argocd app apps appset gitops flux | infrasync reconcile follows a repository, and infrasync status shows what runs
token tokens api-token api-tokens | infrasync list 'apitoken:**' shows the API tokens, and infrasync get tokens those of git
cost costs billing | infrasync plan says what an apply costs in requests; money is in the console of the platform
audit event events activity | infrasync history shows who did what
config settings alias | settings stand in infrasync.config.yaml and in INFRASYNC_ variables; infrasync doctor shows those in force
stages | infrasync list 'deploymentstage:**' shows the deployment stages
build pull | the platform builds and pulls what infrasync deploy deploys
kill abort | infrasync cancel ends a deployment, and infrasync stop stops services
pause unpause suspend resume | infrasync stop stops services, and infrasync reconcile pause has a reconciler apply nothing for a while
cordon drain uncordon machine regions | clusters are documents: infrasync explain cluster
annotate label | documents name groups: annotations_groups and labels_groups
wait | infrasync deploy --wait waits for a deployment
postgres redis mysql mongodb | infrasync list 'database:**' shows databases, and a document of the kind Database makes one
checks healthchecks | health checks are fields of a service: healthchecks
cert certs gpg ssh-key | the platform obtains certificates for custom_domains
pr mr pull-request | infrasync preview makes environments of pull requests, and infrasync ci shows their plans
workflow workflows issue gist ruleset codespace repo repository | that belongs to the Git host; infrasync ci runs in its jobs
orgs org organizations account accounts user users admin | a token belongs to one organization: infrasync doctor says which
api | infrasync get shows what the API says of a resource
metadata | infrasync schema prints the schema of manifests
rollout undo | infrasync rollback goes back to the version that ran before; infrasync status shows deployments, and infrasync restart starts services again
ps top | infrasync status shows how environments and services are
redeploy | infrasync deploy without a version deploys again what runs
cache | infrasync doctor --clear-cache deletes the cache of earlier runs
database migrate | infrasync reconcile migrate makes the tables that several workers share
run | infrasync deploy deploys environments or services, jobs too
watch | infrasync deploy --wait waits for a deployment, infrasync logs --follow shows new lines, and infrasync status --watch shows each change of the status
login | there is no login: set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token
context contexts use-context get-contexts workspace workspaces | a token belongs to one organization: choose with INFRASYNC_TOKEN, INFRASYNC_BASE_URL or --config
cp copy branch | infrasync clone copies a live resource, and a document with clone: makes one that manifests manage
mv move rename | give the document the new name, and name the old one in manage: { renamed_from: OLD }
env envs environment environments | infrasync list 'environment:**' shows the environments, and infrasync status their services
secret secrets var vars variable variables | documents declare variables and secrets; infrasync get PROJECT/ENVIRONMENT/SERVICE shows what a service has
deployment deployments release releases revision | infrasync history shows the deployments, and git the earlier manifests
ssh shell proxy kubectl kubeconfig exec attach port-forward | kubectl and its likes do that, with the kubeconfig that the console of the platform shows
scale autoscale | instances are fields of a service: min_running_instances and max_running_instances
policy policies | policies in infrasync.config.yaml forbid planned changes or warn of them; protect and max_deletes limit every run
`).map(([words = "", answer = ""]) => [words, answer]);

interface OptionSuggestion {
  complaint: RegExp;
  /** The commands for which this is the answer; absent: all others. */
  of?: readonly string[];
  advice: string;
}

/** Options of other tools, the commands for which a row is the answer (`*`: all others), and what does it here. */
const unknownOptions = rowsOf(`
-f --file --filename -R -r --recursive | * | name files and folders without a flag, such as infrasync plan manifests
--dry-run | * | leave it out: this command changes nothing
--dryrun --dry_run -dry-run --dry --noop --check --diff | validate plan status open logs list get history diff show render explain doctor schema completion | leave it out: this command changes nothing
--dryrun --dry_run -dry-run --dry --noop --check --diff | * | did you mean --dry-run? infrasync plan shows the changes of apply
--only --exclude --skip -target --resource --only-resource | plan apply destroy ci reconcile | did you mean --target? It takes a pattern, such as --target 'job:shop/staging/*'
--only --exclude --skip --service --resource | * | name the resource without a flag, such as application:shop/staging/api
--tag --image --image_tag --version-tag | deploy | did you mean --image-tag?
--tag --image | plan apply | --set sets a field: --set container:shop/staging/web:tag=1.5.0
--tag --image | * | infrasync deploy --image-tag deploys another tag
--sha --ref --revision --git-commit | * | infrasync deploy --commit deploys another commit
-d --detach --no-wait --async | * | leave it out: without --wait, nobody waits
--timeout -timeout --lock-timeout | * | did you mean --wait-timeout? It takes a time, such as 10m
-a --app --context --kubeconfig --cluster --org --profile --project --workspace | * | name the resource by its address, PROJECT/ENVIRONMENT/SERVICE; a token belongs to one organization
--replicas --scale --min-machines-running | * | instances are fields of a service: min_running_instances and max_running_instances
--destroy | apply | infrasync destroy deletes, and infrasync plan --destroy shows what
--json -json | * | --output json prints one JSON document
--yes | * | leave it out: this command asks nothing
-var | * | write it with two dashes: --var NAME=VALUE
-n --namespace -e --env --environment | plan apply destroy | name an environment of the settings file, such as infrasync plan staging, or use --target 'PROJECT/ENVIRONMENT/**'
-n --namespace -e --env --environment | get list status | write a pattern: infrasync list 'PROJECT/ENVIRONMENT/**'
-n --namespace -e --env --environment | * | name the environment by its address: PROJECT/ENVIRONMENT
-l --selector --select-tag --tags | * | there are no labels to select by; use a pattern, such as 'job:shop/staging/*'
--force -force --approve --server-side --force-conflicts | * | nothing forces a run: --yes skips the confirmation, and a refusal names the approval that it needs, such as --allow-replace
-v -vv -vvv --verbose --debug | * | --log-level debug logs every request
-w --watch | deploy restart stop apply | did you mean --wait?
-w --watch | logs | did you mean --follow?
--skip-preview --non-interactive --no-input --assume-yes -auto-approve | * | --yes skips the confirmation
--refresh --refresh-only -refresh-only -refresh | * | leave it out: every plan reads the live resources
`).map(([options = "", commands = "*", advice = ""]): OptionSuggestion => ({
  complaint: new RegExp(`^unknown option '(?:${options.replaceAll(" ", "|")})'$`),
  ...(commands !== "*" && { of: commands.split(" ") }),
  advice,
}));

/** Complaints of the parser, each with its advice; the first that fits counts. */
export const optionSuggestions: readonly OptionSuggestion[] = [
  ...unknownOptions,
  { complaint: /^unknown option '--?y/, advice: "did you mean --yes?" },
  {
    complaint: /^missing required argument 'operation'$/,
    advice:
      "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
  },
  {
    complaint: /^command-argument value 'retry' is invalid for argument 'what'/,
    advice: "infrasync reconcile sync tries again",
  },
  {
    complaint: /^command-argument value 'withdraw' is invalid for argument 'what'/,
    advice: "infrasync reconcile pause has it apply nothing for a while",
  },
  {
    complaint: /^option '-o, --output <format>' argument 'ya?ml' /,
    advice: "infrasync render, get and dump print YAML; for programs use --output json",
  },
  {
    complaint: /^option '-o, --output <format>' argument 'html' /,
    advice: "--output markdown writes a report for people",
  },
  {
    complaint: /^option '-o, --output <format>' argument '/,
    advice: "to write to a file or folder, use --out with plan, dump or schema",
  },
];

const answers = new Map(
  commandSuggestions.flatMap(([words, answer]) => words.split(" ").map((word) => [word, answer] as const)),
);

/** The infrasync counterpart of a word of another tool; undefined for other words. */
export function commandSuggestion(name: string): string | undefined {
  const known = answers.get(name.toLowerCase());
  const [kind] = known === undefined ? kindsCalled(name) : [];
  return kind ? `infrasync list '${kind.slug}:**' shows those that there are` : known;
}

/** The infrasync command for a word of another tool; undefined unless exactly one fits. */
export function meantCommand(name: string): string | undefined {
  return /^infrasync ([a-z]+)/.exec(commandSuggestion(name) ?? "")?.[1];
}

/** The advice for a word that the parser refuses; undefined if there is none. */
export function optionSuggestion(complaint: string, command: string | undefined): string | undefined {
  return optionSuggestions.find(
    (suggestion) => suggestion.complaint.test(complaint) && (suggestion.of?.includes(command ?? "") ?? true),
  )?.advice;
}
