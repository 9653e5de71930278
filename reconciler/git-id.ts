import Type from "typebox";

/** The id of a commit or a folder in git. */
export const gitId = Type.String({ pattern: "^[0-9a-f]{40,64}$" });
