import { gitLab } from "./runners.ts";
import { scenariosOn } from "./scenarios.ts";

scenariosOn(gitLab, false);
