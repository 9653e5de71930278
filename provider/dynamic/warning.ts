import * as pulumi from "@pulumi/pulumi";

const token = "infrasync:token";

/** Pulumi knows which values of the configuration are secret, and keeps that out of its types. */
const runtime = pulumi.runtime as { isConfigSecret?(key: string): boolean };

/** The stacks whose program has been warned; programs of the Automation API run several in one process. */
const warned = new WeakSet<object>();

/**
 * Warns, once in each run of a program, of a token in plain text in the stack's configuration, which is also in its
 * state.
 */
export function warnOfPlainToken(): void {
  const stack = pulumi.runtime.getStackResource() ?? warned;
  if (warned.has(stack)) return;
  warned.add(stack);
  if (pulumi.runtime.getConfig(token) === undefined || runtime.isConfigSecret?.(token) !== false) return;
  void pulumi.log.warn(
    `${token} is readable in the stack's configuration and in its state: run \`pulumi config set --secret ${token}\`, then \`pulumi up\`, and create a new token, because others may have seen this one`,
  );
}
