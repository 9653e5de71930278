/** The `format` of a plan as JSON, which identifies it. */
export const planFormat = "infrasync-plan";

/** Grows when a member is removed or changes its meaning. */
export const planVersion = 3;

export const savedPlanFormat = "infrasync-saved-plan";
export const savedPlanVersion = 1;
