/** The code of an error (`ENOENT`, `ECONNRESET`, `pending`); undefined: it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
