import type { ListedCommand } from "./command.ts";
import { declarations } from "./declaration.ts";

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

/** Every command, in the order of the help. A command and its modules are loaded when it is called. */
export const commands: readonly ListedCommand[] = declarations.map((declaration) => {
  const load = loaders[declaration.name];
  if (!load) throw new TypeError(`there is no command ${declaration.name}`);
  return { ...declaration, load };
});
