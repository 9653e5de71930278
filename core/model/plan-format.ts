/** The `format` of a plan as JSON: it tells the document from every other. */
export const planFormat = "infrasync-plan";

/** The version of that format. It grows when a member is removed or changes its meaning. */
export const planVersion = 3;

/** The `format` of a saved plan, and its version. */
export const savedPlanFormat = "infrasync-saved-plan";
export const savedPlanVersion = 1;
