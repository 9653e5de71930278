import { expect } from "vitest";
import { ApiError } from "../../../core/api/index.ts";

/** Returns the error of a request, to check its properties. */
export async function failureOf(request: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}
