import Type from "typebox";
import { count, form, list, optional, text } from "./forms.ts";
import { problemForm } from "./problem.ts";

/** Why a command has not done its work: the member `error` of its document. */
export const errorForm = form(
  { code: text("The code of the error, as the JSON page explains it."), message: text("The error.") },
  "Why `ok` is `false`.",
);

/** What `validate` tells programs. */
export const validationForm = form(
  {
    ok: Type.Boolean({ description: "Whether the manifests and the settings are valid." }),
    error: optional(errorForm),
    documents: optional(count("Number of documents; absent if there are problems.")),
    files: optional(count("Number of files; absent if there are problems.")),
    problems: list(problemForm, "All mistakes, each with its place."),
  },
  "Whether manifests are valid.",
);
