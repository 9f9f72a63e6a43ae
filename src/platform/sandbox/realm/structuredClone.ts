// `structuredClone` of scripts (developer-api.md 8.2): cycles, dates, collections, views of bytes and errors.
const CLONABLE_ERRORS: Record<string, ErrorConstructor> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError
}

export const structuredClone = (value: unknown): unknown => {
  const copies = new Map<object, unknown>()
  const copy = (x: unknown): unknown => {
    if (typeof x === "function" || typeof x === "symbol") throw new TypeError(`A ${typeof x} cannot be cloned`)
    if (typeof x !== "object" || x === null) return x
    if (copies.has(x)) return copies.get(x)
    const keep = <A>(made: A): A => {
      copies.set(x, made)
      return made
    }
    if (x instanceof Date) return keep(new Date(x.getTime()))
    if (x instanceof RegExp) return keep(new RegExp(x.source, x.flags))
    if (x instanceof Number || x instanceof String || x instanceof Boolean) return keep(Object(x.valueOf()))
    if (x instanceof ArrayBuffer) return keep(x.slice(0))
    if (ArrayBuffer.isView(x)) {
      const buffer = copy(x.buffer) as ArrayBuffer
      if (x instanceof DataView) return keep(new DataView(buffer, x.byteOffset, x.byteLength))
      const Kind = x.constructor as new (b: ArrayBuffer, at: number, n: number) => unknown
      return keep(new Kind(buffer, x.byteOffset, (x as Uint8Array).length))
    }
    if (x instanceof Map) {
      const mapCopy = keep(new Map<unknown, unknown>())
      for (const [k, v] of x) mapCopy.set(copy(k), copy(v))
      return mapCopy
    }
    if (x instanceof Set) {
      const setCopy = keep(new Set<unknown>())
      for (const v of x) setCopy.add(copy(v))
      return setCopy
    }
    if (x instanceof Error) {
      const errorCopy = keep(new (CLONABLE_ERRORS[x.name] ?? Error)(x.message))
      if ("cause" in x) errorCopy.cause = copy(x.cause)
      return errorCopy
    }
    if (x instanceof Promise || x instanceof WeakMap || x instanceof WeakSet)
      throw new TypeError("The object cannot be cloned")
    const objectCopy = keep((Array.isArray(x) ? new Array(x.length) : {}) as Record<string, unknown>)
    for (const name of Object.keys(x)) objectCopy[name] = copy((x as Record<string, unknown>)[name])
    return objectCopy
  }
  return copy(value)
}
