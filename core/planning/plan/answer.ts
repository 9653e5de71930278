/**
 * The answer to a question that is open: nobody can tell, or not yet. The reason is among the findings: a problem of the
 * document, or what has to be read before the next pass.
 */
export const open = Symbol("open");

/** An answer of a pass: a value, or `open`. */
export type Answer<Value> = Value | typeof open;

/** What the answers about all items contain; open if one of them is. Every item is asked about, so that all that is needed is read at once. */
export function collect<Item, Value>(
  items: readonly Item[],
  ask: (item: Item) => Answer<readonly Value[]>,
): Answer<Value[]> {
  const answers = items.map(ask);
  const values = answers.filter((answer) => answer !== open);
  return values.length === answers.length ? values.flat() : open;
}

/** The value of an answer; undefined where it is open. */
export function ifKnown<Value>(answer: Answer<Value>): Value | undefined {
  return answer === open ? undefined : answer;
}

/** The answer; another value where it is open and nothing more is going to be read. */
export function asFarAsKnown<Value>(
  { live }: { live: { isFinal?: true } },
  answer: Answer<Value>,
  otherwise: Value,
): Answer<Value> {
  return answer === open && live.isFinal === true ? otherwise : answer;
}
