import { path } from "../../api/index.ts";
import { entryKey } from "../fields/list-entries.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { choice, keyed, object, required, word } from "../schema/field.ts";
import type { Part, PartChange, PartEntry, PartRequest } from "./part.ts";

const member = "deployment_restrictions";

const schema = keyed(
  undefined,
  object({
    mode: required(
      choice(
        ["MATCH", "EXCLUDE"],
        "`MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not.",
      ),
    ),
    type: choice(["PATH"], "Type of `value`: a path in the repository.", { default: "PATH" }),
    value: required(word("The path, such as `docs/`.")),
  }),
  "Which commits deploy it automatically; only those that are declared are written.",
  { keyedBy: ["mode", "type", "value"] },
);

/** Deployment restrictions have no names: their content is their key. @param type as in paths: `job` */
export function deploymentRestrictions(type: string): Part {
  const listPath = (id: string) => path`/${type}/${id}/deploymentRestriction`;
  return {
    name: "deployment restriction",
    member,
    listing: (id) => ({
      path: listPath(id),
      plainIn: () => ["id", "created_at", "updated_at", "mode", "type", "value"],
    }),
    keyOf: keyIn,
    isConfiguration: true,
    form: {
      schema,
      declaredAs: contentIn,
      nextRequest: (id, [first], listed) => first && requestFor(listPath(id), first, listed),
    },
  };
}

/** Undefined: a part of the key is missing. */
function keyIn(entry: Fields): string | undefined {
  const content = contentIn(entry);
  return Object.values(content).every((value) => typeof value === "string" && value !== "")
    ? entryKey(schema, content)
    : undefined;
}

function contentIn({ mode = null, type = null, value = null }: Fields): Fields {
  return { mode, type, value };
}

/** A restriction is created or deleted and never changed: with another content it is another one. */
function requestFor(
  list: string,
  { key, desired }: PartChange,
  listed: readonly PartEntry[],
): PartRequest | undefined {
  const there = listed.filter((entry) => entry.part.member === member && entry.key === key);
  if (isFields(desired)) {
    const isAnsweredBy = (answer: unknown): answer is Fields => isFields(answer) && keyIn(answer) === key;
    return {
      method: "POST",
      path: list,
      body: { type: "PATH", ...desired },
      keys: [key],
      isAnsweredBy,
      listedAfter: (answer, all) =>
        isAnsweredBy(answer) && textIn(answer, "id") !== undefined ? [...all, answer] : undefined,
    };
  }
  const [first, second] = there;
  const id = first && textIn(first.response, "id");
  if (id === undefined) return undefined;
  return {
    method: "DELETE",
    path: `${list}${path`/${id}`}`,
    // The API accepts duplicates: the key exists until the last one is deleted.
    keys: second ? [] : [key],
    isAnsweredBy: (answer) => isFields(answer) && answer["status"] !== 202,
    listedAfter: (_answer, all) => all.filter((entry) => entry["id"] !== id),
  };
}
