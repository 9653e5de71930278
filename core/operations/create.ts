import { ConflictError, InvalidRequestError, UnclearOutcomeError } from "../api/index.ts";
import { compare, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { type Fields, isFields } from "../json.ts";
import type { LiveResource } from "../live.ts";
import { remarkOn, requestBody } from "./body.ts";
import type { Done, OperationContext } from "./context.ts";
import { messageOf, OperationError } from "./errors.ts";
import { arrival, lookByName, lookTwice, type Place } from "./find.ts";
import { updateFrom } from "./update.ts";
import { pollDelay, until } from "./wait.ts";

/** A resource to be made. */
export interface Creation extends Place {
  /** In manifest form; references are `{id, name?}`. */
  fields: Fields;
}

/**
 * Creates a resource, at most once. After an unclear answer it looks by parent and name: what is there is taken
 * over, else the request is sent again. A name that is taken meanwhile is accepted only if the resource is just as
 * wanted.
 *
 * @throws OperationError `exists`, `busy`, `unclear` or `twins`
 */
export async function createResource(context: OperationContext, creation: Creation): Promise<Done> {
  const { kind, parentId, name, fields } = creation;
  const come = await arrival(context, creation);
  if (come)
    return {
      ...(await updateFrom(context, come, { stated: fields })),
      remark: "came with the clone of what holds it",
    };
  const body = requestBody(kind, name, fields, "create");
  let perhapsOurs = false;
  let failure: unknown;
  const made = await until(
    context.clock,
    context.limits.busy,
    context.signal,
    async (attempt): Promise<Done | undefined> => {
      await context.clock.sleep(pollDelay(attempt), context.signal);
      try {
        const response = await context.client.post(kind.createPath(parentId), body);
        if (isFields(response) && typeof response["id"] === "string") {
          const remark = remarkOn(kind, { name, ...response }, parentId, fields);
          return { id: response["id"], response, ...remark };
        }
        perhapsOurs = true;
      } catch (error) {
        if (error instanceof UnclearOutcomeError) perhapsOurs = true;
        else if (!(error instanceof ConflictError) && !(perhapsOurs && error instanceof InvalidRequestError))
          throw error;
        failure = error;
      }
      const there = perhapsOurs ? await lookTwice(context, creation) : await lookByName(context, creation);
      if (there) return takeOver(context, creation, there, perhapsOurs);
      // Not the name that an earlier try has taken, so it is what was sent that is wrong.
      if (failure instanceof InvalidRequestError) throw failure;
      return undefined;
    },
  );
  if (made) return made;
  const holder = kind.parent?.name ?? "organization";
  const seconds = `${context.limits.busy / 1000} s`;
  if (perhapsOurs)
    throw new OperationError(
      "unclear",
      `the server has not answered clearly for ${seconds}, and what was asked for has not appeared in its ${holder}: ${messageOf(failure)}; run again to go on from what is there`,
      { cause: failure },
    );
  throw new OperationError(
    "busy",
    `another operation has been under way in its ${holder} for ${seconds}; run again when it is done`,
    { cause: failure },
  );
}

async function takeOver(
  context: OperationContext,
  creation: Creation,
  there: LiveResource,
  ours: boolean,
): Promise<Done> {
  const { kind, fields } = creation;
  const changes = compare(kind.fields, there.fields, overlay(kind.fields, there.fields, fields));
  if (changes.length === 0)
    return {
      id: there.id,
      response: there.response,
      remark: ours
        ? "taken over after an unclear answer"
        : "was made by someone else meanwhile, just as wanted",
    };
  if (!ours) {
    throw new OperationError(
      "exists",
      `a ${kind.name} of that name (${there.id}) has appeared since the plan and differs in ${changes.map(({ path }) => formatPath(path)).join(", ")}; plan again`,
    );
  }
  const done = await updateFrom(context, there, { stated: fields });
  return { ...done, remark: "taken over after an unclear answer" };
}
