// The name that a `Content-Disposition` gives a file (RFC 6266): `filename*` before `filename`, in whatever charset it says, and what
// servers write instead: bytes as they are, percent signs, encoded words of mail.
import { headerParameters } from "../primitives/headerParameters.ts"
import { decodeText } from "./decodeText.ts"

const percents = /%([0-9a-f]{2})/gi

/** A character for each byte, as headers are read. */
const bytesOf = (latin: string): Uint8Array => Buffer.from(latin, "latin1")

const withoutPercents = (text: string): string =>
  text.replaceAll(percents, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const textOf = (latin: string, charset = "utf-8"): string =>
  decodeText(bytesOf(latin), `text/plain; charset=${charset}`).text

/** `charset'language'percent-encoded` (RFC 8187 3.2). */
const extended = (value: string): string | undefined => {
  const first = value.indexOf("'")
  const second = value.indexOf("'", first + 1)
  if (first < 0 || second < 0) return undefined
  return textOf(withoutPercents(value.slice(second + 1)), value.slice(0, first) || "utf-8")
}

/** Headers hold bytes: UTF-8 where they are it, else what old servers write. */
const plain = (value: string): string => {
  const written = decodeText(bytesOf(value), "text/plain").text
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

const encodedWord = /=\?([\w-]{1,40})\?([bq])\?([^?\s]*)\?=/gi

/** RFC 2047, which has no place here and is met all the same. */
const withoutWords = (value: string): string =>
  value
    .replaceAll(/\?=\s{1,10}=\?/g, "?==?")
    .replaceAll(encodedWord, (_, charset: string, form: string, text: string) =>
      form.toLowerCase() === "b"
        ? textOf(Buffer.from(text, "base64").toString("latin1"), charset)
        : textOf(withoutPercents(text.replaceAll("_", " ").replaceAll("=", "%")), charset)
    )

/** File name as written, perhaps a path; undefined if the header has none. @param header a character for each byte */
export const nameInDisposition = (header: string | undefined): string | undefined => {
  const parameters = headerParameters(header)
  const star = parameters.get("filename*")
  const name = star === undefined ? undefined : extended(star)
  if (name !== undefined && name.trim() !== "") return name
  const given = parameters.get("filename")
  if (given === undefined || given.trim() === "") return undefined
  return given.includes("=?") ? withoutWords(given) : plain(given)
}
