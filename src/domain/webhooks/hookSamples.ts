// The samples of a hook (decisions W14): a body of each type about the newest items of its app, which a test sends.
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { makeBodiesWithRecord } from "./bodiesWithRecord.ts"
import { eventBodies, NewestItems } from "./eventBodies.ts"
import { HookStatus, HookType, hookTypes } from "./Hook.ts"
import { READER, ReaderColumns } from "./hookReadRights.ts"
import { noHook } from "./hookSecrets.ts"
import { HookAddress } from "./mailboxRows.ts"
import { sampleOf } from "./notifiedEvents.ts"

/** A type of event, when it is sent, and a body of it. */
export const HookSample = Schema.Struct({
  type: HookType,
  when: Schema.String,
  body: Schema.Record(Schema.String, Schema.Unknown)
}).annotate({ identifier: "HookSample" })
export type HookSample = typeof HookSample.Type

const Subject = Schema.Struct({
  ...HookAddress.fields,
  status: HookStatus,
  type: HookType,
  ...ReaderColumns,
  ...NewestItems.fields
})

export const makeHookSamples = Effect.gen(function* () {
  const sql = yield* Sql
  const withRecord = yield* makeBodiesWithRecord

  /** Finds the hook with what a body of it may name. */
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

  /** Renders the body of a test of the type. */
  const bodyFor = Effect.fnUntraced(function* ({ appId }: AccessGrant, hook: typeof Subject.Type, type: HookType) {
    const newest = { ...hook, app_id: appId, now: new Date(yield* Clock.currentTimeMillis) }
    const payload = JSON.stringify(sampleOf(hook.hook_id, type, newest))
    if (hook.sending?.include_record !== true) return payload
    return (yield* withRecord({ ...hook, app_id: appId, payload })).body
  })

  const list = Effect.fnUntraced(function* (grant: AccessGrant) {
    const hook = yield* subject(grant)
    return yield* Effect.forEach(hookTypes, (type) =>
      Effect.map(
        bodyFor(grant, hook, type),
        (body): HookSample => ({
          type,
          when: eventBodies[type].when,
          body: JSON.parse(body)
        })
      )
    )
  })

  return { bodyFor, list, subject }
})
