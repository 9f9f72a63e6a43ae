// Outcomes of runs that requests wait for (developer-api.md 7.9, 7.10): a request looks at its row of `run_waits` (../run/waitingRequests.ts) when it
// is woken, and at times by itself, since a wake may be lost.
import { Clock, Context, Effect, Latch, Layer, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Stopping } from "../../../platform/primitives/Stopping.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Wakes } from "../../../platform/sql/Wakes.ts"
import type { AnswerHead, RunAnswer } from "../model/RunAnswer.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { RunStatus } from "../run/RunRow.ts"
import { waitName } from "../run/waitingRequests.ts"

export type { RunAnswer }

export interface RunPage {
  readonly html: string
  readonly fullscreen: boolean
  readonly remove_branding: boolean
}

export type RunOutcome =
  /** No such row exists, or no longer. */
  | { readonly type: "unknown" }
  /** The event is stored and not decided yet. */
  | { readonly type: "open" }
  /** No run; `why` has the words of the decision. */
  | { readonly type: "refused"; readonly why: string }
  | {
      readonly type: "run"
      readonly runId: string
      readonly status: RunStatus
      /** Page that steps have composed. */
      readonly page: RunPage | null
      readonly redirect: string | null
      /** Answer of a sync webhook, once it is there: the run may go on behind it. */
      readonly answer: RunAnswer | null
    }

/** Interval of looks without a wake. */
const LOOK_MILLIS = 250
/** Wait before the first look at a new event; a wake that came before the request could hear it costs no more. */
const NEW_MILLIS = 20

export const isOver = (outcome: RunOutcome): boolean =>
  outcome.type === "run" ? outcome.status !== "pending" && outcome.status !== "running" : outcome.type !== "open"

/** True if there is an answer for the sender, or none will come any more. */
export const isAnswered = (outcome: RunOutcome): boolean =>
  (outcome.type === "run" && outcome.answer !== null) || isOver(outcome)

type StoredPage = RunPage & { readonly redirect: string | null; readonly answer: unknown }

const AwaitedRun = Schema.Struct({
  run_id: Schema.NullOr(Schema.String),
  refused: Schema.NullOr(Schema.String),
  status: Schema.NullOr(RunStatus),
  page: Schema.NullOr(jsonb<StoredPage>())
})

export class RunOutcomes extends Context.Service<
  RunOutcomes,
  {
    readonly look: (key: string) => Effect.Effect<RunOutcome>
    /**
     * Returns the outcome as soon as `enough` accepts it, or the present one after `millis` or when the process stops.
     * @param isNew true: the key's event has just been stored, so that a look at once would find it open
     */
    readonly until: (
      key: string,
      millis: number,
      enough: (outcome: RunOutcome) => boolean,
      isNew?: boolean
    ) => Effect.Effect<RunOutcome>
  }
>()("millrace/automations/requests/RunOutcomes") {
  static readonly layer = Layer.effect(
    RunOutcomes,
    Effect.gen(function* () {
      const sql = yield* Sql
      const stopping = yield* Stopping
      const wakes = yield* Wakes
      const { open, openText } = yield* makeSealed

      const readOutcome = Effect.fnUntraced(function* (key: string): Effect.fn.Return<RunOutcome, SqlError> {
        const row = yield* rowOf(AwaitedRun)(sql`
            SELECT r.run_id::text, w.refused, r.status, to_jsonb(p) AS page
            FROM run_waits w LEFT JOIN runs r USING (run_id) LEFT JOIN run_pages p USING (run_id) WHERE wait_key = ${key}`)
        if (row === undefined) return { type: "unknown" }
        const { page, refused, run_id: runId, status } = row
        if (refused !== null) return { type: "refused", why: refused }
        if (runId === null || status === null) return { type: "open" }
        if (page === null) return { type: "run", runId, status, page, redirect: null, answer: null }
        const redirect = page.redirect === null ? null : yield* openText(page.redirect)
        const html = yield* openText(page.html)
        const head = (yield* open(page.answer)) as AnswerHead | null
        const answer = head === null ? null : { ...head, body: html }
        return { type: "run", runId, status, page: { ...page, html }, redirect, answer }
      }, orSqlDefect)

      const until = Effect.fnUntraced(function* (
        key: string,
        millis: number,
        enough: (outcome: RunOutcome) => boolean,
        isNew = false
      ): Effect.fn.Return<RunOutcome, never, Scope.Scope> {
        const deadline = (yield* Clock.currentTimeMillis) + millis
        const latch = yield* Latch.make()
        yield* wakes.register(waitName(key), () => latch.openUnsafe())
        const wokenWithin = (pauseMillis: number) =>
          Effect.raceFirst(Effect.raceFirst(latch.await, Effect.sleep(pauseMillis)), stopping.wait)
        if (isNew) yield* wokenWithin(Math.min(NEW_MILLIS, millis))
        for (;;) {
          latch.closeUnsafe()
          const outcome = yield* readOutcome(key)
          if (enough(outcome)) return outcome
          const millisLeft = deadline - (yield* Clock.currentTimeMillis)
          if (millisLeft <= 0 || (yield* stopping.begun)) return outcome
          yield* wokenWithin(Math.min(LOOK_MILLIS, millisLeft))
        }
      }, Effect.scoped)

      return RunOutcomes.of({ look: readOutcome, until })
    })
  )
}
