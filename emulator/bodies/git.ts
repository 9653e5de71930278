import { Type, type Static } from "typebox";
import { closedObject, flag, id, oneOf, text } from "./common.ts";

const Commit = closedObject({
  git_commit_id: Type.String(),
  message: text,
  author_name: text,
  created_at: Type.Optional(Type.String({ format: "date-time" })),
  tag: text,
});

export const GitRepositorySeed = closedObject({
  id: Type.Optional(id),
  provider: oneOf("BITBUCKET", "GITHUB", "GITLAB"),
  url: Type.String({ minLength: 1 }),
  default_branch: text,
  branches: Type.Optional(Type.Array(Type.String())),
  is_private: flag,
  /** Latest first. */
  commits: Type.Optional(Type.Array(Commit)),
});
export type GitRepositorySeed = Static<typeof GitRepositorySeed>;
