import { compare, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { type Fields, isFields } from "../json.ts";
import type { LiveResource } from "../live/index.ts";
import { escapeControl, shorten } from "../text.ts";
import { isAbout, remarkOn, requestBody } from "./body.ts";
import type { Done, OperationContext } from "./context.ts";
import { OperationError, unfinished } from "./errors.ts";
import { arrival, lookByName, type Place } from "./find.ts";
import { cameWithClone, found, madeByAnother, takenOver } from "./found.ts";
import { makeOnce, pause } from "./make.ts";
import { takingIn, thereBy } from "./taking-in.ts";
import { updateFrom } from "./update.ts";

/** A resource to be made. */
export interface Creation extends Place {
  /** In manifest form; references are `{id, name?}`. */
  fields: Fields;
}

/**
 * Creates a resource, at most once. After an unclear answer it looks by parent and name: what is there is taken
 * over, else the request is sent again. A name that is taken meanwhile is accepted only if the resource is just as
 * wanted. An answer about another resource is not believed: it must not become the holder of what follows.
 *
 * @throws OperationError `exists`, `busy`, `unclear` or `twins`
 */
export async function createResource(context: OperationContext, creation: Creation): Promise<Done> {
  const { parentId } = creation;
  return takingIn(context, { parentId }, () => create(context, creation), thereBy(creation));
}

async function create(context: OperationContext, creation: Creation): Promise<Done> {
  const { kind, parentId, name, fields } = creation;
  const come = await arrival(context, creation);
  if (come) return found(cameWithClone, come, await updateFrom(context, come, { stated: fields }));
  const body = requestBody(kind, name, fields, "create");
  const made = await makeOnce(context, creation, context.limits.busy, async () => {
    const response = await context.client.post(kind.createPath(parentId), body);
    return isFields(response) && typeof response["id"] === "string"
      ? { ...response, id: response["id"] }
      : undefined;
  });
  if ("there" in made) return takeOver(context, creation, made.there, made.isPerhapsOurs);
  const { answer } = made;
  if (!isAbout(kind, answer, { name, parentId })) return findMade(context, creation, answer);
  return { id: answer.id, response: answer, ...remarkOn(kind, answer, fields) };
}

/** Looks for what was made after an answer about another resource. Not sent again: the server may write names its own way. */
async function findMade(context: OperationContext, creation: Creation, answer: Fields): Promise<Done> {
  const there = await lookByName(context, creation, pause);
  if (there) return takeOver(context, creation, there, true);
  const other = shorten(escapeControl(`"${String(answer["name"])}" (${String(answer["id"])})`), 200);
  throw new OperationError(
    "unclear",
    `the server answers with ${other}, and nothing of that name is there; look at it in the console`,
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
  const { id, response } = there;
  if (changes.length === 0) return found(ours ? takenOver : madeByAnother, there, { id, response });
  if (!ours) {
    throw new OperationError(
      "exists",
      `a ${kind.name} of that name (${id}) has appeared since the plan and differs in ${changes.map(({ path }) => formatPath(path)).join(", ")}; plan again`,
    );
  }
  try {
    return found(takenOver, there, await updateFrom(context, there, { stated: fields }));
  } catch (error) {
    throw unfinished(`it has been made (${id})`, error);
  }
}
