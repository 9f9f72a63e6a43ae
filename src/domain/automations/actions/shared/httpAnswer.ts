// Assigns an HTTP answer to the variables of its step (developer-api.md 7.6 http_call runtime): text in its charset, JSON as parsed, or a
// file with its name.
import { Clock, Effect } from "effect"
import { textExcess } from "../../../../platform/bounds/jsonText.ts"
import { nameInDisposition } from "../../../../platform/content/contentDisposition.ts"
import { decodeText } from "../../../../platform/content/decodeText.ts"
import { type OutboundResponse, shownHeaders } from "../../../../platform/outbound/requests.ts"
import { retryAfterMillis } from "../../../../platform/outbound/retryAfter.ts"
import { isJsonType, mediaTypeOf } from "../../../../platform/primitives/mediaType.ts"
import { NUMBERS_KEPT, quoteInexact } from "../../../../platform/text/exactNumbers.ts"
import { fileName } from "../../../../platform/text/fileName.ts"
import type { CustomDef } from "../../model/Definition.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { storable } from "../../values/resolveStorable.ts"
import type { RequestConfig } from "./httpConfig.ts"
import { RunFiles } from "./RunFiles.ts"

/** Longest `Retry-After` that is read: pauses of `retry` are no longer. */
const DAY_MILLIS = 86_400_000

/** Answer of the last page, with the items of all. */
export interface JoinedPages {
  readonly answer: OutboundResponse
  readonly data: ReadonlyArray<unknown>
  readonly pages: number
  /** False if further pages were left out. */
  readonly complete: boolean
}

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
const fileNameOf = ({ headers, url }: OutboundResponse): string =>
  fileName(
    nameInDisposition(headers["content-disposition"]) ?? unescaped(new URL(url).pathname.split("/").at(-1) ?? ""),
    "response"
  )

/**
 * Makes the assignment of an answer. It fails for a status of 400 and above, for which later steps still find the answer in a variable of
 * the type `any`; files are kept only on success.
 */
export const makeHttpAnswer = Effect.gen(function* () {
  const files = yield* RunFiles
  return Effect.fnUntraced(function* (step: Step<RequestConfig>, answer: OutboundResponse, joined?: JoinedPages) {
    const { status } = answer
    const isFile = step.config.http_call_response_as_file === true && status < 400
    const data = joined !== undefined ? joined.data : isFile ? null : dataOf(answer, step.log)
    const paged = joined === undefined ? {} : { pages: joined.pages, complete: joined.complete }
    const loggedAnswer = { status, headers: shownHeaders(answer), data, ...paged }
    step.log.output("response", loggedAnswer)
    const { custom_variable_defs: defs } = step.config
    const findDef = (...types: ReadonlyArray<CustomDef["custom_type"]>) =>
      defs.find((def) => types.includes(def.custom_type))
    const any = findDef("any")
    if (any !== undefined) (status >= 400 ? step.setOnFailure : step.set)(any, storable(loggedAnswer))
    if (status >= 400) {
      const nowMillis = yield* Clock.currentTimeMillis
      return yield* new StepFailed({
        message: `The server answered ${status}.`,
        status,
        retryAfterMillis: retryAfterMillis(answer.headers["retry-after"], nowMillis, DAY_MILLIS)
      })
    }
    const file = findDef("single_file", "multi_file")
    if (file !== undefined) {
      const mimetype = (answer.headers["content-type"] ?? "application/octet-stream").slice(0, 200)
      const kept = yield* files.keep(step, { name: fileNameOf(answer), mimetype, bytes: answer.body })
      step.set(file, file.custom_type === "multi_file" ? [kept] : kept)
      step.publish({ type: "file_collection", app_id: step.automation.app_id, files: [kept] })
    }
  })
})
