// The test kind, which takes lone events of records that are not `special`, and is not concerned by those that are for `nobody`.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind } from "../../../../src/engine/actors/ActorKind.ts"
import { idleOf, type LoneAnswer, type LoneAsked, type LoneHead } from "../../../../src/engine/actors/LoneEvent.ts"
import { type Behaviour, makeTestKind, type TestRow } from "../../actors/support/testKind.ts"

type Found = LoneAnswer["found"] & Omit<TestRow, "row_id"> & { readonly row_id: number | null }

export type Taking = (statement: Effect.Effect<LoneAnswer, any>) => Effect.Effect<LoneAnswer, any>

/** @param around what is done about the statement */
export const makeLoneKind = (behaviour: Behaviour, around: Taking = (statement) => statement) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const kind = yield* makeTestKind(behaviour)
    const take = (head: LoneHead, { from, idle, now }: LoneAsked) => sql<Found>`
      WITH ${head.ctes({ idle: idleOf(idle), now, from }, idle.length)}, fit AS MATERIALIZED (
        SELECT one.event_id, one.type, one.org_id, one.app_id, one.record_id, one.traceparent, one.payload, one.created_on
        FROM one CROSS JOIN mine WHERE coalesce(one.payload ->> 'behaviour', '') NOT IN ('special', 'nobody')
      ), gone AS (${head.gone}), made AS (
        INSERT INTO test_rows (event_id, app_id, lane, behaviour, due_at, fence, claims)
        SELECT event_id, app_id::text, record_id, coalesce(payload ->> 'behaviour', ''), created_on, fence, 1 FROM gone CROSS JOIN mine
        RETURNING row_id, event_id, lane, behaviour, claims
      )
      SELECT ${head.found}, t.row_id, t.lane, t.behaviour, t.claims FROM gate LEFT JOIN (
        SELECT actor_key, org_id, type, gone.app_id, record_id, traceparent, made.* FROM gone CROSS JOIN mine JOIN made USING (event_id)) t ON true`
    return {
      ...kind,
      lone: {
        concerns: sql`(o.payload ->> 'behaviour' IS DISTINCT FROM 'nobody')`,
        takes: (head) => (asked) =>
          around(
            Effect.map(
              take(head, asked),
              ([row]): LoneAnswer => ({
                found: row!,
                answer: row!.row_id === null ? undefined : () => row
              })
            )
          )
      }
    } satisfies ActorKind as ActorKind
  })
