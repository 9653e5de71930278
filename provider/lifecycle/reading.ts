import type { ProgramQuestion } from "./question.ts";
import type { World, WorldReading } from "./world.ts";

/** What goes with the resource: what it contains, read again, and the data in it. Which parts go, a preview shows. */
export function readingLosses({ parentId, existing }: ProgramQuestion, world: World): WorldReading {
  return {
    list: (each, onDemand) =>
      each === parentId || (world.isWithin(each, existing?.id) && (!onDemand || onDemand.use === "data")),
    parts: () => false,
    fresh: true,
  };
}

/** The same, what is beside the resource, and the lists from which fields name entries: before a write. */
export function readingAround(question: ProgramQuestion, world: World): WorldReading {
  const [inside, references] = [readingInside(question, world), readingReferences(question, world)];
  return {
    ...references,
    list: (id, onDemand) =>
      id === question.parentId || inside.list(id, onDemand) || references.list(id, onDemand),
    parts: inside.parts,
  };
}

/** The lists of the organization from which fields name entries, and the defaults of parts. */
export function readingReferences(_: ProgramQuestion, world: World): WorldReading {
  return {
    list: (id, onDemand) => id === world.organizationId && onDemand !== undefined,
    parts: () => false,
    defaults: true,
  };
}

/** What is in a resource may be read, and of an update the parts of all that. */
export function readingInside({ ends, existing }: ProgramQuestion, world: World): WorldReading {
  return {
    list: (parentId) => world.isWithin(parentId, existing?.id),
    parts: (owner) => !ends && world.isWithin(owner.id, existing?.id),
  };
}
