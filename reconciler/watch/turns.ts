/** Something that is read again as a whole: the contents of a parent, or the parts of a resource. */
export interface Level {
  id: string;
  /** When it was read last, in milliseconds since 1970. */
  read: number;
  /** How many requests it takes to read it again. */
  cost: number;
}

/** The levels to read again now. */
export interface ChosenTurns {
  ids: string[];
  /** The rest of the credit for turns. */
  credit: number;
}

/**
 * Chooses what is read again: the levels that may have changed first, and then those whose turn it is, the oldest first.
 *
 * @param doubted what was read before that time may have changed, in milliseconds since 1970
 * @param unknown the requests for all that may have changed
 * @param credit the requests for turns
 */
export function chooseTurns(
  levels: readonly Level[],
  { doubted, unknown, credit }: { doubted: number; unknown: number; credit: number },
): ChosenTurns {
  const oldestFirst = levels.toSorted((left, right) => left.read - right.read);
  const suspects = within(
    oldestFirst.filter(({ read }) => read < doubted),
    unknown,
  );
  const inTurn = within(
    oldestFirst.filter(({ read }) => read >= doubted),
    Math.min(credit, unknown - costOf(suspects)),
  );
  return { ids: [...suspects, ...inTurn].map(({ id }) => id), credit: credit - costOf(inTurn) };
}

/** As many from the beginning as these requests suffice for. */
function within(levels: readonly Level[], requests: number): Level[] {
  // The credit for turns grows by fractions.
  let left = requests + 1e-6;
  const end = levels.findIndex(({ cost }) => (left -= cost) < 0);
  return end === -1 ? [...levels] : levels.slice(0, end);
}

export function costOf(levels: readonly Pick<Level, "cost">[]): number {
  return levels.reduce((sum, { cost }) => sum + cost, 0);
}
