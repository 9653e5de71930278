import type * as pulumi from "@pulumi/pulumi";

type DynamicProvider = pulumi.dynamic.ResourceProvider & { config?: pulumi.dynamic.Config };

const providers = new Map<string, DynamicProvider>();

/** The provider of a kind; one object for all its resources, so that it is serialised once. */
export function providerOf(kind: string): DynamicProvider {
  const known = providers.get(kind);
  if (known) return known;
  const provider = serialisable(kind);
  providers.set(kind, provider);
  return provider;
}

/**
 * What the engine stores, as text, in the state of every resource, and goes on calling for refresh and destroy whatever
 * version is installed by then: nothing but calls of the lifecycle, by the name of the package. It is frozen by a test
 * and changes with a major version alone. Hence no types, which would leave blanks, and a line a method, which every
 * compiler keeps. The engine may call the others before `configure` has returned, so that waits for nothing.
 */
// oxfmt-ignore
function serialisable(kind: string): DynamicProvider {
  return {
    async configure(request) { this.config = request.config; },
    async check(olds, news) { return (await import("infrasync/lifecycle")).check(kind, olds, news); },
    async diff(id, olds, news) { return (await import("infrasync/lifecycle")).diff(kind, id, olds, news); },
    async create(inputs) { return (await import("infrasync/lifecycle")).create(kind, inputs, this.config); },
    async read(id, olds) { return (await import("infrasync/lifecycle")).read(kind, id, olds, this.config); },
    async update(id, olds, news) { return (await import("infrasync/lifecycle")).update(kind, id, olds, news, this.config); },
    async delete(id, olds) { return (await import("infrasync/lifecycle")).remove(kind, id, olds, this.config); },
  };
}
