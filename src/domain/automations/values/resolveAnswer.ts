// The answer of an inbound address, resolved (developer-api.md 7.9): status, headers, where it redirects to, a file or a text. What resolves
// to nothing counts as left out.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { webAddress } from "../../../platform/text/webAddress.ts"
import type { TriggerConfig } from "../model/Definition.ts"
import { Values } from "../model/Resolver.ts"
import { ANSWER_FILE_BYTES, type AnswerHead, type RunAnswer } from "../model/RunAnswer.ts"
import type { RunScope } from "../model/RunScope.ts"
import { StepFailed } from "../model/StepFailed.ts"
import { tooLong } from "../model/textBounds.ts"
import { contentTypePattern, isHeaderValue } from "../schema/responseHeaders.ts"
import { meansJson } from "./resolveJson.ts"

type Config = TriggerConfig<"webhook_received">
type Resolved<A> = Effect.Effect<A, StepFailed | SqlError>

/** Proxies and clients take about as much. */
const HEADERS_CHARS = 8_192
/** Those that lead elsewhere (RFC 9110 15.4); with any other a redirect is a 302. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const SizedFile = Schema.Struct({ size: Schema.Int })

/** Without the value: it may hold a credential that the request brought. */
const failed = (message: string) => new StepFailed({ message })

export type RunAnswers = Effect.Success<typeof makeRunAnswers>

export const makeRunAnswers = Effect.gen(function* () {
  const values = yield* Values
  const sql = yield* Sql

  const statusOf = Effect.fnUntraced(function* ({ response_status, response_status_value }: Config, scope: RunScope) {
    const text = (yield* values.text(response_status_value ?? [], scope)).trim()
    if (text === "") return response_status
    if (/^[2-5]\d\d$/.test(text)) return Number(text)
    return yield* failed("The status of the answer is no number from 200 to 599.")
  })

  const headersOf = Effect.fnUntraced(function* ({ response_headers }: Config, scope: RunScope) {
    const headers: Record<string, string> = {}
    let chars = 0
    for (const { name, value } of response_headers ?? []) {
      const text = (yield* values.text(value, scope)).trim()
      if (text === "") continue
      chars += name.length + text.length
      if (chars > HEADERS_CHARS) return yield* tooLong("The headers of the answer are", HEADERS_CHARS)
      const key = name.toLowerCase()
      if (!isHeaderValue(text) || (key === "content-type" && !contentTypePattern.test(text)))
        return yield* failed(`The header ${name} of the answer cannot be sent with this value.`)
      headers[key] = text
    }
    return headers
  })

  const fileOf = Effect.fnUntraced(function* ({ response_file }: Config, scope: RunScope) {
    if (response_file === undefined) return null
    const [id] = yield* values.fileIds(response_file, scope)
    if (id === undefined) return null
    const file = yield* rowOf(SizedFile)(sql`
      SELECT size FROM files WHERE file_id = ${id} AND org_id = ${scope.run.org_id} AND temporary_id IS NULL`)
    if (file === undefined) return yield* failed("The file of the answer is gone.")
    if (file.size > ANSWER_FILE_BYTES)
      return yield* failed(`The file of the answer is larger than ${ANSWER_FILE_BYTES / 1_000_000} MB.`)
    return id
  })

  const head = Effect.fnUntraced(function* (
    config: Config,
    scope: RunScope
  ): Effect.fn.Return<AnswerHead, StepFailed | SqlError> {
    const status = yield* statusOf(config, scope)
    const headers = yield* headersOf(config, scope)
    const target = (yield* values.text(config.response_redirect ?? [], scope)).trim()
    if (target !== "") {
      const url = webAddress(target)
      if (url === null || url.href.length > HEADERS_CHARS)
        return yield* failed("The answer redirects to what is no http or https address.")
      return {
        status: redirects.has(status) ? status : 302,
        headers: { ...headers, location: url.href },
        file_id: null
      }
    }
    const file_id = yield* fileOf(config, scope)
    const typed = file_id === null ? { "content-type": config.response_content_type, ...headers } : headers
    return { status, headers: typed, file_id }
  })

  const body = ({ response_body }: Config, { file_id, headers }: AnswerHead, scope: RunScope): Resolved<string> =>
    file_id !== null || headers["location"] !== undefined
      ? Effect.succeed("")
      : values.text(response_body, scope, meansJson(response_body, headers["content-type"]) ? "json" : "text")

  const composeAnswer = (config: Config, scope: RunScope): Resolved<RunAnswer> =>
    Effect.flatMap(head(config, scope), (top) =>
      Effect.map(body(config, top, scope), (text) => ({ ...top, body: text }))
    )

  return { head, body, whole: composeAnswer }
})
