import { type Fields, isFields, type Json, textIn } from "../../core/json.ts";
import { type Identity, identityIn } from "../identity.ts";
import { type UserActions, everywhere, type Person, userActionIn, UserActionError } from "../people/index.ts";
import type { Board } from "./board.ts";

/** The answer to whoever controls a service: an HTTP status, and the status of the service or a message. */
export interface ControlAnswer {
  status: number;
  body: unknown;
}

/** What people control without the page: at the socket of a service, or through the database of its workers. */
export interface Controlled {
  /** @param contains a commit: where it has come */
  status(contains?: string): Promise<ControlAnswer>;
  /** Does what somebody asks for. @param from where it comes from */
  take(action: unknown, who: Identity, from: string): Promise<ControlAnswer>;
}

/** The statuses of actions that are refused. */
export const userActionStatuses = { forbidden: 403, wrong: 409 } as const;

/** A source as people control it who may do everything. */
export function controlledSource({
  board,
  userActions,
}: {
  board: Board;
  userActions: UserActions;
}): Controlled {
  return {
    status: async (contains) => ({ status: 200, body: await board.statusWith(contains) }),
    async take(given, identity, from) {
      const action = userActionIn(given);
      if (!action) return refused(400, "this is nothing that can be asked for");
      const person: Person = { identity, grants: [everywhere("approve")] };
      try {
        return { status: 200, body: { message: await userActions.take(action, person, from) } };
      } catch (error) {
        if (!(error instanceof UserActionError)) throw error;
        return refused(userActionStatuses[error.code], error.message);
      }
    },
  };
}

export function refused(status: number, message: string): ControlAnswer {
  return { status, body: { message } };
}

/** A source of another worker. @param ask passes a request on; undefined: it does not answer */
export function passedControl(ask: (request: Json) => Promise<Json | undefined>): Controlled {
  const answerTo = async (control: Fields): Promise<ControlAnswer> => {
    const answer = await ask({ control });
    if (!isFields(answer) || !isFields(answer["body"]))
      return refused(
        409,
        "no worker that shares this database looks after this source now; try again in half a minute",
      );
    return { status: Number(answer["status"]), body: answer["body"] };
  };
  return {
    status: (contains) => answerTo({ type: "status", ...(contains !== undefined && { contains }) }),
    take: (action, who, from) => answerTo({ type: "wish", wish: action as Json, who: { ...who }, from }),
  };
}

/** Answers what another process has passed on; undefined if it is something else. Only who may write to the database can ask. */
export async function answerControl(
  controlled: Controlled | undefined,
  request: Json,
): Promise<Json | undefined> {
  const control = isFields(request) ? request["control"] : undefined;
  if (!isFields(control)) return undefined;
  const who = identityIn(control["who"]);
  const { status, body } =
    controlled === undefined
      ? refused(409, "the source does not run now; try again in half a minute")
      : textIn(control, "type") === "wish" && who !== undefined
        ? await controlled.take(control["wish"], who, textIn(control, "from") ?? "the database")
        : await controlled.status(textIn(control, "contains"));
  return { status, body: body as Fields };
}
