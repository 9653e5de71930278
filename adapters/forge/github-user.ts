import Type from "typebox";
import { form, optional, orNull } from "../../core/outputs/forms/forms.ts";
import { type StoredForm } from "../../core/files/stored-form.ts";
import { ForgeClient } from "./client.ts";
import { ForgeError } from "./errors.ts";

export const userForm = form({ login: Type.String() });

export type User = StoredForm<typeof userForm> | null;

/** The answer of the other API to a token without a user: data without one, or an error. */
const viewerForm = form({ data: optional(orNull(form({ viewer: orNull(userForm) }))) });

const workflowUser = "github-actions[bot]";

/** Tells the comments of the token's own user from those of others, who could write anything. Only GraphQL tells the user of an app. */
export async function ownership(
  client: ForgeClient,
  other: () => ForgeClient,
): Promise<(user: User) => boolean> {
  const login = await client
    .get("/user", userForm, { failure: "the user of the token cannot be read", needs: "" })
    .then((me) => me.login)
    .catch((error: unknown) => {
      if (error instanceof ForgeError && error.status === 403) return userOfApp(other());
      throw error;
    });
  return (user) => user?.login === login;
}

async function userOfApp(client: ForgeClient): Promise<string> {
  const call = { failure: "the user of the token cannot be read", needs: "", isRepeatable: true };
  try {
    const { data } = await client.post("", { query: "query { viewer { login } }" }, viewerForm, call);
    return data?.viewer?.login ?? workflowUser;
  } catch (error) {
    // Without that API, the token is that of a workflow: other apps are refused their own statuses.
    if (error instanceof ForgeError && (error.status === 403 || error.status === 404)) return workflowUser;
    throw error;
  }
}
