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
  const seen = new Map<object, unknown>()
  const copy = (x: unknown): unknown => {
    if (typeof x === "function" || typeof x === "symbol") throw new TypeError(`A ${typeof x} cannot be cloned`)
    if (typeof x !== "object" || x === null) return x
    if (seen.has(x)) return seen.get(x)
    const keep = <A>(made: A): A => {
      seen.set(x, made)
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
      const made = keep(new Map<unknown, unknown>())
      for (const [k, v] of x) made.set(copy(k), copy(v))
      return made
    }
    if (x instanceof Set) {
      const made = keep(new Set<unknown>())
      for (const v of x) made.add(copy(v))
      return made
    }
    if (x instanceof Error) {
      const made = keep(new (CLONABLE_ERRORS[x.name] ?? Error)(x.message))
      if ("cause" in x) made.cause = copy(x.cause)
      return made
    }
    if (x instanceof Promise || x instanceof WeakMap || x instanceof WeakSet)
      throw new TypeError("The object cannot be cloned")
    const made = keep((Array.isArray(x) ? new Array(x.length) : {}) as Record<string, unknown>)
    for (const name of Object.keys(x)) made[name] = copy((x as Record<string, unknown>)[name])
    return made
  }
  return copy(value)
}
