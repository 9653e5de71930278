import { formatAddress } from "../address.ts";
import { isFields, own } from "../json.ts";
import type { Action, Plan } from "../plan/index.ts";
import { statedParts } from "../parts/index.ts";
import type { Problem } from "../problem.ts";
import { type SecretReader, SecretSourceError } from "../secrets/index.ts";

/** Reads the secrets that a plan writes, and no others. Gives a problem for each whose value cannot be had. */
export async function missingSecrets(plan: Plan, reader: SecretReader): Promise<Problem[]> {
  const problems = await Promise.all(
    plan.actions.flatMap((action) =>
      secretsWritten(action).map(async ({ path, reference }): Promise<Problem[]> => {
        try {
          await reader.read(reference);
          return [];
        } catch (error) {
          if (!(error instanceof SecretSourceError)) throw error;
          const { message, advice, remedies } = error;
          const address = formatAddress(action.address);
          return [{ code: "secret", message: `${address}: ${path}: ${message}`, advice, remedies, address }];
        }
      }),
    ),
  );
  return problems.flat();
}

function secretsWritten(action: Action) {
  if (!("expected" in action)) return [];
  return statedParts(action.address.kind)
    .filter(({ form }) => form.isWriteOnly)
    .flatMap(({ member }) => {
      const entries = own(action.expected, member);
      if (!isFields(entries)) return [];
      return Object.entries(entries).flatMap(([key, reference]) =>
        isFields(reference) && isWritten(action, member, key)
          ? [{ path: `${member}.${key}`, reference }]
          : [],
      );
    });
}

function isWritten(action: Action, member: string, key: string): boolean {
  if (action.type === "create" || action.type === "replace") return true;
  return (
    "changes" in action && action.changes.some(({ path: [top, inner] }) => top === member && inner === key)
  );
}
