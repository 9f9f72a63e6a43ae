// Lists the forms in which a named secret may come back (developer-api.md 7.13): as it is, cut at its line ends, escaped for an address, a
// form, HTML or JSON, in hexadecimal and in base64, there within a longer text too, as in Basic credentials. Pure, and linear (P8).
import { HIDDEN } from "./redaction.ts"

/** Least length of a line that is hidden by itself: shorter ones would hide innocent text. */
const PART_AT_LEAST = 8
const FORM_AT_LEAST = 4

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const html = (text: string) => text.replaceAll(/[&<>"']/g, (char) => escapes[char]!)
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const lowerHex = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

/** Base64 that any text around the secret contains for certain: three bytes are four characters, so there are three alignments. */
const base64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const firstIndex = Math.ceil((before * 8) / 6)
    const endIndex = Math.floor((bytes.length * 8) / 6)
    return bytes.toString("base64").slice(firstIndex, endIndex)
  })

const listForms = (text: string): ReadonlyArray<string> => {
  const address = encodeURIComponent(text)
  const form = new URLSearchParams([["", text]]).toString().slice(1)
  const hex = Buffer.from(text).toString("hex")
  return [
    ...[text, text.toLowerCase(), html(text), encodeURI(text), address, lowerHex(address), form, lowerHex(form)],
    ...[hex, hex.toUpperCase(), Buffer.from(text).toString("base64"), Buffer.from(text).toString("base64url")],
    ...base64(text).flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")])
  ]
}

/** Forms of a secret, the longest first. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim())
  const parts = lines.length > 1 ? lines.filter(({ length }) => length >= PART_AT_LEAST) : []
  // Includes the JSON form of the secret: a body that is echoed in base64 contains it so.
  const forms = [...new Set([secret, secret.trim(), json(secret)])].flatMap(listForms)
  return [...new Set([...forms, ...parts].flatMap((form) => [form, json(form)]))]
    .filter(({ length }) => length >= FORM_AT_LEAST)
    .toSorted((one, other) => other.length - one.length)
}

const inText = (text: string, forms: ReadonlyArray<string>): string =>
  forms.reduce((left, form) => (left.includes(form) ? left.replaceAll(form, HIDDEN) : left), text)

const walk = (value: unknown, forms: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return inText(value, forms)
  if (typeof value === "number") return inText(String(value), forms) === String(value) ? value : HIDDEN
  if (Array.isArray(value)) return value.map((item) => walk(item, forms))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [inText(name, forms), walk(item, forms)]))
}

/** True if a value that is JSON holds a secret. @param forms of all secrets, the longest first */
export const holdsSecret = (value: unknown, forms: ReadonlyArray<string>): boolean => {
  if (forms.length === 0) return false
  const text = JSON.stringify(value) ?? ""
  return forms.some((form) => text.includes(json(form)))
}

/** Value of JSON with a mark in place of every secret, in names of members too. */
export const withoutSecrets = (value: unknown, forms: ReadonlyArray<string>): unknown =>
  holdsSecret(value, forms) ? walk(value, forms) : value

/** Bytes of any kind with a mark in place of every secret. */
export const bytesWithoutSecrets = (bytes: Uint8Array, forms: ReadonlyArray<string>): Uint8Array => {
  const latin = (text: string) => Buffer.from(text).toString("latin1")
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const presentForms = forms.filter((form) => buffer.includes(form))
  if (presentForms.length === 0) return bytes
  const text = presentForms.reduce(
    (left, form) => left.replaceAll(latin(form), latin(HIDDEN)),
    buffer.toString("latin1")
  )
  return Buffer.from(text, "latin1")
}
