import type { Link, Sibling } from "./link.ts";

/** Siblings that the API keeps in an order. */
interface Ordered {
  /** The name of their kind: `DeploymentStage`. */
  sibling: string;
  description: string;
  /** The member of a response that says at which place a sibling stands. */
  place: string;
  /** The place of the first. */
  first: number;
  /** The request that puts a sibling behind another one. */
  request: Link["request"];
}

/** The member `after`, which puts a resource somewhere behind a sibling. */
export function after({ sibling, description, place, first, request }: Ordered): Link {
  const linked = <Each extends Sibling>(id: string, targetId: string, siblings: readonly Each[]): Each[] => {
    const ordered = inOrder(siblings, place);
    const moved = ordered.find((each) => each.id === id);
    if (!moved) return ordered;
    const others = ordered.filter((each) => each !== moved);
    const index = others.findIndex((each) => each.id === targetId);
    return others
      .toSpliced(index + 1, 0, moved)
      .map((each, order) => ({ ...each, response: { ...each.response, [place]: order + first } }));
  };
  return {
    member: "after",
    sibling,
    description,
    targetOf(id, siblings) {
      const ordered = inOrder(siblings, place);
      return ordered[ordered.findIndex((each) => each.id === id) - 1]?.id;
    },
    isMet(id, targetId, siblings) {
      const ids = inOrder(siblings, place).map((each) => each.id);
      // A new one comes last.
      return !ids.includes(id) || ids.indexOf(id) > ids.indexOf(targetId);
    },
    request,
    linked,
    isImplied: () => false,
  };
}

/** The siblings in their order; new ones, which have no place yet, come last. */
function inOrder<Each extends Sibling>(siblings: readonly Each[], member: string): Each[] {
  const placeOf = ({ response }: Each) => {
    const place = response[member];
    return typeof place === "number" ? place : Infinity;
  };
  return siblings.toSorted((one, other) =>
    placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other),
  );
}
