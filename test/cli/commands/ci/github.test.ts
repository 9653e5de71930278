import { gitHub } from "./runners.ts";
import { storiesOn } from "./stories.ts";

storiesOn(gitHub, true);
