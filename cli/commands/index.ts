import { apply } from "./apply.ts";
import { clone } from "./clone.ts";
import type { AnyCommand } from "./command.ts";
import { completion } from "./completion.ts";
import { destroy } from "./destroy.ts";
import { dump } from "./dump.ts";
import { emulator } from "./emulator.ts";
import { plan } from "./plan.ts";
import { render } from "./render.ts";
import { schema } from "./schema.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly AnyCommand[] = [
  validate,
  render,
  plan,
  apply,
  destroy,
  clone,
  dump,
  schema,
  emulator,
  completion,
];
