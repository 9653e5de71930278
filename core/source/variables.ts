import type { Json } from "../values/json.ts";
import { type Mistake, quote, show } from "./mistake.ts";

/** The values of `${NAME}`, and a record of those that manifests use. */
export class Variables {
  readonly #values: ReadonlyMap<string, string>;
  readonly #used: Set<string>;
  readonly #parameters: ReadonlyMap<string, Json>;

  constructor(
    values: ReadonlyMap<string, string> = new Map(),
    parameters: ReadonlyMap<string, Json> = new Map(),
    used = new Set<string>(),
  ) {
    this.#values = values;
    this.#parameters = parameters;
    this.#used = used;
  }

  /** With the parameters of a template, which win over variables of their names. */
  withParameters(parameters: ReadonlyMap<string, Json>): Variables {
    return new Variables(this.#values, parameters, this.#used);
  }

  /** The value of a parameter of a template; undefined: it has no such parameter. */
  parameter(name: string): Json | undefined {
    return this.#parameters.get(name);
  }

  /** Undefined: it is not set. */
  get(name: string): string | undefined {
    this.#used.add(name);
    return this.#values.get(name);
  }

  /** With other values for names that are not set. */
  with(values: ReadonlyMap<string, string>): Variables {
    return new Variables(new Map([...values, ...this.#values]));
  }

  /** The same values, with a separate record of used ones. */
  apart(): Variables {
    return new Variables(this.#values, this.#parameters);
  }

  used(): string[] {
    return [...this.#used];
  }

  /** A sentence with `${NAME}` in place of each quoted value, because any of them may be secret. */
  hide(sentence: string): string {
    let shown = sentence;
    for (const name of this.#used) {
      const value = this.#values.get(name) ?? "";
      if (value === "") continue;
      const [whole, reference] = [show(value), `\${${name}}`];
      shown = shown.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(whole, () => reference));
      if (/^\d+$/.test(value))
        shown = shown.replaceAll(new RegExp(String.raw`\bnot ${value}\b`, "g"), () => `not ${reference}`);
    }
    return shown;
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }
}

export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const perhapsUnset = "perhaps a variable of the shell is not set";

/** The value in an assignment of a variable: `""` is the empty text, and nothing at all is no value. */
export function assignedValue(name: string, text: string): { value: string } | { mistake: Mistake } {
  if (text === "")
    return {
      mistake: {
        message: `the variable ${name} has no value`,
        advice: `write "" for an empty text; ${perhapsUnset}`,
      },
    };
  return { value: text === '""' || text === "''" ? "" : text };
}

export const nameForm = "a name has letters, digits and _, and does not begin with a digit";

// Matches `$${`, or `${` up to its closing brace.
const references = /\$\$\{|\$\{([^}]*)(\}?)/g;

/** Fills in `${NAME}` and `${NAME:-default}` (if unset or empty, as in a shell); `$${` gives a literal `${`. */
export function fillIn(text: string, variables: Variables): { text: string } | { mistake: Mistake } {
  let mistake: Mistake | undefined;
  const filled = text.replaceAll(references, (whole, content: string | undefined, end: string) => {
    if (content === undefined) return "${";
    const [, name = "", fallback] = /^([^:]*)(?::-(.*))?$/s.exec(content) ?? [];
    if (end === "" || !variableName.test(name)) {
      mistake ??= malformed(whole);
      return whole;
    }
    const parameter = variables.parameter(name);
    if (typeof parameter === "object") mistake ??= notPartOfText(name);
    const value = parameter === undefined ? variables.get(name) : String(parameter);
    if (value === undefined && fallback === undefined) mistake ??= unset(name);
    return value || (fallback ?? "");
  });
  return mistake ? { mistake } : { text: filled };
}

/** The value of an unquoted text after its variables are filled in: a whole number, true, false, or the text. */
export function plainValue(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  return /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** The value of the parameter that is the whole text, with its type; undefined: the text has something else. */
export function wholeParameter(text: string, variables: Variables): Json | undefined {
  const [, name] = /^\$\{(\w+)\}$/.exec(text) ?? [];
  return name === undefined ? undefined : variables.parameter(name);
}

export function referencesIn(text: string): string[] {
  const names = [...text.matchAll(references)].flatMap(([, content]) => content?.split(":")[0] ?? []);
  return [...new Set(names)];
}

/** Escapes each `${` of a text, so that filling in variables gives the text again. */
export function escapeVariables(text: string): string {
  return text.replaceAll("${", () => "$${");
}

function malformed(reference: string): Mistake {
  return {
    message: `${quote(reference)} is not a reference to a variable`,
    advice: "write ${NAME} or ${NAME:-default}; $${ stands for ${ itself",
  };
}

function notPartOfText(name: string): Mistake {
  return {
    message: `the parameter ${name} is a list or a mapping, which cannot be part of a text`,
    advice: `write \${${name}} alone, as the whole value`,
  };
}

function unset(name: string): Mistake {
  return {
    message: `the variable ${name} is not set`,
    advice: `set it, give it a default (\${${name}:-default}), or write $\${${name}} if the text is meant as it is`,
  };
}
