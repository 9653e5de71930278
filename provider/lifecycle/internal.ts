/*
 * The properties that a front end adds to the inputs, because the engine gives a dynamic provider only values. This
 * module imports nothing, because programs load it.
 */

/** The secret inputs, as JSON pointers: `["/gitToken"]`. */
export const secretProperty = "__secret";

/**
 * The name of the resource in its program. It distinguishes the replacement of a resource that the engine has not
 * deleted yet from the creation of another one.
 */
export const resourceProperty = "__resource";

/** True if the resource stays on the server when the engine deletes it (`retainOnDelete`). */
export const retainedProperty = "__retained";

/** The option `ignoreChanges`: the paths of the fields that keep their live values. */
export const ignoredProperty = "__ignored";

/** The option `customTimeouts`. */
export const timeoutsProperty = "__timeouts";

/** A path as a JSON pointer: `/ports/0/name`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
