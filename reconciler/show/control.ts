import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { Fields, Json } from "../../core/values/json.ts";
import { readStored, type StoredForm } from "../../core/files/stored-form.ts";
import { identityForm } from "../identity.ts";
import { everywhere, type Person } from "../people/index.ts";
import { type UserActions, userActionIn, UserActionError } from "../requests/index.ts";
import type { Board } from "./board.ts";

/** The answer to a controlling client: an HTTP status, and the status of the service or a message. */
export interface ControlAnswer {
  status: number;
  body: unknown;
}

/** Control without the page: at the socket of a service, or through the database of its workers. */
export type Control = (message: ControlMessage) => Promise<ControlAnswer>;

/** A source for people with all permissions. */
export function controlledSource({
  board,
  userActions,
}: {
  board: Board;
  userActions: UserActions;
}): Control {
  return async (message) => {
    if (message.type === "status") {
      board.looked("program");
      return { status: 200, body: await board.statusWith(message.contains) };
    }
    const person = { identity: message.who, grants: [everywhere("approve")] };
    return answerRequest(userActions, message.request, person, message.from);
  };
}

/** The answer to the request of a person, at every door. */
export async function answerRequest(
  userActions: UserActions,
  request: unknown,
  person: Person,
  from: string,
): Promise<{ status: number; body: { message: string } }> {
  try {
    const message = await userActions.take(userActionIn(request), person, from);
    return { status: 200, body: { message } };
  } catch (error) {
    if (!(error instanceof UserActionError)) throw error;
    return refused(error.status, error.message);
  }
}

export function refused(status: number, message: string) {
  return { status, body: { message } };
}

const controlForm = form({
  control: Type.Union([
    /** Of a commit: whose progress to tell. */
    form({ type: Type.Literal("status"), contains: optional(Type.String()) }),
    form({ type: Type.Literal("request"), request: Type.Unknown(), who: identityForm, from: Type.String() }),
  ]),
});
export type ControlMessage = StoredForm<typeof controlForm>["control"];

/** The body is an object: nothing else is the answer of a running worker. */
const answerForm = form({ status: Type.Integer(), body: Type.Record(Type.String(), Type.Unknown()) });

export function controlMessage(control: ControlMessage): Json {
  return JSON.parse(JSON.stringify({ control })) as Json;
}

/** The answer of a worker to a message; undefined: none. */
export function controlAnswerIn(answer: Json | undefined): ControlAnswer | undefined {
  return readStored(answerForm, answer).content;
}

/** A source of another worker. @param ask passes a request on; undefined: no answer */
export function passedControl(ask: (request: Json) => Promise<Json | undefined>): Control {
  return async (message) =>
    controlAnswerIn(await ask(controlMessage(message))) ??
    refused(409, "no worker that shares this database runs this source now; try again in half a minute");
}

/** Answers a message of another process; undefined for other content. Only writers of the database can ask. */
export async function answerControl(
  controlled: Control | undefined,
  message: Json,
): Promise<Json | undefined> {
  const control = readStored(controlForm, message).content?.control;
  if (!control) return undefined;
  const { status, body } =
    (await controlled?.(control)) ?? refused(409, "the source does not run now; try again in half a minute");
  return { status, body: body as Fields };
}
