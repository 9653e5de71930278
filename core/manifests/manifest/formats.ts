import { repeating } from "../../redaction/credentials-in-values.ts";
import { decodeName } from "../../model/addresses/address.ts";
import { type Kind, referenceForm, outputFormats } from "../../model/kinds/index.ts";
import { fieldPaths } from "../../model/schema/field-schema.ts";
import { type Format, type Formats, nameMistake, ruled } from "../../model/schema/format.ts";
import { plainFormats } from "../../model/schema/formats.ts";
import { meantOr } from "../../model/schema/suggest.ts";
import { type Mistake, show } from "../../source/mistake.ts";
import { adviceOnField } from "./field-advice.ts";
import { capitalized } from "../../values/text.ts";

/** The formats of the documents of a kind; `parent` and `source` are references, `field` is a path of a field. */
export function formatsFor(kind: Kind): Formats {
  return {
    ...plainFormats,
    ...outputFormats(),
    ...(kind.parent && { parent: reference(kind.parent) }),
    source: reference(kind),
    field: field(kind),
  };
}

function reference(kind: Kind): Format {
  const form = referenceForm(kind).split("/");
  const advice = `write ${form.join("/")}; write a slash inside a name as %2F`;
  const mistake = (text: string): Mistake | undefined => {
    const parts = text.split("/");
    if (parts.some((part) => part.trim() === "")) return { message: "has an empty part", advice };
    if (parts.length === form.length) {
      return parts.map((part) => nameMistake(decodeName(part))).find((found) => found !== undefined);
    }
    const missing = form.slice(0, -parts.length);
    return {
      message: `has ${words(parts.length)} ${parts.length === 1 ? "part" : "parts"} instead of ${words(form.length)}`,
      advice:
        parts.length > form.length
          ? advice
          : repeating(text, `write ${[...missing, ...parts.map(show)].join("/")}`, advice),
    };
  };
  return ruled(mistake, {
    pattern: `^[^/]+${"/[^/]+".repeat(form.length - 1)}$`,
    patternErrorMessage: `${capitalized(advice)}.`,
    examples: [["shop", "production", "api"].slice(0, form.length).join("/")],
  });
}

const words = (count: number) => ["no", "one", "two", "three"][count] ?? String(count);

function field(kind: Kind): Format {
  const paths = fieldPaths(kind.fields);
  const known = new Set(paths);
  // The keys of some fields are free: `variables.LOG_LEVEL`.
  const entries = Object.entries(kind.fields.properties ?? {}).flatMap(
    ([member, { entries: inside, keys }]) =>
      inside ? [`${member}\\.([^.]+${keys ? `|${keys.pattern.replaceAll(/^\^|\$$/g, "")}` : ""})`] : [],
  );
  const editorPattern = `^(${[...paths.map((path) => path.replaceAll(".", String.raw`\.`)), ...entries].join("|")})$`;
  const isEntry = (text: string) => entries.length > 0 && new RegExp(`^(${entries.join("|")})$`).test(text);
  return {
    rule: (text: string) => known.has(text) || isEntry(text),
    mistake(text) {
      const advice =
        adviceOnField(kind, text) ??
        meantOr(text, paths, "write the name of a field, or a path such as source.image");
      return { message: `is not a field of the kind ${kind.name}`, advice };
    },
    editor:
      entries.length > 0
        ? {
            pattern: editorPattern,
            patternErrorMessage: `Write the name of a field of the kind ${kind.name}, or a path such as ${paths[0]}.`,
            examples: paths,
          }
        : paths.length > 0
          ? { enum: paths }
          : {},
  };
}
