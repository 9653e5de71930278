/*
 * What a front end tells the lifecycle beside the inputs of a program. The engine tells a dynamic provider nothing but
 * values. This module imports nothing, as programs load it.
 */

/** The property that lists the inputs that are secret, as JSON pointers: `["/gitToken"]`. */
export const secretProperty = "__secret";

/** The property that is true where the resource stays on the server when the engine would delete it. */
export const retainedProperty = "__retained";
