import * as pulumi from "@pulumi/pulumi";
import { providerOf } from "./provider.ts";
import { secretProperty } from "../lifecycle/secrets.ts";
import { secretPointers } from "./secrets.ts";
import { warnOfPlainToken } from "./warning.ts";

/** A resource of the API in a stack. */
export abstract class ApiResource extends pulumi.dynamic.Resource {
  /**
   * @param kind as the lifecycle knows it: `Job`
   * @param args its inputs
   * @param outputs the names of all its outputs
   */
  protected constructor(
    kind: string,
    name: string,
    args: object,
    outputs: readonly string[],
    options: pulumi.CustomResourceOptions | undefined,
  ) {
    warnOfPlainToken();
    const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(
      providerOf(kind),
      name,
      { ...unset, ...args, [secretProperty]: secretPointers(args) },
      options,
      "infrasync",
      kind,
    );
  }
}
