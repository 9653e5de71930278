import { UnauthorizedError } from "../../core/api/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { remediesOf } from "../../core/problems/remedy.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Properties } from "./inputs.ts";
import { withAdvice } from "./words.ts";
import type { Secrets } from "./secrets.ts";
import type { ProviderSettings } from "./settings.ts";
import { SettingsError } from "./rules-file.ts";

/** A resource cannot be created or changed as declared. No write was sent. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(message: string, options?: ErrorOptions) {
    super(escapeLines(message), options);
  }
}

/** A creation has failed halfway. The engine keeps its id and shows the reasons; the next `pulumi up` continues it. */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: string[];

  constructor(id: string, properties: Properties, message: string, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.properties = properties;
    this.reasons = [message];
  }

  /** @param what describes the progress so far */
  static after(id: string, properties: Properties, what: string, error: unknown): UnfinishedError {
    const message = escapeLines(`${what}: ${messageOf(error)}`);
    return new UnfinishedError(id, properties, message, { cause: error });
  }
}

/** An error in the terms of a user of Pulumi, without the values of secret inputs. */
export function explainError(
  error: unknown,
  settings: ProviderSettings | undefined,
  secrets: Secrets,
): Error {
  const explained = explain(error, settings);
  const message = secrets.hide(explained);
  // A cause may quote a text that its message hides.
  const options = secrets.areNone && message === explained ? { cause: error } : undefined;
  return error instanceof UnfinishedError
    ? new UnfinishedError(error.id, error.properties, message, options)
    : new Error(message, options);
}

/**
 * An error for the engine's host of dynamic providers, which prints `${error}: ${error.stack}` beside the message. If
 * making that text fails, the host never answers, and `pulumi refresh` hangs.
 */
export function withoutStack(error: unknown): Error {
  const plain = error instanceof Error ? error : new Error(String(error));
  const shown = { toString: () => "infrasync", stack: "the error of a resource is shown at the resource" };
  return Object.defineProperties(
    plain,
    Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [name, { value, configurable: true, writable: true }]),
    ),
  );
}

function explain(error: unknown, settings: ProviderSettings | undefined): string {
  if (error instanceof RefusedError || error instanceof UnfinishedError || error instanceof SettingsError)
    return error.message;
  if (error instanceof InvalidInputError) {
    return escapeLines(
      error.problems.map((problem) => withAdvice(problem.message, problem, settings)).join("\n"),
    );
  }
  const about = error instanceof UnauthorizedError && settings ? tokenRemark(settings) : "";
  return escapeLines(messageOf(error, settings)) + about;
}

function tokenRemark({ tokenSource }: ProviderSettings): string {
  const remark = ` The token comes from ${tokenSource}.`;
  return tokenSource.startsWith("infrasync:")
    ? `${remark} \`pulumi refresh\` and \`pulumi destroy\` use the token of the last \`pulumi up\`, unless INFRASYNC_TOKEN is set.`
    : remark;
}

/** Escapes control characters of server texts in messages, because Pulumi prints them unchanged. */
function escapeLines(message: string): string {
  return message.split("\n").map(escapeControl).join("\n");
}

function messageOf(error: unknown, settings?: ProviderSettings): string {
  const message = error instanceof Error ? error.message : String(error);
  return withAdvice(message, { remedies: remediesOf(error) }, settings);
}
