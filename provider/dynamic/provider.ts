import type * as pulumi from "@pulumi/pulumi";

const providers = new Map<string, pulumi.dynamic.ResourceProvider>();

/** The provider of a kind; one object for all its resources, so that it is serialised once. */
export function providerOf(kind: string): pulumi.dynamic.ResourceProvider {
  const known = providers.get(kind);
  if (known) return known;
  const provider = serialisable(kind) as unknown as pulumi.dynamic.ResourceProvider;
  providers.set(kind, provider);
  return provider;
}

/**
 * Code that the engine stores, as text, twice in the state of every resource, and calls later for refresh and destroy
 * whatever version is installed by then: nothing but calls of the lifecycle, by the name of the package. It is frozen by
 * a test and changes with a major version alone. Hence no types, which would leave blanks, and one line, which every
 * compiler keeps. Pulumi adds 150 characters to each method, so there is only one: the engine calls it before any other,
 * and it adds the others at once, because the engine may call them before a promise of it is kept.
 */
// oxfmt-ignore
function serialisable(kind: string): {
  configure(request: pulumi.dynamic.ConfigureRequest): void;
  [method: string]: (...values: never[]) => unknown;
} {
  return {
    // @ts-expect-error: with types, it would not be the same text from every compiler.
    configure(request) { Object.assign(this, Object.fromEntries(["check", "diff", "create", "read", "update", "delete"].map((name) => [name, async (...values) => (await import("infrasync/lifecycle"))[name](kind, ...values, request.config)]))); },
  };
}
