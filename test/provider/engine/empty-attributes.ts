/**
 * The engine writes the attributes of a file of its state before the file, and not in one step: a kill between leaves them
 * empty, and the state unreadable. docs/reference/pulumi.md tells to remove them.
 */
export const removeEmptyAttributes = `
  find "\${PULUMI_BACKEND_URL#file://}/.pulumi" -name "*.attrs" -size 0 -delete
`;
