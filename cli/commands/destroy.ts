import { missingAnswer } from "../ask.ts";
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
  const unanswered = missingAnswer("destroy", "infrasync plan --destroy", flags, sources, console);
  const { settings, ...wanted } = await readInputs(sources, flags, console, unanswered);
  return withStatus(console, async (status) => {
    status.working("reading what is live");
    const session = await openSession(settings, console, status);
    const plan = await planFor("destroy", wanted, session);
    status.pause();
    return makeChange({ plan, operations: session.operations }, { settings, flags, status, console });
  });
}
