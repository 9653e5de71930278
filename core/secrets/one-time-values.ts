import type { Fields } from "../values/json.ts";

/** A value that the API shows once, in the answer to the creation of a resource. */
export interface OneTimeValue {
  /** `apitoken:ci` */
  address: string;
  id: string;
  /** The member of the answer that had it: `token`. */
  member: string;
  value: string;
}

/** Where such values go. Nothing else keeps one. */
export interface OneTimeValues {
  /** Resolves when the value is safe. The run cannot get it a second time. */
  keep(shown: OneTimeValue): Promise<void>;
}

/** The answer to a creation without the value that it shows once, and that value. */
export function withoutShown<Answer extends Fields>(
  answer: Answer,
  member: string,
): { answer: Answer; value: string | undefined } {
  const { [member]: value, ...others } = answer;
  return { answer: others as Answer, value: typeof value === "string" && value !== "" ? value : undefined };
}
