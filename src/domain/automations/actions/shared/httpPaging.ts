// Asks for all pages of an answer and joins their items (developer-api.md 7.6; decisions: paging of HTTP steps). Each page is a request of
// its own, with its checks and time-out; number, bytes, values and time of all together are bounded. A cancelled run asks for no further one.
import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { textExcess } from "../../../../platform/bounds/jsonText.ts"
import { policies } from "../../../../platform/outbound/policies.ts"
import type { OutboundResponse } from "../../../../platform/outbound/requests.ts"
import { rowOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { dataOf, type JoinedPages } from "./httpAnswer.ts"
import { PAGES_AT_MOST, type Paging, type RequestConfig } from "./httpConfig.ts"
import type { StepHttpRequest } from "./httpSend.ts"
import { itemsOf, nextPage, pageRequest } from "./nextPage.ts"

/** Time of all pages: the activity of a step has 15 minutes. */
const PAGES_MILLIS = 600_000
const { maxBytes } = policies.httpCall

export type SendRequest = (request: StepHttpRequest) => Effect.Effect<OutboundResponse, StepFailed>

const Over = Schema.Struct({ over: Schema.Boolean })

const orFail = <A>(result: A | StepFailed): Effect.Effect<A, StepFailed> =>
  result instanceof StepFailed ? Effect.fail(result) : Effect.succeed(result)

/** Text that two requests for one page share. */
const keyOf = ({ body = "", url }: StepHttpRequest): string =>
  `${URL.parse(url)?.href ?? url} ${createHash("sha256").update(body).digest("base64")}`

/** Each warning about the pages once. */
const onceEach = (log: Step["log"]): Step["log"] => {
  const added = new Set<string>()
  return {
    ...log,
    add: (level, message) => {
      if (added.has(message)) return
      added.add(message)
      log.add(level, message)
    }
  }
}

export const makeHttpPaging = Effect.gen(function* () {
  const sql = yield* Sql

  const isOver = (runId: string) =>
    Effect.map(
      rowOf(Over)(sql`
        SELECT cancel_requested_on IS NOT NULL OR completed_on IS NOT NULL AS over FROM runs
        WHERE run_id = ${runId}::bigint`),
      (row) => row?.over ?? true
    )

  /** A key of the service's own says which page it is for: with that of another page a receiver would repeat its answer. */
  const numbered = (step: Step, request: StepHttpRequest, page: number): StepHttpRequest => {
    const key = request.headers["idempotency-key"]
    return page === 1 || key?.startsWith(`${step.key}@`) !== true
      ? request
      : { ...request, headers: { ...request.headers, "idempotency-key": `${key}/${page}` } }
  }

  /** @returns null if the run was cancelled meanwhile; the answer alone if a page failed */
  return Effect.fnUntraced(function* (
    step: Step<RequestConfig>,
    paging: Paging,
    first: StepHttpRequest,
    send: SendRequest
  ): Effect.fn.Return<JoinedPages | OutboundResponse | null, StepFailed | SqlError> {
    const log = onceEach(step.log)
    const until = performance.now() + Math.min(PAGES_MILLIS, step.millisLeft)
    const most = paging.pages_at_most ?? PAGES_AT_MOST
    const requestedPages = new Set([keyOf(first)])
    const data: Array<unknown> = []
    let bytes = 0
    let request = first
    for (let pages = 1; ; pages++) {
      const answer = yield* send(numbered(step, request, pages))
      if (answer.status >= 400) {
        if (pages > 1) log.add("info", `This is the answer to the request for page ${pages}.`)
        return answer
      }
      bytes += answer.body.length
      if (bytes > maxBytes)
        return yield* new StepFailed({ message: `The pages together are longer than ${maxBytes} bytes.` })
      const page = dataOf(answer, log)
      for (const item of yield* orFail(itemsOf(paging, page, pages))) data.push(item)
      const next = yield* orFail(nextPage(paging, answer, page))
      const end = (complete: boolean): JoinedPages => ({ answer, data, pages, complete })
      const excess = next === null || pages === most ? textExcess(JSON.stringify(data)) : undefined
      if (excess !== undefined) return yield* new StepFailed({ message: `The list of all pages ${excess}.` })
      if (next === null) return end(true)
      if (pages === most) {
        log.add("warn", `There are more than ${most} pages; the rest is left out.`)
        return end(false)
      }
      const following = yield* orFail(pageRequest(paging, first, request, next))
      if (requestedPages.has(keyOf(following))) {
        log.add("warn", `Page ${pages} names a page as its next that was asked for before; no further one is.`)
        return end(false)
      }
      requestedPages.add(keyOf(following))
      if (performance.now() > until)
        return yield* new StepFailed({ message: `The first ${pages} pages took too long.`, passing: true })
      if (yield* isOver(step.run.run_id)) return null
      if (following.elsewhere && !request.elsewhere)
        log.add("warn", `Page ${pages + 1} is at another origin, so no credentials and headers go along.`)
      request = following
    }
  })
})
