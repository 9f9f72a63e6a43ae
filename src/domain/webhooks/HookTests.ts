// Sends a sample to a verified hook and returns the receiver's answer (decisions W14): signed and marked; no event, no count, no retry.
// Also lists the latest attempts to verify the hook.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { makeFairPlaces } from "../../platform/fairness/FairPlaces.ts"
import { Conflict, type NotFound, TooManyRequests } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { sampleOf } from "./events.ts"
import { HookStatus, HookType } from "./Hook.ts"
import { READER, ReaderColumns } from "./hookReader.ts"
import { noHook } from "./hookSecrets.ts"
import { HookAddress } from "./mailboxRows.ts"
import { makeOutgoing } from "./outgoing.ts"
import { makeRecordBodies } from "./recordBodies.ts"
import { makeVerificationAttempts, type VerificationAttempt } from "./verificationAttempts.ts"

export const TestAnswer = Schema.Struct({
  status_code: Schema.NullOr(Schema.Int),
  latency_ms: Schema.Int,
  error: Schema.NullOr(Schema.String),
  response_body: Schema.NullOr(Schema.String)
}).annotate({ identifier: "HookTestAnswer" })
export type TestAnswer = typeof TestAnswer.Type

/** Header that marks a sample. */
const TEST_HEADER = "webhook-test"

/** Concurrency slots for samples in a process, and the number of requests of one organization that may wait. */
const testSlots = makeFairPlaces({ places: 32, reserve: 32, waiting: 32 })
const FULL = new TooManyRequests({ message: "Too many tests of webhooks at once.", retryAfterSeconds: 5 })

const Subject = Schema.Struct({
  ...HookAddress.fields,
  status: HookStatus,
  type: HookType,
  ...ReaderColumns,
  record_id: Schema.NullOr(Schema.Int),
  revision: Schema.NullOr(Schema.Int),
  commented_id: Schema.NullOr(Schema.Int),
  comment_id: Schema.NullOr(Schema.Int),
  other_hook_id: Schema.NullOr(Schema.Int),
  automation_id: Schema.NullOr(Schema.Int),
  run_id: Schema.NullOr(Schema.String)
})

export class HookTests extends Context.Service<
  HookTests,
  {
    /** 409 while the hook is inactive: nothing is sent to an address before it is verified. */
    readonly test: (
      grant: AccessGrant,
      type: HookType | undefined
    ) => Effect.Effect<TestAnswer, NotFound | Conflict | TooManyRequests>
    readonly verification: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<VerificationAttempt>>
  }
>()("millrace/webhooks/HookTests") {
  static readonly layer = Layer.effect(
    HookTests,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { send } = yield* makeOutgoing
      const withRecord = yield* makeRecordBodies
      const { list } = yield* makeVerificationAttempts

      const subject = Effect.fnUntraced(function* ({ appId, id }: AccessGrant) {
        const hook = yield* rowOf(Subject)(sql`
          SELECT h.hook_id, h.org_id, h.url, h.sending, h.sealed, h.secret, h.former_secrets, h.status, h.type, ${sql.literal(READER)},
            r.record_id, r.revision, c.record_id AS commented_id, c.comment_id,
            (SELECT max(hook_id) FROM hooks o WHERE o.app_id = ${appId} AND o.hook_id <> h.hook_id) AS other_hook_id,
            n.automation_id, n.run_id::text
          FROM hooks h
            LEFT JOIN LATERAL (
              SELECT record_id, revision FROM records WHERE app_id = ${appId} AND deleted_on IS NULL
              ORDER BY record_id DESC LIMIT 1) r ON true
            LEFT JOIN LATERAL (
              SELECT record_id, comment_id FROM comments WHERE app_id = ${appId} ORDER BY comment_id DESC LIMIT 1) c ON true
            LEFT JOIN LATERAL (
              SELECT automation_id, run_id FROM runs WHERE app_id = ${appId} ORDER BY run_id DESC LIMIT 1) n ON true
          WHERE h.hook_id = ${id}`)
        return hook ?? (yield* noHook(id))
      })

      const test = Effect.fn("HookTests.test")(function* (grant: AccessGrant, type: HookType | undefined) {
        const hook = yield* subject(grant)
        if (hook.status !== "active")
          return yield* new Conflict({ message: "The hook is inactive: verify it, then test it." })
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const newest = { ...hook, app_id: grant.appId, now: nowDate }
        const payload = JSON.stringify(sampleOf(hook.hook_id, type ?? hook.type, newest))
        const { body } =
          hook.sending?.include_record === true
            ? yield* withRecord({ ...hook, app_id: grant.appId, payload })
            : { body: payload }
        const outcome = yield* send(hook, {
          id: `msg_test_${hook.hook_id.toString(36)}_${randomUUID().replaceAll("-", "")}`,
          body,
          headers: { [TEST_HEADER]: "true" },
          again: Effect.succeed(true)
        }).pipe(
          testSlots.tryUse(grant.orgId),
          Effect.catchTag("PlacesFull", () => Effect.fail(FULL))
        )
        return {
          status_code: outcome.status,
          latency_ms: Math.round(outcome.latencyMillis),
          error: outcome.error,
          response_body: outcome.body
        }
      }, orSqlDefect)

      const verification = Effect.fn("HookTests.verification")(({ id }: AccessGrant) => list(id), orSqlDefect)

      return HookTests.of({ test, verification })
    })
  )
}
