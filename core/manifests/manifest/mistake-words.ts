import { own } from "../../values/json.ts";
import { holdsServices, type Kind, kinds, kindsPrunedIn, referenceForm } from "../../model/kinds/index.ts";
import { mayBeSecret } from "../../model/schema/field-schema.ts";
import type { MistakeWords } from "../../model/schema/mistake-words.ts";
import type { Path } from "../../source/mistake.ts";
import { article } from "../../values/text.ts";
import { adviceOnField } from "./field-advice.ts";
import { formatsFor } from "./formats.ts";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";

export function wordsOf(kind: Kind): MistakeWords {
  return {
    subject: article(kind.name),
    member: "field",
    notation: yamlNotation,
    formats: formatsFor(kind),
    unknownMember(path, member, near) {
      const known = specialAdvice(kind, path, member) ?? adviceOnField(kind, member);
      if (known !== undefined) return known;
      const remark = path.length === 0 ? foreign(kind, member) : undefined;
      if (remark === undefined) return undefined;
      return near === undefined ? `leave it out: ${remark}` : `did you mean ${near}? (${remark})`;
    },
    missingMember: (path, member) =>
      path.length === 0 && member === kind.parentMember && kind.parent
        ? `add ${member}: ${referenceForm(kind.parent)}`
        : undefined,
  };
}

function specialAdvice(kind: Kind, path: Path, member: string): string | undefined {
  if (member.includes("${")) return "write the name of the field: variables are replaced only in values";
  if (member === "<<") return "YAML 1.2 has no merge keys; write the fields out";
  if (path[0] === "manage" && member === "prune") {
    const parents = kinds.filter((each) => holdsServices(each) || kindsPrunedIn(each).length > 0);
    return `leave it out: only documents of ${parents.map(({ name }) => name).join(", ")} allow pruning`;
  }
  const top = own(kind.fields.properties ?? {}, String(path[0]));
  if (member === "value" && top && mayBeSecret(top))
    return "name the source of the value, such as from_env: a secret in plain text does not belong in a manifest";
  if (path.length > 0) return undefined;
  if (member === "clone") return `leave it out: ${article(kind.name)} cannot be cloned`;
  if (kind.parent && kinds.some((other) => other.parentMember === member)) {
    return `name the parent with ${kind.parentMember}: ${referenceForm(kind.parent)}`;
  }
  return undefined;
}

/** A remark on a member that belongs to other kinds, or that the API only reports. */
function foreign(kind: Kind, member: string): string | undefined {
  if (own(kind.reports, member)) return `the API reports ${member}, and it cannot be set`;
  const others = kinds.filter((other) => own(other.fields.properties ?? {}, member)).map(({ name }) => name);
  const noun = others.length === 1 ? "kind" : "kinds";
  return others.length === 0 ? undefined : `${member} is a field of the ${noun} ${others.join(", ")}`;
}
