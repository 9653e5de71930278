import { startGitFromSmallProcess } from "./fixtures/git-starter.ts";
import { configureRandomCases } from "./fixtures/random-cases.ts";

configureRandomCases();
startGitFromSmallProcess();
