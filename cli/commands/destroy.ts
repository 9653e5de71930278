import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { isAddress, readInputsAround, withLive } from "./destroy/by-address.ts";
import { makeChange } from "../change/make-change.ts";
import { withSession } from "../session/session.ts";
import { proposeDesired } from "../change/desired-plan.ts";
import { readInputs } from "../change/inputs.ts";

/** The most resources whose variables can be read within the seconds for which a deletion relies on them. */
const mostReadAtOnce = 200;

/** `infrasync destroy`: deletes the declared resources, or live resources by their addresses. */
export const destroy: Command<
  [sources: string[]],
  PlanFlags & ConsentFlags & { withoutManifests?: boolean }
> = {
  async run({ args: [words], flags, console }) {
    const addresses = words.filter((word) => isAddress(word));
    const sources = words.filter((word) => !isAddress(word));
    const preview = addresses.length === 0 ? "infrasync plan --destroy" : undefined;
    const unanswered = missingAnswer("destroy", preview, flags, sources, console);
    const { settings, ...desired } =
      addresses.length === 0
        ? await readInputs(sources, flags, console, { unanswered, isDestroy: true, isRequestedLater: true })
        : await readInputsAround(addresses, sources, flags, console, unanswered);
    // Reads within a few seconds of the deletion are not repeated, unless there are too many.
    const withoutCache =
      flags.autoApprove === true && addresses.length === 0 && desired.resources.length <= mostReadAtOnce;
    return withSession({ settings, console, flags: { withoutCache } }, async (session, status) => {
      const all = addresses.length === 0 ? desired : await withLive(desired, session);
      const policy = { ...all.policy, isForThisRun: true };
      const prepared = await proposeDesired("destroy", { ...all, policy }, session);
      status.pause();
      return makeChange({ ...prepared, canTarget: true, unanswered }, { settings, flags, status, console });
    });
  },
};
