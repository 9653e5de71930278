import type { ProgramQuestion } from "./ask.ts";
import type { WorldReading } from "./world.ts";

/** What goes with the resource: what it contains, read again, and the data in it. Which parts go, a preview shows. */
export function readingLosses({ parentId, desired, world }: ProgramQuestion): WorldReading {
  const { id = "" } = desired.manage;
  return {
    list: (each, onDemand) =>
      each === parentId || (world.isWithin(each, id) && (!onDemand || onDemand.use === "data")),
    parts: () => false,
    fresh: true,
  };
}

/** The same, and what is beside the resource: before a write. */
export function readingAround(question: ProgramQuestion): WorldReading {
  const { list, parts } = readingInside(question);
  const { parentId } = question;
  return { list: (id) => id === parentId || list(id), parts, defaults: true };
}

/** What is in a resource may be read, and of an update the parts of all that. */
export function readingInside({ goal, desired, world }: ProgramQuestion): WorldReading {
  const { id = "" } = desired.manage;
  return {
    list: (parentId) => world.isWithin(parentId, id),
    parts: (owner) => goal === "reconcile" && world.isWithin(owner.id, id),
  };
}
