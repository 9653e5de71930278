/** A setting of a run that a problem can name. Each front end has a name of its own for it. */
export type RemedySetting =
  | "base_url"
  | "organization"
  | "insecure_http"
  | "on_quota"
  | "quota_patience"
  | "max_requests"
  | "max_deletes"
  | "clone_timeout"
  | "targets"
  | "settings_file"
  | "saved_plan"
  | "plan_output"
  | "plan_file"
  | "allow_commands"
  | "allow_env"
  | "secrets_folder"
  | "secrets_out"
  | "token_name"
  | "protect"
  | "strict"
  | "auto_approve";

/** Set a setting: to `value`, to one of `oneOf`, or, without both, to a value that only the user knows. */
export interface SettingRemedy {
  setting: RemedySetting;
  value?: string | undefined;
  /** The file that declares it, and its line, where nothing else can set another value. */
  file?: string | undefined;
  oneOf?: readonly string[];
}

/** The owner of a live resource that a program may not take: nobody known, another resource, or the one that it replaces. */
export type HolderKind = "nobody" | "another" | "predecessor";

/** What a document, or a program, has to say otherwise. */
export type Declaration =
  /** The resource that is missing. */
  | { declare: "missing" }
  /** One of the resources of these names in its place. */
  | { declare: "another"; names: readonly string[] }
  /** What would be deleted with the resource that has it; `mayMove`: whether it can be elsewhere. */
  | { declare: "contents"; mayMove: boolean }
  /** The data that would be deleted with a resource. */
  | { declare: "data" }
  /** Whether a value is a secret. */
  | { declare: "secrecy" }
  /** All fields, in place of a clone. */
  | { declare: "uncloned" }
  /** A key that the server has as another sort of part: `as` that sort, under `under`; `becomes` the declared one, under `member`. */
  | { declare: "sort"; key: string; as: string; under: string; becomes: string; member: string }
  /** An alias of the variable with that key. */
  | { declare: "alias"; of: string }
  /** The name of the resource that is there from the start. */
  | { declare: "given"; name: string }
  /** A live resource, or another name: of that kind, one that is taken. `isRename`: an update, which takes nothing over. */
  | { declare: "holder"; holder: HolderKind; kind: string; isRename?: true }
  /** Whether a resource is a new one beside the one of that name, or that one. */
  | { declare: "renamed"; name: string };

export type DeclarationOf<Sort extends Declaration["declare"]> = Extract<Declaration, { declare: Sort }>;

/** What a front end says of each sort of declaration; undefined where it has no such thing. */
export type Declarations = { [Sort in Declaration["declare"]]: (remedy: DeclarationOf<Sort>) => string };

/** A declaration in the words of a front end. */
export function phraseOf<Sort extends Declaration["declare"]>(
  phrases: Declarations,
  remedy: DeclarationOf<Sort> & { declare: Sort },
): string {
  return phrases[remedy.declare](remedy);
}

/** The remedy, as data, which each front end phrases: `cli/render/remedies.ts`, `provider/lifecycle/words.ts`. */
export type Remedy =
  | SettingRemedy
  | Declaration
  /** Agree to delete and create the resource again; `also`: its present address, which the consent has to name too. */
  | { consent: "replace"; address: string; also?: string; declared?: string }
  /** Have the document of that address state the consent that these resources get names that no pattern protects. */
  | { consent: "unprotect"; address: string; declared: string }
  /** Agree that resources without a document are deleted; with `document`, the document of their parent has to agree as well. */
  | { consent: "prune"; document?: true }
  /** Agree to write a resource that costs money or takes down services; `also`: its present name, to be named too. */
  | { consent: "infrastructure"; name: string; also?: string }
  /** Have a person approve just this plan, by its digest, as the policy of that name wants. */
  | { consent: "policy"; name: string; digest?: string }
  /** Take the protection out of the document of that address. */
  | { unprotect: string }
  /** Delete all resources of that name but one. */
  | { keepOne: true }
  /** Delete the resource of that id, and create another one in its place. */
  | { remake: string }
  /** Look at the resource: only a person can tell its state. */
  | { inspect: true }
  /** Create the resource again from the configuration that comes with the error, or do so when it is gone. */
  | { recreate: "now" | "when_gone" }
  /** Use the name that the server has given to a resource, or name the resource by its id. */
  | { liveName: string; id: string }
  /** Look at the statuses of the services. */
  | { statuses: true }
  /** Write the first manifests, of the live resources. */
  | { begin: true }
  /** `plan`: plan again with live state. `run`: run again, which continues. `later`: the same, after a while. `without`: leave the value out in an earlier run, which deletes the resource that has it. */
  | { again: "plan" | "run" | "later" | "without" };

/** Advice on an error or a problem: text in the terms of the API and of manifests, and remedies. */
export interface Help {
  advice?: string | undefined;
  remedies?: readonly Remedy[] | undefined;
}

/** Help as one sentence of alternatives; undefined: the front end phrases none. */
export function helpText(
  { advice, remedies = [] }: Help,
  phrase: (remedy: Remedy) => string | undefined,
): string | undefined {
  const ways = [advice, ...remedies.map(phrase)].filter((way) => way !== undefined);
  return ways.length === 0 ? undefined : ways.join(", or ");
}

/** The remedies of an error and of its causes, each once: a message that quotes its cause leaves them out. */
export function remediesOf(error: unknown): Remedy[] {
  const remedies = new Map<string, Remedy>();
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!("remedies" in at) || !Array.isArray(at.remedies)) continue;
    for (const remedy of at.remedies as Remedy[]) remedies.set(JSON.stringify(remedy), remedy);
  }
  return [...remedies.values()];
}
