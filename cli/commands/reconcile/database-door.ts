import { isFields, type Json } from "../../../core/json.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import type { DoorAnswer, Question } from "./question.ts";

/** Asks the worker that has a source, through the database that the workers share. */
export async function askDatabase(url: string, source: string, question: Question): Promise<DoorAnswer> {
  const { askWorker, DatabaseError } = await import("../../../reconciler/database/index.ts");
  try {
    const answer = await askWorker(url, source, (who): Json => {
      if (question.type === "status") return { control: { type: "status" } };
      const wish = JSON.parse(JSON.stringify(question.wish)) as Json;
      return { control: { type: "wish", wish, who: { ...who }, from: "the database" } };
    });
    if (isFields(answer)) return { status: Number(answer["status"]), body: answer["body"] };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { message, advice } = error;
    throw new CommandError("unreachable", exitCodes.failed, { message, advice });
  }
  throw new CommandError("unreachable", exitCodes.invalid, {
    message: `no worker of this database looks after the source ${source}`,
    advice:
      "check its name: infrasync reconcile status shows the sources; a source that changes hands is back in half a minute",
  });
}
