import * as pulumi from "@pulumi/pulumi";
import { retainedProperty, secretProperty } from "../lifecycle/internal.ts";
import { withholdReferences } from "./previews.ts";
import { providerOf } from "./provider.ts";
import { secretPointers } from "./secrets.ts";
import { warnOfPlainToken } from "./warning.ts";

/** The outputs of a class of resources. */
export interface Outputs {
  /** The names of all of them. */
  names: readonly string[];
  /** The paths of the references among them, members separated by dots: `source.image.registry`. */
  references: readonly string[];
}

/** A resource of the API in a stack. */
export abstract class ApiResource extends pulumi.dynamic.Resource {
  /**
   * @param kind as the lifecycle knows it: `Job`
   * @param given its inputs
   */
  protected constructor(
    kind: string,
    name: string,
    given: object,
    { names, references }: Outputs,
    options: pulumi.CustomResourceOptions | undefined,
  ) {
    warnOfPlainToken();
    const args = withSecrets(given);
    const unset = Object.fromEntries(names.map((output) => [output, undefined]));
    const internal = {
      [secretProperty]: secretPointers(args),
      [retainedProperty]: options?.retainOnDelete === true ? true : undefined,
    };
    super(
      providerOf(kind),
      name,
      { ...unset, ...args, ...internal },
      // For replacements without a call of `diff`: `--replace`, `--target-replace`, a taint.
      { deleteBeforeReplace: true, ...options },
      "infrasync",
      kind,
    );
    withholdReferences(this, references);
  }
}

/** The values of the input `secrets` are secret whether the program says so or not. */
function withSecrets(given: object): object {
  return "secrets" in given && given.secrets !== undefined
    ? { ...given, secrets: pulumi.secret(given.secrets) }
    : given;
}
