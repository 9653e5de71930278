import { helmRepositories, inProjects, ofOrganization } from "../../../fixtures/every-kind.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { testChangesByHand } from "./changes-by-hand.ts";

testChangesByHand(useHarness({ seed: { helm_repositories: helmRepositories } }), [
  ...inProjects,
  ...ofOrganization,
]);
