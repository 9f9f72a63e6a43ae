// Base64, base64url and hexadecimal of scripts (developer-api.md 8.2): `atob` and `btoa`, and the methods of Uint8Array that ECMAScript 2026
// has for them.
import { bytesOf, latinOf } from "./bytes.ts"

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

export const urlOf = (base64: string): string => base64.replace(/\+/g, "-").replace(/\//g, "_")
export const plainOf = (base64url: string): string => base64url.replace(/-/g, "+").replace(/_/g, "/")
export const unpadded = (base64: string): string => base64.replace(/={1,2}$/, "")

export const hexOf = (bytes: Uint8Array): string => {
  let hex = ""
  for (let i = 0; i < bytes.length; i++) hex += `${bytes[i]! < 16 ? "0" : ""}${bytes[i]!.toString(16)}`
  return hex
}

export const fromHex = (text: string): Uint8Array<ArrayBuffer> => {
  if (text.length % 2 !== 0 || /[^0-9a-fA-F]/.test(text)) throw new SyntaxError("The string is not hexadecimal")
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

interface Options {
  readonly alphabet?: unknown
  readonly omitPadding?: unknown
}

const isUrl = ({ alphabet = "base64" }: Options): boolean => {
  if (alphabet !== "base64" && alphabet !== "base64url") throw new TypeError("alphabet is base64 or base64url")
  return alphabet === "base64url"
}

const text = (given: unknown): string => {
  if (typeof given !== "string") throw new TypeError("Expected a string")
  return given
}

const fromBase64 = (given: string, url: boolean) => {
  if (url && /[+/]/.test(given)) throw new SyntaxError("The string is not base64url")
  try {
    return bytesOf(atob(url ? plainOf(given) : given))
  } catch {
    throw new SyntaxError(`The string is not ${url ? "base64url" : "base64"}`)
  }
}

const define = (owner: object, name: string, value: unknown) =>
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false })

/** Adds the methods; call it once for each realm, before any script. */
export const extendUint8Array = () => {
  define(Uint8Array, "fromBase64", (given: unknown, options: Options = {}) => fromBase64(text(given), isUrl(options)))
  define(Uint8Array, "fromHex", (given: unknown) => fromHex(text(given)))
  const methods = {
    toBase64(this: Uint8Array, options: Options = {}) {
      const base64 = btoa(latinOf(this))
      const inAlphabet = isUrl(options) ? urlOf(base64) : base64
      return options.omitPadding === true ? unpadded(inAlphabet) : inAlphabet
    },
    toHex(this: Uint8Array) {
      return hexOf(this)
    }
  }
  define(Uint8Array.prototype, "toBase64", methods.toBase64)
  define(Uint8Array.prototype, "toHex", methods.toHex)
}
