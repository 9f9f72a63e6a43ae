// Reads a file's name from `Content-Disposition` (RFC 6266): `filename*` before `filename`, in whatever charset it names. Also reads what
// servers write instead: raw bytes, percent signs, encoded words of mail.
import { headerParameters } from "../primitives/headerParameters.ts"
import { decodeText } from "./decodeText.ts"

const percents = /%([0-9a-f]{2})/gi

/** Bytes of a header, which is read with one character per byte. */
const bytesOf = (latin: string): Uint8Array => Buffer.from(latin, "latin1")

const withoutPercents = (text: string): string =>
  text.replaceAll(percents, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const textOf = (latin: string, charset = "utf-8"): string =>
  decodeText(bytesOf(latin), `text/plain; charset=${charset}`).text

/** Decodes `charset'language'percent-encoded` (RFC 8187 3.2). */
const extended = (value: string): string | undefined => {
  const firstQuote = value.indexOf("'")
  const second = value.indexOf("'", firstQuote + 1)
  if (firstQuote < 0 || second < 0) return undefined
  return textOf(withoutPercents(value.slice(second + 1)), value.slice(0, firstQuote) || "utf-8")
}

/** Decodes the bytes of a plain name: UTF-8 if they are valid, else the charset of old servers. */
const decodePlain = (value: string): string => {
  const decodedText = decodeText(bytesOf(value), "text/plain").text
  try {
    return decodeURIComponent(decodedText)
  } catch {
    return decodedText
  }
}

const encodedWord = /=\?([\w-]{1,40})\?([bq])\?([^?\s]*)\?=/gi

/** Decodes words of RFC 2047, which do not belong here and occur all the same. */
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
  const filenameParameter = parameters.get("filename")
  if (filenameParameter === undefined || filenameParameter.trim() === "") return undefined
  return filenameParameter.includes("=?") ? withoutWords(filenameParameter) : decodePlain(filenameParameter)
}
