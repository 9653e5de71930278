import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { buildWithGo, cached, goBuilds } from "./build.ts";
import { EngineMissingError, findOnPath } from "./engine.ts";

const run = promisify(execFile);

const pythonVersion = "3.255.0";

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

/** The folder with the language hosts of Go and Python and the generator of SDKs. @throws EngineMissingError */
export function languageFolder(report: (line: string) => void): Promise<string> {
  return built("languages", report);
}

/** `languageFolder` for the YAML reader of `pulumi convert`. */
export function converterFolder(report: (line: string) => void): Promise<string> {
  return built("converter", report);
}

/** The folder of programs of a virtual environment of Python with Pulumi's package. @throws EngineMissingError */
export async function pythonFolder(report: (line: string) => void): Promise<string> {
  const python = findOnPath("python3");
  if (!python) throw new EngineMissingError("Python was not found: install Python 3.9 or later");
  const name = `pulumi-python-${pythonVersion}-with-wheel`;
  const folder = cached(name, report, async (building) => {
    report(`installing Pulumi ${pythonVersion} for Python, once`);
    await run(python, ["-m", "venv", building]);
    const packages = [`pulumi==${pythonVersion}`, "parver", "semver", "setuptools", "wheel"];
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
    await run(path.join(building, "bin", "python3"), pip);
  });
  return path.join(await orMissing("the package pulumi could not be installed for Python", folder), "bin");
}

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
    await run(maven, ["--quiet", "--batch-mode", "--file", project, ...copy]);
  });
  return path.join(await orMissing("the package com.pulumi could not be fetched for Java", folder), "*");
}

/** Writes the sources of an SDK with Pulumi's own generator. @param languages the folder of the generator */
export async function generateSdk(
  languages: string,
  language: "nodejs" | "python" | "go",
  schema: string,
  folder: string,
): Promise<void> {
  await run(path.join(languages, "generate-sdk"), [language, schema, folder]);
}

/**
 * Writes the project of the SDK for .NET, or the sources of that for Java, with Pulumi's own generator.
 *
 * @param logo a picture, which the package for .NET shows
 * @throws EngineMissingError
 */
export async function generateOlder(
  language: "dotnet" | "java",
  schema: string,
  folder: string,
  report: (line: string) => void,
  logo = "",
): Promise<void> {
  const generator = await built("older", report);
  await run(path.join(generator, "generate-older"), [language, schema, folder, logo]);
}

/** The folder of programs that Go builds. @throws EngineMissingError without Go, or when it cannot */
async function built(of: keyof typeof goBuilds, report: (line: string) => void): Promise<string> {
  const go = findOnPath("go");
  if (!go) throw new EngineMissingError("Go was not found: install it (https://go.dev/dl)");
  return orMissing(
    "Go could not build the programs for other languages",
    buildWithGo(go, goBuilds[of], report),
  );
}

async function orMissing<Value>(failure: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`${failure}: ${reason}`, { cause: error });
  }
}
