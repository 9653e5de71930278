import { apply } from "./apply.ts";
import { cancel } from "./cancel.ts";
import { ci } from "./ci.ts";
import { clone } from "./clone.ts";
import type { AnyCommand } from "./command.ts";
import { complete } from "./complete.ts";
import { completion } from "./completion.ts";
import { convert } from "./convert.ts";
import { deploy } from "./deploy.ts";
import { destroy } from "./destroy.ts";
import { doctor } from "./doctor.ts";
import { dump } from "./dump.ts";
import { emulator } from "./emulator.ts";
import { explain } from "./explain.ts";
import { get } from "./get.ts";
import { graph } from "./graph.ts";
import { init } from "./init.ts";
import { list } from "./list.ts";
import { logs } from "./logs.ts";
import { plan } from "./plan.ts";
import { preview } from "./preview.ts";
import { reconcile } from "./reconcile.ts";
import { redeploy } from "./redeploy.ts";
import { render } from "./render.ts";
import { restart } from "./restart.ts";
import { resume } from "./resume.ts";
import { schema } from "./schema.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { stop } from "./stop.ts";
import { suspend } from "./suspend.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly AnyCommand[] = [
  init,
  validate,
  render,
  plan,
  show,
  apply,
  destroy,
  ci,
  reconcile,
  suspend,
  resume,
  preview,
  deploy,
  redeploy,
  restart,
  stop,
  cancel,
  status,
  logs,
  list,
  get,
  clone,
  dump,
  convert,
  graph,
  explain,
  schema,
  doctor,
  emulator,
  completion,
  complete,
];
