// Encodes the values that leave a script as JSON. `undefined` becomes `null`, a Date the datetime string of developer-api.md 1.3, a Map an
// object, a Set a list, an Error its name and message. Functions, symbols, big integers and cycles are errors that name their place
// (developer-api.md 8.3).
import * as p from "./primordials.ts"

const MAX_DEPTH = 200

const isDate = (x: object): boolean => {
  try {
    p.dateTime(x)
    return true
  } catch {
    return false
  }
}

/** Length of a date's text; before the year 0 and after 9999 a year has a sign and six digits. */
const PLAIN = "YYYY-MM-DDTHH:mm:ss.sssZ".length

/** Text of a date; null for other objects, and for a date without such a text. */
const dateText = (x: object): string | null => {
  if (!p.isFiniteNumber(p.dateTime(x))) return null
  const text = p.isoString(x)
  return text.length === PLAIN ? `${p.slice(text, 0, 10)} ${p.slice(text, 11, 19)}` : null
}

const isPromise = (x: object): boolean => {
  try {
    p.promiseThen(x, undefined)
    return true
  } catch {
    return false
  }
}

/** Primitive inside `new Number(1)` and its kind, as JSON unwraps it. */
const unboxed = (x: object): unknown => {
  for (const get of [p.numberValue, p.stringValue, p.booleanValue]) {
    try {
      return get(x)
    } catch {}
  }
  return x
}

/** Encodes a Map as an object if its keys are texts or numbers, else as a list of pairs; a Set as a list. */
const collection = (
  o: object,
  list: (items: ReadonlyArray<unknown>) => string,
  members: (names: ReadonlyArray<string>, valueOf: (name: string, at: number) => unknown) => string
): string | undefined => {
  const pairs = p.pairsOf(o)
  if (pairs === undefined) {
    const items = p.itemsOf(o)
    return items === undefined ? undefined : list(items)
  }
  const names: Array<string> = []
  for (let i = 0; i < pairs.length; i++) {
    const key = pairs[i]![0]
    if (typeof key !== "string" && typeof key !== "number") return list(pairs)
    names[i] = p.StringOf(key)
  }
  return members(names, (_, at) => pairs[at]![1])
}

/** Names of the members to encode; of an error its name and message, too, which are not enumerable. */
const namesOf = (o: object): ReadonlyArray<string> => {
  const names = p.keys(o)
  if (!(o instanceof p.ErrorClass)) return names
  const memberNames = ["name", "message"]
  for (let i = 0; i < names.length; i++)
    if (names[i] !== "name" && names[i] !== "message") memberNames[memberNames.length] = names[i]!
  return memberNames
}

/** JSON text of a value; throws a TypeError that names the member that cannot leave. */
export const encode = (value: unknown): string => {
  const openObjects = p.objectSet()
  const refuse = (path: string, what: string) => {
    throw new p.TypeErrorClass(`The result${path === "" ? "" : ` at ${path}`} is ${what} and cannot be stored`)
  }
  const walk = (v: unknown, path: string, key: string, depth: number): string => {
    let x = v
    if (typeof x === "object" && x !== null) {
      if (isDate(x)) return p.stringify(dateText(x))
      const toJson = (x as { toJSON?: unknown }).toJSON
      if (typeof toJson === "function") x = (x as { toJSON: (key: string) => unknown }).toJSON(key)
    }
    if (typeof x === "object" && x !== null) x = unboxed(x)
    switch (typeof x) {
      case "string":
      case "boolean":
        return p.stringify(x)
      case "number":
        return p.isFiniteNumber(x) ? p.stringify(x) : "null"
      case "undefined":
        return "null"
      case "function":
      case "symbol":
        return refuse(path, `a ${typeof x}`) as never
      case "bigint":
        return refuse(path, "a big integer") as never
    }
    const o = x as object | null
    if (o === null) return "null"
    if (isDate(o)) return p.stringify(dateText(o))
    if (isPromise(o)) refuse(path, "a promise")
    if (openObjects.has(o)) refuse(path, "a cycle")
    if (depth > MAX_DEPTH) refuse(path, "nested too deeply")
    openObjects.add(o)
    const list = (items: ReadonlyArray<unknown>): string => {
      let text = "["
      for (let i = 0; i < items.length; i++)
        text += (i > 0 ? "," : "") + walk(items[i], `${path}[${i}]`, `${i}`, depth + 1)
      return `${text}]`
    }
    const members = (names: ReadonlyArray<string>, valueOf: (name: string, at: number) => unknown): string => {
      let text = "{"
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!
        const member = walk(valueOf(name, i), path === "" ? name : `${path}.${name}`, name, depth + 1)
        text += `${i > 0 ? "," : ""}${p.stringify(name)}:${member}`
      }
      return `${text}}`
    }
    const readMember = (name: string) => (o as Record<string, unknown>)[name]
    const text = p.isArray(o) ? list(o) : (collection(o, list, members) ?? members(namesOf(o), readMember))
    openObjects.remove(o)
    return text
  }
  return walk(value, "", "", 0)
}

/** Line of console output: strings as they are, errors with their name, everything else as JSON if possible. */
export const display = (value: unknown): string => {
  if (typeof value === "string") return value
  if (typeof value === "function") return "[function]"
  if (value instanceof p.ErrorClass) return `${value.name}: ${value.message}`
  if (value === undefined || typeof value === "symbol" || typeof value === "bigint") return p.StringOf(value)
  if (typeof value === "number") return p.StringOf(value)
  try {
    return encode(value)
  } catch {
    return "[object]"
  }
}
