import type { ListedCommand } from "./command.ts";

/** Every command, in the order of the help. A command and its modules are loaded when it is called. */
export const commands: readonly ListedCommand[] = [
  {
    name: "init",
    group: "Every day",
    description:
      "Set up a repository: settings, schema, and manifests of the live resources. Asks at a terminal, and overwrites no file.",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "validate",
    group: "Every day",
    description: "Check manifests without sending requests.",
    load: async () => (await import("./validate.ts")).validate,
  },
  {
    name: "plan",
    group: "Every day",
    description: "Show what apply or destroy would change.",
    load: async () => (await import("./plan.ts")).plan,
  },
  {
    name: "apply",
    group: "Every day",
    description: "Change live resources to match the manifests.",
    load: async () => (await import("./apply.ts")).apply,
  },
  {
    name: "deploy",
    group: "Every day",
    description: "Deploy environments or services: the version that they have, or another one.",
    load: async () => (await import("./operation.ts")).deploy,
  },
  {
    name: "status",
    group: "Every day",
    description: "Show the status of environments and services, and which of them need a deployment.",
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "open",
    group: "Look",
    description: "Open the URL of a service in the browser; without a terminal, print it.",
    load: async () => (await import("./open.ts")).open,
  },
  {
    name: "logs",
    group: "Every day",
    description: "Show the last log lines of a service.",
    load: async () => (await import("./logs.ts")).logs,
  },
  {
    name: "rollback",
    group: "Every day",
    description: "Go back to the version that services ran before: at once, or in the manifests.",
    load: async () => (await import("./rollback.ts")).rollback,
  },
  {
    name: "list",
    group: "Look",
    description: "List live resources with their kind, name, state, cluster and age.",
    load: async () => (await import("./list.ts")).list,
  },
  {
    name: "get",
    group: "Look",
    description:
      "Show one live resource in full: all fields, variables, id and status. Also shows the clusters, registries and tokens of the organization, and the status of its clusters.",
    load: async () => (await import("./get.ts")).get,
  },
  {
    name: "history",
    group: "Look",
    description: "Show who did what in the organization, or to a resource and in it: the newest first.",
    load: async () => (await import("./history.ts")).history,
  },
  {
    name: "diff",
    group: "Look",
    description: "Compare two environments or services, live or as the settings file declares them.",
    load: async () => (await import("./diff.ts")).diff,
  },
  {
    name: "show",
    group: "Look",
    description: "Show a saved plan, without sending requests.",
    load: async () => (await import("./show.ts")).show,
  },
  {
    name: "render",
    group: "Look",
    description:
      "Print the manifests with overlays, defaults and variables resolved, without sending requests.",
    load: async () => (await import("./render.ts")).render,
  },
  {
    name: "explain",
    group: "Look",
    description: "Explain a kind or a field of manifests, without sending requests.",
    load: async () => (await import("./explain.ts")).explain,
  },
  {
    name: "destroy",
    group: "Change",
    description: "Delete the resources that the manifests declare.",
    load: async () => (await import("./destroy.ts")).destroy,
  },
  {
    name: "promote",
    group: "Change",
    description:
      "Give an environment the versions, or the other fields, that another one has: changes its manifests, shows the plan, and deploys commits of git.",
    load: async () => (await import("./promote.ts")).promote,
  },
  {
    name: "clone",
    group: "Change",
    description: "Clone a resource, and print the manifest of the clone.",
    load: async () => (await import("./clone.ts")).clone,
  },
  {
    name: "restart",
    group: "Change",
    description: "Restart services without deploying them.",
    load: async () => (await import("./operation.ts")).restart,
  },
  {
    name: "stop",
    group: "Change",
    description: "Stop environments or services; nothing is deleted, and deploy starts them again.",
    load: async () => (await import("./operation.ts")).stop,
  },
  {
    name: "cancel",
    group: "Change",
    description: "Cancel the deployments that are under way in environments.",
    load: async () => (await import("./operation.ts")).cancel,
  },
  {
    name: "dump",
    group: "Change",
    description: "Write manifests of live resources, or update manifests to match live resources.",
    load: async () => (await import("./dump.ts")).dump,
  },
  {
    name: "ci",
    group: "Team",
    description:
      "Show the plan of each pull request, and apply the reviewed plan after the merge; runs in jobs of GitHub Actions and GitLab CI.",
    load: async () => (await import("./ci.ts")).ci,
  },
  {
    name: "preview",
    group: "Team",
    description: "Make, list and delete preview environments of pull requests manually.",
    load: async () => (await import("./preview.ts")).preview,
  },
  {
    name: "reconcile",
    group: "Team",
    description: "Sync live resources with the manifests of a repository.",
    load: async () => (await import("./reconcile.ts")).reconcile,
  },
  {
    name: "doctor",
    group: "Tools",
    description:
      "Check settings, proxy, server, token, organization, quota and clock, and say what to do. Sends one request.",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "emulator",
    group: "Tools",
    description: "Run the API as a local server, for tests and for trying out infrasync.",
    load: async () => (await import("./emulator.ts")).emulator,
  },
  {
    name: "schema",
    group: "Tools",
    description: "Print the JSON Schema of manifests, for editors.",
    load: async () => (await import("./schema.ts")).schema,
  },
  {
    name: "completion",
    group: "Tools",
    description: "Print a script that completes command lines.",
    load: async () => (await import("./completion.ts")).completion,
  },
  {
    name: "complete",
    isHidden: true,
    description: "Print the live addresses that a word may become.",
    load: async () => (await import("./complete.ts")).complete,
  },
];
