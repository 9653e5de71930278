import { flag, keyed, object, text, word } from "../schema/field.ts";
import { keys } from "./variable-schema.ts";

const source = (description: string) =>
  word(description, { resettable: false, neverShown: true, place: "document" });

/** A secret, as documents and programs state it. */
const secret = object(
  {
    from_env: source("Environment variable that contains the value during the apply."),
    from_file: source("File that contains the value; its path is relative to the working directory."),
    from_sops: source("`FILE#KEY`: a key of a file that the program sops decrypts."),
    from_command: source("Command that prints the value; it runs only if the run allows commands."),
    value: word("Its value. `KEY: text` is short for `KEY: { value: text }`.", {
      resettable: false,
      neverShown: true,
      place: "program",
    }),
    version: text(
      "infrasync writes the secret again when this changes, and stores it in the description of the secret.",
      {
        default: "",
        maxLength: 200,
      },
    ),
    rotate: flag("Whether this run writes it again.", { default: false, place: "engine" }),
  },
  undefined,
  {
    short: "value",
    alternatives: [["from_env"], ["from_file"], ["from_sops"], ["from_command"], ["value"]],
    needsOneOf: ["from_env", "from_file", "from_sops", "from_command", "value"],
  },
);

/** The member `secrets` of documents. */
export const secretsSchema = keyed(
  keys,
  secret,
  "Secrets by their keys; only those that are stated are written, and their values are never shown.",
);
