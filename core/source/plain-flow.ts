import { type Fields, type Json, setOwn } from "../json.ts";
import type { PlaceRecorder } from "./plain-places.ts";
import { plainScalar, quotedScalar } from "./plain-scalars.ts";

/** A value of a line, and the index in the line after it. */
interface FlowValue {
  value: Json;
  end: number;
}

/**
 * The list in `[ ]` or mapping in `{ }` at the beginning of a line; undefined where it is unusual, or goes on in the next line.
 *
 * @param offset of the line in its text
 */
export function flowValue(
  line: string,
  offset: number,
  places: PlaceRecorder | undefined,
): FlowValue | undefined {
  const read = (at: number, level: number): FlowValue | undefined => {
    if (level > maximumLevels) return undefined;
    const first = line.charAt(at);
    if (first === "[") return readList(at, level);
    if (first === "{") return readMapping(at, level);
    const scalar = readScalar(line, at);
    if (scalar) places?.at(offset + at, scalar.value !== null);
    return scalar;
  };

  const readList = (start: number, level: number): FlowValue | undefined => {
    const value: Json[] = [];
    let end = skipSpaces(line, start + 1);
    if (line.charAt(end) === "]") return { value, end: end + 1 };
    for (;;) {
      places?.enter(value.length, undefined, offset + end);
      const element = read(end, level + 1);
      places?.leave();
      if (!element) return undefined;
      value.push(element.value);
      end = skipSpaces(line, element.end);
      if (line.charAt(end) === "]") return { value, end: end + 1 };
      if (line.charAt(end) !== ",") return undefined;
      end = skipSpaces(line, end + 1);
    }
  };

  const readMapping = (start: number, level: number): FlowValue | undefined => {
    const value: Fields = {};
    let end = skipSpaces(line, start + 1);
    if (line.charAt(end) === "}") return { value, end: end + 1 };
    for (;;) {
      keyPattern.lastIndex = end;
      const [whole, key = ""] = keyPattern.exec(line) ?? [];
      if (whole === undefined || Object.hasOwn(value, key)) return undefined;
      places?.enter(key, offset + end, offset + end + whole.length);
      const member = read(end + whole.length, level + 1);
      places?.leave();
      if (!member) return undefined;
      setOwn(value, key, member.value);
      end = skipSpaces(line, member.end);
      if (line.charAt(end) === "}") return { value, end: end + 1 };
      if (line.charAt(end) !== ",") return undefined;
      end = skipSpaces(line, end + 1);
    }
  };

  return read(0, 1);
}

const maximumLevels = 20;
const keyPattern = /([A-Za-z_$][\w$./-]{0,200}): +/y;
// Texts without a character that could mean something in a flow collection.
const plainPattern = /(?:[\w$./]|-(?=[\w-]))(?:[\w$./@=+*%~^()-]|:(?=[\w/])| +(?=[\w$./@=+*%~^()-]))*/y;

function readScalar(line: string, at: number): FlowValue | undefined {
  if (line.charAt(at) === '"' || line.charAt(at) === "'") {
    const scalar = quotedScalar(line.slice(at));
    return scalar && { value: scalar.value, end: line.length - scalar.rest.length };
  }
  plainPattern.lastIndex = at;
  const [text] = plainPattern.exec(line) ?? [];
  const value = text === undefined ? undefined : plainScalar(text);
  return text === undefined || value === undefined ? undefined : { value, end: at + text.length };
}

function skipSpaces(line: string, at: number): number {
  let end = at;
  while (line.charAt(end) === " ") end += 1;
  return end;
}
