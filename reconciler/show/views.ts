import { formatAddress } from "../../core/address.ts";
import { firstProblems } from "../../core/problem.ts";
import { type KeptPreview, previewStates } from "../previews/index.ts";
import { type EnvironmentView, type PreviewView } from "./board-view.ts";
import { healthText, isIll, type Standing, standingStates } from "../decide/index.ts";
import { type Pause, suspendedNow } from "../policy/index.ts";
import { namesOf } from "./seen.ts";
import type { Describe } from "./telling.ts";

/** The states of environments now, the worst first. @param before their former states */
export function environmentViews(
  standings: readonly Standing[],
  before: readonly EnvironmentView[],
  describe: Describe,
  now: number,
): EnvironmentView[] {
  const known = new Map(before.map((each) => [each.environment, each]));
  return standings
    .map(({ problems, undone, setBack: changes, ...standing }) => {
      const earlier = known.get(standing.environment);
      const setBack = changes ? { at: now, changes } : earlier?.setBack;
      return {
        ...standing,
        ...(setBack && { setBack }),
        since: earlier?.state === standing.state ? earlier.since : now,
        reasons: [
          ...firstProblems(problems).map((problem) => describe(problem)),
          ...undone.map(({ address, message = "not started", remedies }) => {
            const reason = describe({ message, remedies });
            return `${formatAddress(address)}: ${reason}`;
          }),
          ...standing.health.filter(isIll).map(healthText),
        ],
      };
    })
    .toSorted(
      (left, right) =>
        standingStates.indexOf(left.state) - standingStates.indexOf(right.state) ||
        left.environment.localeCompare(right.environment),
    );
}

/** An environment with these pauses in the place of those of its last cycle. */
export function withPauses(
  { suspensions, ...view }: EnvironmentView,
  pauses: readonly Pause[],
  now: number,
): EnvironmentView {
  return { ...view, ...suspendedNow(suspensions, namesOf(view.environment), pauses, now) };
}

/** Previews as people see them, the worst first; one that stands as before keeps its time. */
export function previewViews(
  kept: readonly KeptPreview[],
  before: readonly PreviewView[],
  now: number,
): PreviewView[] {
  const known = new Map(before.map((each) => [each.environment, each]));
  return kept
    .map((each) => {
      const last = known.get(each.environment);
      const isSame = last?.state === each.state && last.commit === each.commit;
      return { ...each, since: isSame ? last.since : now };
    })
    .toSorted(
      (left, right) =>
        previewStates.indexOf(left.state) - previewStates.indexOf(right.state) || left.number - right.number,
    );
}
