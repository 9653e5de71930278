/**
 * How many environments are in step, and with which commit: `14 of 16 in step at 3f2c1a9`. That is the applied commit, which
 * is not the newest one while the newest has mistakes.
 *
 * @param newest id of the newest commit; it counts where the environments in step do not agree
 */
export function glance(
  environments: readonly { state: string; applied?: string | undefined }[],
  newest: string | undefined,
): string {
  if (environments.length === 0) return "Nothing is known yet";
  const inStep = environments.filter(({ state }) => state === "in_step");
  const [first, second] = new Set(inStep.map(({ applied }) => applied));
  const commit = second === undefined ? (first ?? newest) : newest;
  const at = commit === undefined ? "" : ` at ${commit.slice(0, 7)}`;
  return `${inStep.length} of ${environments.length} in step${at}`;
}
