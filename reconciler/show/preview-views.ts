import { type KeptPreview, previewStates, type PreviewView } from "./board-view.ts";

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
