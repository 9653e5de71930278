import { gitHub } from "./runners.ts";
import { storiesOfPlans, storiesOn } from "./stories.ts";

storiesOn(gitHub, true);
storiesOfPlans(gitHub);
