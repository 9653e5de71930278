import { formatAddress } from "../address.ts";
import { createsAnew, type Plan, secretsWritten } from "../plan/index.ts";
import type { Problem } from "../problem.ts";
import { type SecretReader, SecretSourceError, type ShownValues } from "../secrets/index.ts";

/** A problem for each resource whose creation shows a value once, in a run that has no place for it. */
export function missingPlaces({ actions }: Plan, shown: ShownValues | undefined): Problem[] {
  return actions.flatMap((action): Problem[] => {
    const { address } = action;
    const { shownOnce } = address.kind;
    if (shown || shownOnce === undefined || !createsAnew(action)) return [];
    return [
      {
        code: "secret",
        message: `${formatAddress(address)}: the API shows its ${shownOnce} only once, in the answer to its creation, and this run has no place for it`,
        remedies: [{ setting: "secrets_out" }],
        address: formatAddress(address),
      },
    ];
  });
}

/** Reads the secrets that a plan writes, and no others. Gives a problem for each whose value cannot be had. */
export async function missingSecrets(plan: Plan, reader: SecretReader): Promise<Problem[]> {
  if (plan.secretValues) reader.know(plan.secretValues);
  const problems = await Promise.all(
    plan.actions.flatMap((action) =>
      secretsWritten(action).map(async ({ path, at, reference }): Promise<Problem[]> => {
        try {
          await reader.read(reference);
          return [];
        } catch (error) {
          if (!(error instanceof SecretSourceError)) throw error;
          const { message, advice, remedies } = error;
          const address = formatAddress(action.address);
          const position = plan.positionOf?.(action.address, at);
          const problem = { message: `${address}: ${path}: ${message}`, advice, remedies, address };
          return [{ code: "secret", ...problem, ...(position && { position }) }];
        }
      }),
    ),
  );
  return problems.flat();
}
