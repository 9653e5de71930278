import { gitHub } from "./runners.ts";
import { scenariosOfPlans, scenariosOn } from "./scenarios.ts";

scenariosOn(gitHub, true);
scenariosOfPlans(gitHub);
