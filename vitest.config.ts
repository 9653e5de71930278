import { defineConfig } from "vitest/config";

const withPulumiEngine = "test/provider/engine/**/*.test.ts";

export default defineConfig({
  test: {
    reporters: process.env["CI"]
      ? ["default", ["json", { outputFile: ".cache/test-report.json" }]]
      : ["default"],
    // A worker for each core: many tests wait for processes of their own, and one core would idle.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: "main", include: ["test/**/*.test.ts"], exclude: [withPulumiEngine] },
      },
      {
        extends: true,
        test: {
          name: "pulumi",
          include: [withPulumiEngine],
          globalSetup: "test/provider/global-setup.ts",
          testTimeout: 120_000,
        },
      },
    ],
  },
});
