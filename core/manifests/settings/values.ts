import { durationAdvice, durationOf } from "../../model/schema/duration.ts";

export type SettingRead<Value> = { value: Value } | { wrong: string; advice: string };

/** Reads the text of a setting from a flag, a variable or a file. */
export interface Reader<Value> {
  (text: string): SettingRead<Value>;
  /** All accepted texts, if there are only a few. */
  words?: readonly string[];
}

/** A text that is not empty. */
export const text: Reader<string> = (given) =>
  given.trim() === "" ? { wrong: "is empty", advice: "set a value, or leave it out" } : { value: given };

/** Names of environment variables, `SHOP_*` for all that begin with `SHOP_`: `SHOP_*,SMTP_PASSWORD`. */
export const variableNames: Reader<readonly string[]> = (given) => {
  const names = given.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*\*?$/.test(name));
  return wrong === undefined
    ? { value: names }
    : { wrong: `cannot be "${given}"`, advice: "write names with commas between them: SHOP_*,SMTP_PASSWORD" };
};

/** The base URL, without a slash at its end. A mistake does not repeat it, because it may contain a password. */
export const url: Reader<string> = (given) =>
  /^https?:\/\//i.test(given) && URL.canParse(given)
    ? { value: given.replace(/\/+$/, "") }
    : {
        wrong: "is not a URL that begins with https:// or http://",
        advice: "write one like https://api.example.com",
      };

export function oneOf<Word extends string>(...words: Word[]): Reader<Word> {
  const read = (given: string): SettingRead<Word> => {
    const value = words.find((word) => word === given);
    return value === undefined
      ? { wrong: `cannot be "${given}"`, advice: `write ${words.join(" or ")}` }
      : { value };
  };
  return Object.assign(read, { words });
}

export const yesOrNo: Reader<boolean> = (given) => {
  if (["true", "1"].includes(given)) return { value: true };
  if (["false", "0", ""].includes(given)) return { value: false };
  return { wrong: `cannot be "${given}"`, advice: "write true or false" };
};

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Reader<number> {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum} on` : `from ${minimum} to ${maximum}`;
  return (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= minimum && value <= maximum
      ? { value }
      : { wrong: `cannot be "${given}"`, advice: `write a whole number ${range}` };
  };
}

/** A duration such as `90s`, `5 min` or `3d`, in milliseconds. */
export const duration: Reader<number> = (given) => {
  const value = durationOf(given);
  if (value !== undefined) return { value };
  return /^\d+$/.test(given) && Number(given) > 0
    ? { wrong: `is "${given}" without a unit`, advice: `write ${given}s or ${given}m` }
    : { wrong: `cannot be "${given}"`, advice: durationAdvice };
};

/** In milliseconds. @param longest the text of the longest duration */
export function durationUpTo(longest: string): Reader<number> {
  const most = durationOf(longest) ?? 0;
  return (given) => {
    const read = duration(given);
    return "value" in read && read.value > most
      ? { wrong: `is "${given}", which is too long`, advice: `write ${longest} or less` }
      : read;
  };
}

export interface DeclaredCaps {
  count?: number;
  percent?: number;
}

/** Caps on deletions: `20`, `50%` or `20,50%`. The result has only the named caps. */
export const caps: Reader<DeclaredCaps> = (given) => {
  const [, count, percent] = /^(?:(\d{1,9}))?(?:(?:^|,\s?)(\d{1,3})%)?$/.exec(given) ?? [];
  const isShare = percent === undefined || Number(percent) <= 100;
  if ((count === undefined && percent === undefined) || !isShare) {
    return {
      wrong: `cannot be "${given}"`,
      advice:
        "write a number of resources, a share of the services of an environment, or both: 20 or 50% or 20,50%",
    };
  }
  return {
    value: {
      ...(count !== undefined && { count: Number(count) }),
      ...(percent !== undefined && { percent: Number(percent) }),
    },
  };
};

/** The lower value of each cap; a cap of only one side keeps its value. */
export function tighterCaps(left: DeclaredCaps, right: DeclaredCaps): DeclaredCaps {
  const lower = (cap: keyof DeclaredCaps) => {
    const declared = [left[cap], right[cap]].filter((value) => value !== undefined);
    return declared.length === 0 ? {} : { [cap]: Math.min(...declared) };
  };
  return { ...lower("count"), ...lower("percent") };
}
