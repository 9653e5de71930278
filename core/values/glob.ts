/** Whether items fit a pattern, in time proportional to both lengths: a regular expression would try every division. */
function fits<Part, Item>(
  parts: ArrayLike<Part>,
  items: ArrayLike<Item>,
  isAny: (part: Part) => boolean,
  isLike: (part: Part, item: Item) => boolean,
): boolean {
  let [at, place] = [0, 0];
  /** Behind the last part that stands for any items, and behind the items that it has taken so far. */
  let last: { at: number; place: number } | undefined;
  while (place < items.length) {
    const part = parts[at];
    if (part !== undefined && isAny(part)) {
      at += 1;
      last = { at, place };
    } else if (part !== undefined && isLike(part, items[place] as Item)) {
      at += 1;
      place += 1;
    } else if (last) {
      last = { at: last.at, place: last.place + 1 };
      ({ at, place } = last);
    } else return false;
  }
  while (at < parts.length && isAny(parts[at] as Part)) at += 1;
  return at === parts.length;
}

/** Whether a name fits a pattern in which `*` stands for any characters. */
export function fitsName(pattern: string, name: string): boolean {
  return fits(
    pattern,
    name,
    (part) => part === "*",
    (part, character) => part === character,
  );
}

/** Whether names fit patterns of names, of which `**` stands for any names. */
export function fitsNames(patterns: readonly string[], names: readonly string[]): boolean {
  return fits(patterns, names, (part) => part === "**", fitsName);
}
