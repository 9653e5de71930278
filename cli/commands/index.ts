import { rowsOf } from "../../core/values/text.ts";
import type { ListedCommand } from "./command.ts";

const loaders: Readonly<Record<string, ListedCommand["load"]>> = {
  init: async () => (await import("./init.ts")).init,
  validate: async () => (await import("./validate.ts")).validate,
  plan: async () => (await import("./plan.ts")).plan,
  apply: async () => (await import("./apply.ts")).apply,
  deploy: async () => (await import("./operation.ts")).deploy,
  status: async () => (await import("./status.ts")).status,
  open: async () => (await import("./open.ts")).open,
  logs: async () => (await import("./logs.ts")).logs,
  rollback: async () => (await import("./rollback.ts")).rollback,
  list: async () => (await import("./list.ts")).list,
  get: async () => (await import("./get.ts")).get,
  history: async () => (await import("./history.ts")).history,
  diff: async () => (await import("./diff.ts")).diff,
  show: async () => (await import("./show.ts")).show,
  render: async () => (await import("./render.ts")).render,
  explain: async () => (await import("./explain.ts")).explain,
  destroy: async () => (await import("./destroy.ts")).destroy,
  promote: async () => (await import("./promote.ts")).promote,
  clone: async () => (await import("./clone.ts")).clone,
  restart: async () => (await import("./operation.ts")).restart,
  stop: async () => (await import("./operation.ts")).stop,
  cancel: async () => (await import("./operation.ts")).cancel,
  dump: async () => (await import("./dump.ts")).dump,
  ci: async () => (await import("./ci.ts")).ci,
  preview: async () => (await import("./preview.ts")).preview,
  reconcile: async () => (await import("./reconcile.ts")).reconcile,
  doctor: async () => (await import("./doctor.ts")).doctor,
  emulator: async () => (await import("./emulator.ts")).emulator,
  schema: async () => (await import("./schema.ts")).schema,
  completion: async () => (await import("./completion.ts")).completion,
  complete: async () => (await import("./complete.ts")).complete,
};

/** The name of each command, its group in the help, and its description. */
const table = rowsOf(`
init | Every day | Set up a repository: settings, schema, and manifests of the live resources. Asks at a terminal, and overwrites no file.
validate | Every day | Check manifests without sending requests.
plan | Every day | Show what apply or destroy would change.
apply | Every day | Change live resources to match the manifests.
deploy | Every day | Deploy environments or services: the version that they have, or another one.
status | Every day | Show the status of environments and services, and which of them need a deployment.
open | Look | Open the URL of a service in the browser; without a terminal, print it.
logs | Every day | Show the last log lines of a service.
rollback | Every day | Go back to the version that services ran before: at once, or in the manifests.
list | Look | List live resources with their kind, name, state, cluster and age.
get | Look | Show one live resource in full: all fields, variables, id and status. Also shows the clusters, registries and tokens of the organization, and the status of its clusters.
history | Look | Show who did what in the organization, or to a resource and in it: the newest first.
diff | Look | Compare two environments or services, live or as the settings file declares them.
show | Look | Show a saved plan, without sending requests.
render | Look | Print the manifests with overlays, defaults and variables resolved, without sending requests.
explain | Look | Explain a kind or a field of manifests, without sending requests.
destroy | Change | Delete the resources that the manifests declare.
promote | Change | Give an environment the versions, or the other fields, that another one has: changes its manifests, shows the plan, and deploys commits of git.
clone | Change | Clone a resource, and print the manifest of the clone.
restart | Change | Restart services without deploying them.
stop | Change | Stop environments or services; nothing is deleted, and deploy starts them again.
cancel | Change | Cancel the deployments that are under way in environments.
dump | Change | Write manifests of live resources, or update manifests to match live resources.
ci | Team | Show the plan of each pull request, and apply the reviewed plan after the merge; runs in jobs of GitHub Actions and GitLab CI.
preview | Team | Make, list and delete preview environments of pull requests manually.
reconcile | Team | Sync live resources with the manifests of a repository.
doctor | Tools | Check settings, proxy, server, token, organization, quota and clock, and say what to do. Sends one request.
emulator | Tools | Run the API as a local server, for tests and for trying out infrasync.
schema | Tools | Print the JSON Schema of manifests, for editors.
completion | Tools | Print a script that completes command lines.
complete | hidden | Print the live addresses that a word may become.
`);

/** Every command, in the order of the help. A command and its modules are loaded when it is called. */
export const commands: readonly ListedCommand[] = table.map(([name = "", group = "", description = ""]) => {
  const load = loaders[name];
  if (!load) throw new TypeError(`there is no command ${name}`);
  return { name, description, load, ...(group === "hidden" ? { isHidden: true } : { group }) };
});
