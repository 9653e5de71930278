import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cached } from "../../../tools/pulumi/build.ts";
import { EngineMissingError, findOnPath } from "../../../tools/pulumi/engine.ts";
import { orMissing } from "../../../tools/pulumi/languages.ts";

/** Pulumi for Java, and the annotations of the sources that its generator writes. */
const javaVersion = "1.16.2";
const javaProject = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>infrasync</groupId><artifactId>classpath</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.pulumi</groupId><artifactId>pulumi</artifactId><version>${javaVersion}</version></dependency>
    <dependency><groupId>com.google.code.findbugs</groupId><artifactId>jsr305</artifactId><version>3.0.2</version></dependency>
  </dependencies>
</project>
`;

/**
 * Fetches Pulumi's package for Java with Maven, unless the cache contains it.
 *
 * @returns the path for `javac -cp`
 * @throws EngineMissingError without a compiler of Java or Maven, or without the package
 */
export async function javaClasspath(report: (line: string) => void): Promise<string> {
  const maven = findOnPath("mvn");
  if (!maven || !findOnPath("javac"))
    throw new EngineMissingError("javac or mvn was not found: install a JDK and Maven");
  const folder = cached(`pulumi-java-${javaVersion}`, report, async (building) => {
    report(`fetching Pulumi ${javaVersion} for Java, once`);
    const project = path.join(building, "pom.xml");
    await writeFile(project, javaProject);
    const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${building}`];
    await promisify(execFile)(maven, ["--quiet", "--batch-mode", "--file", project, ...copy]);
  });
  return path.join(await orMissing("the package com.pulumi could not be fetched for Java", folder), "*");
}
