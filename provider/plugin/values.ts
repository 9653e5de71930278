import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { isFields, type Json, mapFields, own } from "../../core/values/json.ts";
import {
  pathOf,
  pointerOf,
  type Properties,
  secretProperty,
  Secrets,
  unknownValue,
} from "../lifecycle/index.ts";

/** The member by which Pulumi tells values of its own sorts from plain objects. */
const signature = "4dabf18193072939515e22adb298388d";

/** Its value for a secret; the secret itself is the member `value`. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The code of the dynamic provider, which Pulumi keeps in the state of its resources. */
const codeProperty = "__provider";

/** The texts that stand for unknown values: one for each type of value. */
const unknownValues = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * Properties as the lifecycle has them: secrets are plain values, and the property `__secret` lists where they are;
 * what is not known yet is `unknownValue`.
 */
export function decode(properties: Struct | undefined): Properties {
  if (!properties) return {};
  const pointers: string[] = [];
  const plain = decodeValue(properties.toJavaScript() as Json, "", pointers);
  if (!isFields(plain)) return {};
  delete plain[codeProperty];
  // The dynamic provider has left such a list in the state.
  const earlier = new Secrets(plain).properties[secretProperty];
  if (Array.isArray(earlier)) pointers.push(...earlier.filter((pointer) => typeof pointer === "string"));
  return pointers.length === 0 ? plain : { ...plain, [secretProperty]: [...new Set(pointers)] };
}

function decodeValue(value: Json, pointer: string, pointers: string[]): Json {
  if (typeof value === "string") return unknownValues.has(value) ? unknownValue : value;
  if (Array.isArray(value))
    return value.map((element, index) => decodeValue(element, `${pointer}/${index}`, pointers));
  if (!isFields(value)) return value;
  if (own(value, signature) === secretSignature) {
    pointers.push(pointer);
    // Secrets within a secret are secret anyway.
    return decodeValue(value["value"] ?? null, pointer, []);
  }
  return mapFields(value, (inner, member) => decodeValue(inner, pointer + pointerOf([member]), pointers));
}

/** Properties of the lifecycle as the engine has them; secret is whatever is at a place of its property `__secret`. */
export function encode({ [secretProperty]: pointers, ...properties }: Properties): Struct {
  const paths = (Array.isArray(pointers) ? pointers : []).flatMap((pointer) =>
    typeof pointer === "string" ? [pathOf(pointer)] : [],
  );
  // The memory of what the program declares has its references.
  const marked = markSecrets(properties, paths.length === 0 ? [] : [...paths, ["__stated"]]);
  return struct.Struct.fromJavaScript(marked as Parameters<typeof struct.Struct.fromJavaScript>[0]);
}

/**
 * A value with its secrets marked. A list with a secret element is secret as a whole, and so is a value that has
 * another form than the one in which it was declared: a reference that has been looked up.
 */
function markSecrets(value: Json, paths: readonly string[][]): Json {
  if (paths.length === 0) return value;
  if (!isFields(value) || paths.some((path) => path.length === 0)) return asSecret(value);
  return mapFields(value, (inner, member) =>
    markSecrets(
      inner,
      paths.flatMap(([first, ...rest]) => (first === member ? [rest] : [])),
    ),
  );
}

/** A value that the engine encrypts in the state and shows nowhere. */
export function asSecret(value: Json): Json {
  return { [signature]: secretSignature, value };
}
