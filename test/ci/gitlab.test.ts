import { gitLab } from "./runners.ts";
import { storiesOn } from "./stories.ts";

storiesOn(gitLab, false);
