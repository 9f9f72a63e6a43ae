// Converts an HTTP answer for a step (developer-api.md 7.6 http_call runtime): text in its charset, JSON as parsed, and a name for it as a
// file.
import { textExcess } from "../../../../platform/bounds/jsonText.ts"
import { nameInDisposition } from "../../../../platform/content/contentDisposition.ts"
import { decodeText } from "../../../../platform/content/decodeText.ts"
import type { OutboundResponse } from "../../../../platform/outbound/requests.ts"
import { isJsonType, mediaTypeOf } from "../../../../platform/primitives/mediaType.ts"
import { NUMBERS_KEPT, quoteInexact } from "../../../../platform/text/exactNumbers.ts"
import { fileName } from "../../../../platform/text/fileName.ts"
import type { Step } from "../../model/Step.ts"

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value of an answer's `data`. */
export const dataOf = ({ body, headers }: OutboundResponse, log: Step["log"]): unknown => {
  const contentType = headers["content-type"]
  const { charset, text, unknown } = decodeText(body, contentType)
  if (unknown !== undefined)
    log.add("warn", `The answer names the charset ${unknown}, which is not known: it is read as ${charset}.`)
  if (!isJsonType(mediaTypeOf(contentType)) && !/^\s*[[{]/.test(text)) return text
  // Foreign data is bounded before it is parsed, since all readers of the value traverse it (decisions P7).
  const excess = textExcess(text)
  if (excess !== undefined) {
    log.add("warn", `The answer ${excess}: it is kept as text.`)
    return text
  }
  const exact = quoteInexact(text)
  const value = asJson(exact)
  if (value === undefined) return text
  if (exact !== text) log.add("warn", NUMBERS_KEPT)
  return value
}

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the file name for the answer's body. */
export const fileNameOf = ({ headers, url }: OutboundResponse): string =>
  fileName(
    nameInDisposition(headers["content-disposition"]) ?? unescaped(new URL(url).pathname.split("/").at(-1) ?? ""),
    "response"
  )
