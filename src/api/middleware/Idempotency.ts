// `Idempotency-Key` (developer-api.md 1.8): the first answer below 500 commits with the change itself and is replayed for 24 h. A call that waits
// for somebody outside holds no transaction meanwhile: its key is taken first, and the answer kept when it is there.
// What a refused call had begun is rolled back to a savepoint, so that only its answer is kept. Answers are kept encrypted: some
// hold what must not be read from the database, a hook's secret or a weblink (decisions O9).
import { Cause, Clock, Context, Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { type CallerShape, holds } from "../../domain/accounts/Caller.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Conflict, HookVerificationCodeInvalid, ValidationError } from "../../platform/primitives/errors.ts"
import { sealedColumn } from "../../platform/sealing/SealedColumn.ts"
import { hashToken, Secrets } from "../../platform/sealing/Secrets.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { ownHeaderNames } from "./answerHeaders.ts"

export interface IdempotentCall {
  readonly userId: number
  readonly method: string
  readonly path: string
  readonly key: string
  /** Value that must be equal when the key is used again: `sameRequest` and `shownTo`. */
  readonly body: string
}

export const storedAnswer = sealedColumn({
  table: "idempotency_keys",
  key: ["user_id", "method", "path", "key"],
  column: "body",
  form: "base64",
  binds: ["user_id", "method", "path", "key"],
  context: ({ key, method, path, user_id }) => `idempotency_keys/${user_id} ${method} ${path} ${key}`
})

/** Members in one order, whatever order they were sent in. */
const ordered = (_key: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    : value

/** Query and JSON body of a request in one form, so that equal requests are equal texts. */
export const sameRequest = (target: string, body: string): string => {
  const queryStart = target.indexOf("?")
  const query = new URLSearchParams(queryStart < 0 ? "" : target.slice(queryStart + 1))
  query.sort()
  let members = body
  try {
    members = JSON.stringify(JSON.parse(body), ordered)
  } catch {
    // No JSON: refused further on.
  }
  return queryStart < 0 ? members : `${query}\n${members}`
}

/** An answer shows less to who may write and not read (developer-api.md 2.4): no replay of it goes to the other kind. */
export const shownTo = (caller: CallerShape, scope: Scope | undefined): string =>
  scope === "records:edit" && !holds(caller, "records:read") ? "\nwithout records:read" : ""

type Response = HttpServerResponse.HttpServerResponse

/** Carries an answer of 500 and above out of the transaction, which is rolled back: the key stays free. */
class Unstored {
  readonly _tag = "Unstored"
  readonly response: Response
  constructor(response: Response) {
    this.response = response
  }
}

const textOf = (response: Response): string =>
  response.body._tag === "Uint8Array" ? Buffer.from(response.body.body).toString("utf8") : ""

type ToResponse = (cause: Cause.Cause<unknown>) => Effect.Effect<Response>

/** Wrong guesses of a code are counted (decisions W6), whoever sends a key with them. */
const keepsWhatItWrote = (error: unknown) => error instanceof HookVerificationCodeInvalid

/** Headers that a repeated answer has again: its content type, and what its handler has said of it. */
const keptHeaders = (headers: Response["headers"]): Record<string, string> => {
  const kept: Record<string, string> = { "content-type": headers["content-type"] ?? "application/json" }
  for (const name of ownHeaderNames) if (headers[name] !== undefined) kept[name] = headers[name]
  return kept
}

const printable = /^[\x20-\x7e]{1,255}$/

/**
 * Marks, in the column of hashes, that the hash is sealed with the answer, as the body may be easy to guess. Earlier releases stored it in
 * the column.
 */
const WITHIN = Buffer.alloc(0)
const HASH_LENGTH = 44

const unsealed = (beside: Uint8Array, kept: string) =>
  beside.length > 0
    ? { hash: beside, body: kept }
    : { hash: Buffer.from(kept.slice(0, HASH_LENGTH), "base64"), body: kept.slice(HASH_LENGTH) }

const Lock = Schema.Struct({ held: Schema.Boolean })

/** Longer than any call waits for somebody outside: behind it the key of one whose process has died is free. */
const LEASE_MILLIS = 120_000

/** Stored answer; null members while the call is still running. */
const Stored = Schema.Struct({
  body_hash: Schema.Uint8Array,
  status: Schema.NullOr(Schema.Int),
  headers: Schema.NullOr(jsonb<Record<string, string>>()),
  body: Schema.NullOr(Schema.String)
})

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * @param toResponse the answer for what `handle` failed of
     * @param outside it waits for somebody outside: nothing that it changes commits with its answer
     */
    readonly run: <E, R>(
      call: IdempotentCall,
      handle: Effect.Effect<Response, E, R>,
      toResponse: ToResponse,
      outside?: boolean
    ) => Effect.Effect<Response, Conflict | ValidationError, R>
  }
>()("millrace/http/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { idempotencyHours } = yield* AppConfig
      const secrets = yield* Secrets

      const answered = <E, R>(handle: Effect.Effect<Response, E, R>, toResponse: ToResponse) =>
        handle.pipe(
          Effect.catchIf(keepsWhatItWrote, (error) => toResponse(Cause.fail(error))),
          sql.withTransaction,
          Effect.catchCause(toResponse)
        )

      const running = new Conflict({ message: "The first call with this Idempotency-Key is still running." })

      /** Reads and stores the answer of a call, in a transaction: `answer` is the earlier one, if any. */
      const kept = (call: IdempotentCall, now: number) => {
        const { userId, method, path, key } = call
        const bodyHash = Buffer.from(hashToken(call.body))
        const sealContext = storedAnswer.contextOf({ user_id: userId, method, path, key })
        const keyCondition = sql`user_id = ${userId} AND method = ${method} AND path = ${path} AND key = ${key}`

        const answer = Effect.gen(function* () {
          const lock = yield* rowOf(Lock)(sql`
            SELECT pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${method} ${path} ${key}`}, 0)) AS held`)
          if (lock?.held !== true) return yield* running
          yield* sql`DELETE FROM idempotency_keys WHERE ${keyCondition} AND (created_on < ${new Date(now - idempotencyHours * 3_600_000)}
            OR status IS NULL AND created_on < ${new Date(now - LEASE_MILLIS)})`
          const storedRow = yield* rowOf(Stored)(sql`
            SELECT body_hash, status, headers, body FROM idempotency_keys WHERE ${keyCondition}`)
          if (storedRow === undefined) return undefined
          if (storedRow.status === null || storedRow.body === null) return yield* running
          const opened = yield* Effect.orDie(secrets.decrypt(Buffer.from(storedRow.body, "base64"), sealContext))
          const { body, hash } = unsealed(storedRow.body_hash, opened)
          if (!bodyHash.equals(hash))
            return yield* new Conflict({
              message:
                "This Idempotency-Key was used with another body or query, or by a credential that reads otherwise."
            })
          return HttpServerResponse.text(body, {
            status: storedRow.status,
            headers: { ...storedRow.headers, "idempotency-replayed": "true" }
          })
        })

        const insert = (status: number | null, headers: string | null, body: string | null) => sql`
          INSERT INTO idempotency_keys AS k (user_id, method, path, key, body_hash, status, headers, body, created_on)
          VALUES (${userId}, ${method}, ${path}, ${key}, ${WITHIN}, ${status}, ${headers}::jsonb, ${body}, ${new Date(now)})
          ON CONFLICT (user_id, method, path, key) DO UPDATE SET status = excluded.status, headers = excluded.headers, body = excluded.body
          WHERE k.status IS NULL AND k.created_on = excluded.created_on`
        const keep = (response: Response) =>
          insert(
            response.status,
            JSON.stringify(keptHeaders(response.headers)),
            Buffer.from(secrets.encrypt(bodyHash.toString("base64") + textOf(response), sealContext)).toString("base64")
          )
        const releaseClaim = sql`DELETE FROM idempotency_keys WHERE ${keyCondition} AND status IS NULL AND created_on = ${new Date(now)}`
        return { answer, take: insert(null, null, null), keep, free: releaseClaim }
      }

      const inTransaction = Effect.fnUntraced(function* <E, R>(
        call: IdempotentCall,
        handle: Effect.Effect<Response, E, R>,
        toResponse: ToResponse
      ) {
        const { answer, keep } = kept(call, yield* Clock.currentTimeMillis)
        const earlierAnswer = yield* answer
        if (earlierAnswer !== undefined) return earlierAnswer
        const response = yield* answered(handle, toResponse)
        if (response.status >= 500) return yield* Effect.fail(new Unstored(response))
        yield* keep(response)
        return response
      }, sql.withTransaction)

      const aroundOutside = Effect.fnUntraced(function* <E, R>(
        call: IdempotentCall,
        handle: Effect.Effect<Response, E, R>,
        toResponse: ToResponse
      ) {
        const { answer, free, keep, take } = kept(call, yield* Clock.currentTimeMillis)
        const earlierAnswer = yield* sql.withTransaction(
          Effect.flatMap(answer, (found) => (found === undefined ? Effect.as(take, undefined) : Effect.succeed(found)))
        )
        if (earlierAnswer !== undefined) return earlierAnswer
        return yield* Effect.catchCause(handle, toResponse).pipe(
          Effect.tap((response) => Effect.asVoid(response.status >= 500 ? free : keep(response))),
          Effect.onInterrupt(() => Effect.ignore(free))
        )
      })

      const run = Effect.fnUntraced(function* <E, R>(
        call: IdempotentCall,
        handle: Effect.Effect<Response, E, R>,
        toResponse: ToResponse,
        outside = false
      ) {
        if (!printable.test(call.key))
          return yield* new ValidationError({ message: "Idempotency-Key: 1 to 255 printable characters." })
        return yield* (outside ? aroundOutside : inTransaction)(call, handle, toResponse).pipe(
          Effect.catchTag("Unstored", ({ response }) => Effect.succeed(response)),
          orSqlDefect
        )
      })
      return Idempotency.of({ run })
    })
  )
}
