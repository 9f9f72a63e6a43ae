// The standard objects that V8 alone does not have (developer-api.md 8.2): TextEncoder/Decoder, atob, btoa, structuredClone.
const REPLACEMENT = 0xfffd

/** Bytes of an ArrayBuffer or a view of one. */
export const toBytes = (view: unknown): Uint8Array => {
  if (view instanceof ArrayBuffer) return new Uint8Array(view)
  if (ArrayBuffer.isView(view)) return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
  throw new TypeError("Expected an ArrayBuffer or a view of one")
}

export class TextEncoder {
  get encoding() {
    return "utf-8"
  }
  encode(input: unknown = ""): Uint8Array {
    const text = `${input}`.toWellFormed()
    const out = new Uint8Array(text.length * 3)
    let n = 0
    for (let i = 0; i < text.length; i++) {
      const c = text.codePointAt(i)!
      if (c > 0xffff) i++
      if (c < 0x80) out[n++] = c
      else if (c < 0x800) {
        out[n++] = 0xc0 | (c >> 6)
        out[n++] = 0x80 | (c & 63)
      } else if (c < 0x10000) {
        out[n++] = 0xe0 | (c >> 12)
        out[n++] = 0x80 | ((c >> 6) & 63)
        out[n++] = 0x80 | (c & 63)
      } else {
        out[n++] = 0xf0 | (c >> 18)
        out[n++] = 0x80 | ((c >> 12) & 63)
        out[n++] = 0x80 | ((c >> 6) & 63)
        out[n++] = 0x80 | (c & 63)
      }
    }
    return out.slice(0, n)
  }
}

/** Length of the sequence that `lead` opens and the lowest and highest second byte (Unicode, table 3-7); 0: not a lead. */
const sequence = (lead: number): readonly [length: number, low: number, high: number] => {
  if (lead >= 0xc2 && lead <= 0xdf) return [2, 0x80, 0xbf]
  if (lead >= 0xe0 && lead <= 0xef) return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf]
  if (lead >= 0xf0 && lead <= 0xf4) return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf]
  return [0, 0, 0]
}

export class TextDecoder {
  readonly encoding = "utf-8"
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!/^(utf-?8|unicode-1-1-utf-8)$/i.test(`${label}`.trim()))
      throw new RangeError(`The encoding ${label} is not known`)
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
  }
  decode(input?: unknown): string {
    const bytes = input === undefined ? new Uint8Array(0) : toBytes(input)
    const parts: Array<string> = []
    let units: Array<number> = []
    const put = (c: number) => {
      if (c > 0xffff) units.push(0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff))
      else units.push(c)
      if (units.length >= 4096) {
        parts.push(String.fromCharCode(...units))
        units = []
      }
    }
    let i = !this.ignoreBOM && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    while (i < bytes.length) {
      const lead = bytes[i++]!
      if (lead < 0x80) {
        put(lead)
        continue
      }
      const [length, low, high] = sequence(lead)
      let code = length === 2 ? lead & 31 : length === 3 ? lead & 15 : lead & 7
      let taken = 1
      for (; taken < length; taken++) {
        const next = bytes[i]
        if (next === undefined || next < (taken === 1 ? low : 0x80) || next > (taken === 1 ? high : 0xbf)) break
        code = (code << 6) | (next & 63)
        i++
      }
      if (length === 0 || taken < length) {
        if (this.fatal) throw new TypeError("The bytes are not valid utf-8")
        put(REPLACEMENT)
      } else put(code)
    }
    parts.push(String.fromCharCode(...units))
    return parts.join("")
  }
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

export const btoa = (input: unknown): string => {
  const text = `${input}`
  let out = ""
  for (let i = 0; i < text.length; i += 3) {
    const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)] as [number, number, number]
    if (a > 255 || b > 255 || c > 255) throw new RangeError("The string has characters outside of Latin1")
    const bits = (a << 16) | ((b || 0) << 8) | (c || 0)
    out += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]!
    out += (Number.isNaN(b) ? "=" : ALPHABET[(bits >> 6) & 63]!) + (Number.isNaN(c) ? "=" : ALPHABET[bits & 63]!)
  }
  return out
}

export const atob = (input: unknown): string => {
  let text = `${input}`.replace(/[\t\n\f\r ]/g, "")
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "")
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw new RangeError("The string is not base64")
  let out = ""
  for (let i = 0, bits = 0, held = 0; i < text.length; i++) {
    bits = (bits << 6) | ALPHABET.indexOf(text[i]!)
    held += 6
    if (held >= 8) {
      held -= 8
      out += String.fromCharCode((bits >> held) & 255)
      bits &= (1 << held) - 1
    }
  }
  return out
}

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
