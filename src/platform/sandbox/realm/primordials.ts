// The built-ins as they were before any script ran: the driver uses these, so that a script that patches prototypes
// can only spoil its own result (developer-api.md 8.4).
const bind = <A extends ReadonlyArray<unknown>, R>(method: (...args: A) => R) =>
  Function.prototype.call.bind(method) as unknown as (self: unknown, ...args: A) => R

export const { stringify, parse } = JSON
export const { isArray } = Array
export const { keys, defineProperty, getOwnPropertyDescriptor, freeze } = Object
export const ErrorClass = Error
export const PromiseClass = Promise
export const TypeErrorClass = TypeError
export const RangeErrorClass = RangeError
export const StringOf = String
export const NumberOf = Number
export const isFiniteNumber = Number.isFinite
export const dateTime = bind(Date.prototype.getTime)
export const isoString = bind(Date.prototype.toISOString)
export const numberValue = bind(Number.prototype.valueOf)
export const stringValue = bind(String.prototype.valueOf)
export const booleanValue = bind(Boolean.prototype.valueOf)
export const slice = bind(String.prototype.slice as (a: number, b?: number) => string)
export const charCodeAt = bind(String.prototype.charCodeAt)
export const startsWith = bind(String.prototype.startsWith as (start: string) => boolean)
export const indexOf = bind(String.prototype.indexOf as (text: string, from?: number) => number)
export const matchOf = bind(RegExp.prototype.exec as (text: string) => ReadonlyArray<string | undefined> | null)
export const promiseThen = bind(Promise.prototype.then as (a: unknown, b?: unknown) => unknown)
export const { now } = Date
export const { trunc } = Math
const setHas = bind(Set.prototype.has)
const setAdd = bind(Set.prototype.add)
const setDelete = bind(Set.prototype.delete)
export const objectSet = () => {
  const set = new Set<object>()
  return {
    has: (x: object) => setHas(set, x),
    add: (x: object) => setAdd(set, x),
    remove: (x: object) => setDelete(set, x)
  }
}

const mapGet = bind(Map.prototype.get)
const mapSet = bind(Map.prototype.set)
const mapDelete = bind(Map.prototype.delete)
const mapEach = bind(Map.prototype.forEach)
const setEach = bind(Set.prototype.forEach)
/** The pairs of a Map; undefined where it is none. */
export const pairsOf = (x: object): ReadonlyArray<readonly [unknown, unknown]> | undefined => {
  try {
    const keyValues: Array<readonly [unknown, unknown]> = []
    mapEach(x, ((value: unknown, key: unknown) => {
      keyValues[keyValues.length] = [key, value]
    }) as never)
    return keyValues
  } catch {
    return undefined
  }
}
/** The items of a Set; undefined where it is none. */
export const itemsOf = (x: object): ReadonlyArray<unknown> | undefined => {
  try {
    const elements: Array<unknown> = []
    setEach(x, ((value: unknown) => {
      elements[elements.length] = value
    }) as never)
    return elements
  } catch {
    return undefined
  }
}
export const table = <A>() => {
  const map = new Map<number, A>()
  return {
    set: (key: number, value: A) => void mapSet(map, key, value),
    take: (key: number): A | undefined => {
      const value = mapGet(map, key) as A | undefined
      mapDelete(map, key)
      return value
    },
    each: (visit: (value: A, key: number) => void) => void mapEach(map, visit as never)
  }
}

/** UTF-8 length of a string. */
export const byteLength = (s: string): number => {
  let n = 0
  for (let i = 0; i < s.length; i++) {
    const c = charCodeAt(s, i)
    if (c < 0x80) n += 1
    else if (c < 0x800) n += 2
    else if (c >= 0xd800 && c < 0xdc00 && i + 1 < s.length) {
      n += 4
      i++
    } else n += 3
  }
  return n
}
