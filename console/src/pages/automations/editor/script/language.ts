// Names that the language itself brings to scripts, read from the browser's own objects, whose language is that of the service's scripts.
// Excludes names that scripts do not have (docs/scripts.md) and deprecated ones.
import type { Member } from "./declarations.ts"

export const standardNames: ReadonlyArray<string> = [
  ...[
    "Array",
    "BigInt",
    "Boolean",
    "Date",
    "Error",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "Reflect"
  ],
  ...["RegExp", "Set", "String", "Symbol", "TypeError", "Uint8Array"],
  ...["decodeURIComponent", "encodeURIComponent", "isFinite", "isNaN", "parseFloat", "parseInt"]
]

export const keywords = [
  ...[
    "async",
    "await",
    "break",
    "case",
    "catch",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "false",
    "finally"
  ],
  ...[
    "for",
    "function",
    "if",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "switch",
    "throw",
    "true",
    "try"
  ],
  ...["typeof", "undefined", "while"]
]

/** HTML of the nineties, and older names of the same. */
const obsolete =
  /^(?:anchor|big|blink|bold|fixed|fontcolor|fontsize|italics|link|small|strike|sub|sup|substr|trimLeft|trimRight|getYear|setYear|toGMTString|constructor|caller|callee|arguments|prototype|name|__.*)$/

const isStandard = (name: string) => standardNames.includes(name) || name === "Iterator"
const findGlobal = (name: string): unknown => (globalThis as Readonly<Record<string, unknown>>)[name]

const namesOf = (value: unknown): ReadonlyArray<Member> =>
  value === null || (typeof value !== "object" && typeof value !== "function")
    ? []
    : Object.getOwnPropertyNames(value)
        .filter((name) => !obsolete.test(name) && !(typeof value === "function" && name === "length"))
        .map((name) => ({ name, type: "any", doc: "" }))

const classOf: Readonly<Record<string, string>> = {
  string: "String",
  number: "Number",
  boolean: "Boolean",
  bigint: "BigInt",
  ReadonlyArray: "Array",
  Iterable: "Iterator",
  IterableIterator: "Iterator"
}

/** Members of a value of this type: `toUpperCase` of a text. */
export const memberNames = (type: string): ReadonlyArray<Member> => {
  const name = classOf[type] ?? type
  const names: Array<Member> = []
  let owner: unknown = isStandard(name) ? (findGlobal(name) as { prototype?: unknown } | undefined)?.prototype : null
  // Most of what a Uint8Array has stands in the class above it.
  for (; owner != null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
    names.push(...namesOf(owner))
  return names
}

/** Members of the object itself: `round` of Math. */
export const ownNames = (name: string): ReadonlyArray<Member> => (isStandard(name) ? namesOf(findGlobal(name)) : [])
