// docs/engine.md: a run counts as created once its commit is known. If its answer is lost, its mailbox row carries it to the next activation; if
// Postgres is away before, the result waits.
import { assert, layer } from "@effect/vitest"
import { Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { InboxEvent } from "../../../../src/domain/automations/firing/inboxRows.ts"
import { type FiringResult, makeResults } from "../../../../src/domain/automations/firing/mailboxResults.ts"
import type { NewRun } from "../../../../src/domain/automations/run/NewRun.ts"
import type { Revision } from "../../../../src/domain/automations/run/RevisionCache.ts"
import * as Activation from "../../../../src/engine/actors/Activation.ts"
import type { ActorKind } from "../../../../src/engine/actors/ActorKind.ts"
import { Actors } from "../../../../src/engine/actors/Actors.ts"
import { makeFairPlaces } from "../../../../src/platform/fairness/FairPlaces.ts"
import { mayBeDone } from "../../../../src/platform/sql/transientErrors.ts"
import { appLayerOver } from "../../../support/app.ts"
import { Cuttable, layerCuttable } from "../../../support/cuttableDatabase.ts"
import { layerCreation, mailboxRuns } from "../mailboxRuns.ts"

const services = Layer.mergeAll(layerCreation, Actors.layer).pipe(Layer.provideMerge(appLayerOver(layerCuttable)))

const resultOf = (run: NewRun): FiringResult => ({
  row: { row_id: run.row_id, event_id: run.event_id } as InboxEvent,
  decision: { type: "run", run, revision: {} as Revision },
  created: null
})

const setting = Effect.gen(function* () {
  const runs = yield* mailboxRuns
  const { settle } = yield* makeResults
  const { activation } = yield* Activation.make({
    kind: { name: "automations/app" } as ActorKind,
    id: String(runs.appId),
    begun: { fence: 1, org_id: runs.orgId, orderly: true, onDisk: Effect.void },
    commits: makeFairPlaces({ places: 4, reserve: 0 }),
    beside: 1,
    draining: Effect.succeed(false),
    latch: Latch.makeUnsafe(false),
    nextLook: { at: 0, told: Number.POSITIVE_INFINITY }
  })
  // The fence is known to be on the disk once a statement has waited for it.
  yield* activation.statement(Effect.void, () => true)
  return { ...runs, activation, settle }
})

const plain: Partial<NewRun> = {}
const durable: Partial<NewRun> = { durable: true }

layer(services, { excludeTestServices: true })("a run whose creation", (it) => {
  for (const [name, kind, statement] of [
    ["one statement", plain, "pg_try_advisory_xact_lock"],
    ["a transaction", durable, undefined]
  ] as const) {
    it.effect(`is committed by ${name} whose answer is lost stays with its row, for the next activation`, () =>
      Effect.gen(function* () {
        const { activation, mailbox, newRun, runIds, settle } = yield* setting
        const { cutNextCommit } = yield* Cuttable
        const results = [resultOf(yield* newRun(kind)), resultOf(yield* newRun(kind))]
        yield* cutNextCommit("after", statement)
        const error = yield* Effect.flip(settle(results, activation))
        assert.isTrue(mayBeDone(error), String(error))
        const ids = yield* runIds
        assert.lengthOf(ids, 2)
        assert.sameMembers(
          (yield* mailbox).map(({ run_id }) => run_id),
          [...ids]
        )
        assert.isTrue(results.every(({ created }) => created === null))
      }).pipe(Effect.scoped)
    )
  }

  it.effect("is rolled back does not count: each is created by itself", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { activation, mailbox, newRun, runIds, settle } = yield* setting
      const results = [resultOf(yield* newRun(durable)), resultOf(yield* newRun(durable))]
      let isRefused = true
      const refusing: typeof activation.once.commit = (effect, flushes) =>
        activation.once.commit(
          Effect.tap(effect, () => (isRefused ? Effect.asVoid(sql`SELECT 1 / 0`) : Effect.void)),
          flushes
        )
      const overRefusal = { ...activation, commit: refusing, once: { ...activation.once, commit: refusing } }
      yield* Effect.flip(settle(results, overRefusal))
      isRefused = false
      for (const result of results) yield* settle([result], overRefusal)
      const ids = results.map(({ created }) => created?.run_id ?? null)
      assert.sameMembers([...(yield* runIds)], ids)
      assert.deepStrictEqual(
        (yield* mailbox).map(({ run_id }) => run_id),
        ids
      )
    }).pipe(Effect.scoped)
  )

  it.effect("comes while Postgres is away waits until it is back", () =>
    Effect.gen(function* () {
      const { activation, newRun, runIds, settle } = yield* setting
      const { down, up } = yield* Cuttable
      const results = [resultOf(yield* newRun()), resultOf(yield* newRun())]
      yield* down
      yield* Effect.all([settle(results, activation), Effect.delay(up, "300 millis")], { concurrency: "unbounded" })
      assert.sameMembers(
        [...(yield* runIds)],
        results.map(({ created }) => created?.run_id ?? null)
      )
    }).pipe(Effect.scoped)
  )
})
