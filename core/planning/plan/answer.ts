/** An open answer: unknown, or not known yet. The findings have the reason: a problem, or the missing reads. */
export const open = Symbol("open");

/** An answer of a pass: a value, or `open`. */
export type Answer<Value> = Value | typeof open;

/** The combined answers; open if one is. Asks about every item, so that all missing state is read at once. */
export function collect<Item, Value>(
  items: readonly Item[],
  ask: (item: Item) => Answer<readonly Value[]>,
): Answer<Value[]> {
  const answers = items.map(ask);
  const values = answers.filter((answer) => answer !== open);
  return values.length === answers.length ? values.flat() : open;
}

export function ifKnown<Value>(answer: Answer<Value>): Value | undefined {
  return answer === open ? undefined : answer;
}

/** The value of an answer; another one where it is open and nothing more will be read. */
export function asFarAsKnown<Value>(
  { live }: { live: { isFinal?: true } },
  answer: Answer<Value>,
  otherwise: Value,
): Answer<Value> {
  return answer === open && live.isFinal === true ? otherwise : answer;
}
