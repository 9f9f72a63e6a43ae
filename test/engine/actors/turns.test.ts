// decisions A22: the actors of a process that are at work are given to organizations in turn: one with more busy apps than there are places
// keeps nobody else waiting, and all of its own have their turn.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind } from "../../../src/engine/actors/ActorKind.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { freshSetting } from "./support/setting.ts"
import { append, makeTestKind } from "./support/testKind.ts"

const PLACES = 3
const APPS = 8
/** Of the other organization. */
const OTHER = 100

const WORK_MILLIS = 1_500

const orgOf = (app: string) => (Number(app) >= OTHER ? 2 : 1)

it.live("an organization with many busy apps keeps no other one waiting", () => {
  const working = new Map<number, number>()
  let most = 0
  const kind = Effect.map(
    makeTestKind({
      work: () => Effect.sleep(WORK_MILLIS)
    }),
    (one): ActorKind => ({
      ...one,
      look: Effect.map(
        one.look,
        (fanOut) => (events) =>
          Effect.map(fanOut(events), (fanned) => ({
            ...fanned,
            addresses: fanned.addresses.map((address) => ({ ...address, org_id: orgOf(address.id) }))
          }))
      ),
      activate: (activation) => {
        const org = orgOf(activation.id)
        const add = (n: number) =>
          Effect.sync(() => {
            working.set(org, (working.get(org) ?? 0) + n)
            most = Math.max(most, working.get(1) ?? 0)
          })
        return Effect.andThen(
          Effect.acquireRelease(add(1), () => add(-1)),
          one.activate(activation)
        )
      }
    })
  )
  return Effect.gen(function* () {
    const setting = yield* freshSetting({
      activationsAtOnce: PLACES,
      activationsReserved: 1,
      activationsWaiting: 1,
      activationAgainMillis: 500,
      activationMillis: 60_000,
      lingerMillis: 1
    })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Busy for as long as the other one waits.
      yield* append(Array.from({ length: 4 * APPS }, (_, n) => ({ app: (n % APPS) + 1, record: 1 })))
      yield* eventually(
        "all places taken",
        Effect.sync(() => working.get(1) ?? 0),
        (n) => n === PLACES
      )
      yield* append([{ app: OTHER, record: 1 }])
      yield* eventually("the other one is done", countWhere("test_done", `app_id = '${OTHER}'`), (n) => n === 1)
      const doneRows = yield* sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM test_done WHERE app_id <> ${String(OTHER)}`
      assert.isBelow(doneRows[0]!.n, 2 * APPS)
      yield* eventually("all are done", countWhere("test_done", "true"), (n) => n === 4 * APPS + 1)
      assert.strictEqual(most, PLACES)
    }).pipe(Effect.provide(layerWorker(setting, kind)))
  }).pipe(Effect.scoped)
})
