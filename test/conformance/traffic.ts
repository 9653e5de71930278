// Checks requests and responses by the shapes of the API.
import type { ErrorObject } from "ajv";
import { type Operation, readOperations, type Validate } from "./shapes.ts";

export interface Exchange {
  method: string;
  path: string;
  status: number;
  /** The JSON of the bodies; undefined: there is none. */
  request: unknown;
  response: unknown;
}

/** A request or response that the API does not allow. */
export interface Violation {
  /** The operation and the status. */
  exchange: string;
  side: "request" | "status" | "response";
  errors: string[];
}

export interface Findings {
  checked: number;
  /** Successful requests for which the API has no operation. */
  uncovered: string[];
  violations: Violation[];
}

export class TrafficCheck {
  readonly findings: Findings = { checked: 0, uncovered: [], violations: [] };
  readonly #operations = readOperations().map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  check(exchange: Exchange): void {
    const { method, path, status } = exchange;
    const operation = this.#operations.find((each) => each.method === method && each.pattern.test(path));
    if (!operation) {
      if (status < 400) this.findings.uncovered.push(`${method} ${path}`);
      return;
    }
    this.findings.checked += 1;
    const found = status < 400 ? successErrors(operation, exchange) : failureErrors(exchange);
    for (const { side, errors } of found)
      if (errors.length > 0)
        this.findings.violations.push({
          exchange: `${method} ${operation.path} ${status}`,
          side,
          errors: errors.slice(0, 8),
        });
  }
}

type ViolationDetails = Pick<Violation, "side" | "errors">;

function successErrors(operation: Operation, { status, request, response }: Exchange): ViolationDetails[] {
  const { responses } = operation;
  if (!responses.has(status))
    return [{ side: "status", errors: [`is not among ${[...responses.keys()].join(", ")}`] }];
  return [
    { side: "request", errors: request === undefined ? [] : errorsOf(operation.request, request) },
    { side: "response", errors: errorsOf(responses.get(status), response) },
  ];
}

/** Every failure has the same body. */
function failureErrors({ status, response }: Exchange): ViolationDetails[] {
  const body = (response ?? {}) as Record<string, unknown>;
  const isRight =
    body["status"] === status && typeof body["error"] === "string" && typeof body["message"] === "string";
  return [{ side: "response", errors: isRight ? [] : ["is not { status, error, message }"] }];
}

function errorsOf(validate: Validate | undefined, body: unknown): string[] {
  if (!validate) return [];
  if (body === undefined) return ["has no JSON body"];
  // The error of an `if` only announces others.
  return validate(body)
    .filter(({ keyword }) => keyword !== "if")
    .map(wordsOf);
}

function wordsOf({ instancePath, message, params }: ErrorObject): string {
  const allowed = Array.isArray(params["allowedValues"]) ? `: ${params["allowedValues"].join(", ")}` : "";
  return `${instancePath || "/"} ${message}${allowed}`;
}
