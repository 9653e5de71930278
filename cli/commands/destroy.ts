import { ensureAnswer } from "../ask.ts";
import { makeChange } from "../change.ts";
import type { Console } from "../console.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { readInputs } from "../inputs.ts";
import { planFor } from "../planning.ts";
import { openSession } from "../session.ts";
import { withStatus } from "../status.ts";

/** `infrasync destroy`: deletes what the manifests describe. */
export async function destroy(
  sources: string[],
  flags: PlanFlags & ConsentFlags,
  console: Console,
): Promise<number> {
  ensureAnswer("destroy", "infrasync plan --destroy", flags, sources, console);
  const { settings, resources } = await readInputs(sources, flags, console);
  return withStatus(console, (status) => {
    const prepare = async () => {
      const session = await openSession(settings, console, status);
      return {
        plan: await planFor("destroy", resources, session, flags, settings),
        operations: session.operations,
      };
    };
    return makeChange({ prepare }, { settings, flags, status, console });
  });
}
