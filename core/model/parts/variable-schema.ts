import { flag, keyed, object, required, text, word } from "../schema/field.ts";

/** The most bytes of a value, by the limit of a process's environment. */
const maximumValue = 65_536;

/** The keys that a shell and every language can read. */
export const keys = {
  pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
  message: "cannot be a key",
  advice: "write letters, digits and underscores, and no digit first",
};

const value = (description: string) => text(description, { maxBytes: maximumValue, resettable: false });

export const outputMembers = {
  from: word("The resource that has the output, as `KIND:NAME`, in the same environment.", {
    resettable: false,
    format: "sibling",
    examples: ["database:orders"],
  }),
  output: word("The output of that resource, such as its host or its port.", {
    resettable: false,
    format: "output",
    examples: ["host_internal"],
  }),
};

const contents = [["value"], ["file"], ["alias_of"], ["external"]];

const members = {
  value: value("Value. `KEY: text` is short for `KEY: { value: text }`."),
  file: object(
    "A file to mount; its path is the value of the variable.",
    {
      mount_path: required(
        word("Where the file is mounted in the container.", {
          examples: ["/etc/app.conf"],
          doubt: "mountPoint",
        }),
      ),
      text: value("The text of the file."),
      from: word("A file that contains the text; its path is relative to the manifest.", {
        readsInto: "text",
        examples: ["app.conf"],
        place: "document",
        resettable: false,
      }),
    },
    { resettable: false, alternatives: [["text"], ["from"]], needsOneOf: ["text", "from"] },
  ),
  alias_of: word("Key of the variable of which this one is an alias.", {
    resettable: false,
    examples: ["DATABASE_URL"],
  }),
  external: object(
    "A secret of an external secret manager.",
    {
      secret_manager: required(word("Id of a secret manager access of the cluster.", { format: "uuid" })),
      reference: required(word("Name of the secret in that manager.")),
      mount_path: word("Where it is mounted as a file.", { resettable: false, doubt: "mountPoint" }),
    },
    { resettable: false },
  ),
  overrides: flag("Whether it overrides a variable with the same key of a parent.", { default: false }),
  description: text("Purpose.", { maxLength: 255, default: "" }),
  interpolate: flag("Whether other variables are inserted into the text of the file.", { default: false }),
};

const description = "Variables by their keys; only those that are declared are changed.";

/** The member `variables` of projects, environments and the like. */
export const variablesSchema = keyed(
  keys,
  object(undefined, members, { short: "value", alternatives: contents, needsOneOf: contents.flat() }),
  description,
);

/** The member `variables` of services, which can use outputs of others. */
export const serviceVariablesSchema = keyed(
  keys,
  object(
    undefined,
    { ...members, ...outputMembers },
    {
      short: "value",
      alternatives: [...contents, ["from", "output"]],
      needsOneOf: [...contents.flat(), "from"],
    },
  ),
  description,
);
