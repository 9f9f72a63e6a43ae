// decisions W16, W3, W4, W7, W10 together: the worker of a replay is killed in the middle of it, beside new events. Nothing is lost,
// each delivery keeps its webhook-id, records keep their order, and no window gives the replay more than half of its executions.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { App, appLayer } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { receiver as startReceiver } from "../../support/receiver.ts"
import { freshName } from "../../support/temporal.ts"
import { kill, startWorker } from "../automations/durable/killSupport.ts"
import { seedApp } from "../automations/support.ts"

const PER_WINDOW = 30
const RECORDS = 10
/** Of each record, before the replay and beside it. */
const BEFORE = 6
const BESIDE = 2

const tuning = JSON.stringify({
  heartbeatTimeoutMillis: 1_500,
  heartbeatEveryMillis: 200,
  sweepEveryMillis: 500,
  sweepCalledAfterMillis: 500,
  sweepAsleepAfterMillis: 500
})

/** Every state that the window of an app was ever in. */
const watchWindows = ddl(
  "CREATE TABLE seen_windows (window_start timestamptz NOT NULL, used integer NOT NULL, replays integer NOT NULL)",
  `CREATE FUNCTION see_window() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
    INSERT INTO seen_windows VALUES (NEW.window_start, NEW.used, NEW.replays);
    RETURN NEW; END $$`,
  "CREATE TRIGGER see_window AFTER INSERT OR UPDATE ON webhook_windows FOR EACH ROW EXECUTE FUNCTION see_window()"
)

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/ReplayReceiver"
) {}

const world = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(appLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

layer(world, { excludeTestServices: true })("a replay and its worker's death", (it) => {
  it.effect("nothing is lost, ids and order stay, and it takes at most half of each window", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      yield* watchWindows
      const receiver = yield* Receiver
      const namespace = freshName("replay-kill")
      const { appId, token } = yield* seedApp()
      const callApi = Effect.fnUntraced(function* (method: string, path: string, body: object) {
        const answer = yield* call(method, `/v1${path}`, { token, body })
        assert.isBelow(answer.status, 300, answer.text)
        return answer.json
      })
      const hook = { type: "record.update", url: `${receiver.origin}/in` }
      const { hook_id } = yield* callApi("POST", `/hook/app/${appId}`, hook)
      // It has lost its verification: what occurs is withheld.
      yield* sql`UPDATE hooks SET verified_on = now(), lost_on = now() WHERE hook_id = ${hook_id}`
      const inputs = Array.from({ length: RECORDS }, () => ({ fields: { state: "Planned" } }))
      const { records } = yield* callApi("POST", `/record/app/batch/${appId}`, { inputs })
      const ids: ReadonlyArray<number> = records.map(({ record_id }: { record_id: number }) => record_id)
      let weight = 0
      const changes = (times: number) =>
        Effect.forEach(
          Array.from({ length: times }, () => ids).flat(),
          (id) => callApi("PUT", `/record/${id}`, { fields: { weight: ++weight } }),
          { discard: true }
        )
      yield* changes(BEFORE)
      const reachable = {
        OUTBOUND_ALLOW: receiver.hostPort,
        WEBHOOK_PER_MINUTE: String(PER_WINDOW),
        WEBHOOK_WINDOW_SECONDS: "1",
        ACTOR_TUNING: tuning
      }
      const worker = yield* startWorker(namespace, reachable)
      const logged = sql<{ event_id: number; record_id: number; revision: number; status: string }>`
        SELECT event_id, record_id, (payload::jsonb->>'revision_id')::int AS revision, status FROM webhook_deliveries
        WHERE hook_id = ${hook_id} ORDER BY event_id`
      const withheld = yield* eventually("all are withheld", logged, (rows) => rows.length === RECORDS * BEFORE)
      assert.deepStrictEqual([...new Set(withheld.map(({ status }) => status))], ["withheld"])
      yield* sql`UPDATE hooks SET status = 'active' WHERE hook_id = ${hook_id}`
      const { replay_id, replayed } = yield* callApi("POST", `/hook/${hook_id}/replay`, { since: "2020-01-01" })
      assert.strictEqual(replayed, RECORDS * BEFORE)
      yield* changes(BESIDE)
      const arrivals = Effect.sync(() => receiver.of("/in").length)
      yield* eventually("some have arrived", arrivals, (n) => n >= (RECORDS * BEFORE) / 3)
      yield* kill(worker)
      const middle = (yield* call("GET", `/v1/hook/replay/${replay_id}`, { token })).json
      assert.strictEqual(middle.state, "running")
      assert.isTrue(middle.waiting > 0 && middle.begun > 0, `killed in the middle: ${middle.begun} begun`)
      yield* startWorker(namespace, reachable)
      const state = Effect.map(call("GET", `/v1/hook/replay/${replay_id}`, { token }), ({ json }) => json.state)
      yield* eventually("the replay is through", state, (one) => one === "done")
      const allDeliveries = yield* eventually(
        "all are delivered",
        logged,
        (rows) => rows.length === RECORDS * (BEFORE + BESIDE) && rows.every(({ status }) => status === "delivered")
      )
      // Nothing lost, nothing new: the ids are those of the log, however often one came.
      const ofId = new Map(allDeliveries.map((row) => [deliveryId(hook_id, row.event_id), row]))
      const came = receiver.of("/in").map(({ headers }) => String(headers["webhook-id"]))
      assert.deepStrictEqual([...new Set(came)].toSorted(), [...ofId.keys()].toSorted())
      // First arrivals of each record in revision order, replayed ones and new ones alike (W3).
      const revisionsByRecord = new Map<number, Array<number>>()
      for (const id of new Set(came)) {
        const { record_id, revision } = ofId.get(id)!
        revisionsByRecord.set(record_id, [...(revisionsByRecord.get(record_id) ?? []), revision])
      }
      for (const [record, revisions] of revisionsByRecord)
        assert.deepStrictEqual(
          revisions,
          Array.from({ length: BEFORE + BESIDE }, (_, n) => n + 1),
          `record ${record}`
        )
      // Of each window at most half, and never more than the whole (W4, W16).
      const windows = yield* sql<{ used: number; replays: number }>`
        SELECT max(used)::int AS used, max(replays)::int AS replays FROM seen_windows GROUP BY window_start`
      const most = (of: "used" | "replays") => Math.max(...windows.map((window) => window[of]))
      assert.isAtMost(most("used"), PER_WINDOW)
      assert.isAtMost(most("replays"), PER_WINDOW / 2)
      assert.isAtLeast(
        windows.reduce((sum, { replays }) => sum + replays, 0),
        RECORDS * BEFORE
      )
      assert.isAtLeast(windows.length, (RECORDS * BEFORE) / (PER_WINDOW / 2))
    })
  )
})
