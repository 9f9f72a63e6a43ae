// A replay of many deliveries as a job (decisions W16, developer-api.md 7.11). The actor of the app carries it out (replayRounds.ts), behind the gate
// of the app's window; the job looks how far it has come, until it is over. A job that was cancelled is seen by the actor.
import { Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type JobBatch, JobEnded, type JobKind } from "../../jobs/JobKind.ts"
import { ReplayState } from "./Replay.ts"

/** Between two looks, in milliseconds. */
const LOOK_MILLIS = 2_000

const Input = Schema.Struct({ replay_id: Schema.Int })
const decodeInput = Schema.decodeUnknownSync(Input)

const Progress = Schema.Struct({ state: ReplayState, chosen: Schema.Int, finished: Schema.Int })

export const replayJobKinds = Effect.map(Sql, (sql) => {
  const batch = Effect.fnUntraced(function* ({ input, position }: JobBatch) {
    const { replay_id } = decodeInput(input)
    const replay = yield* rowOf(Progress)(sql`
      SELECT r.state, r.chosen,
        r.chosen - (SELECT count(*) FROM webhook_queue q WHERE q.replay_id = r.replay_id)::int AS finished
      FROM webhook_replays r WHERE r.replay_id = ${replay_id}`)
    if (replay === undefined) return yield* new JobEnded({ message: "The webhook was deleted." })
    if (replay.state === "stopped")
      return yield* new JobEnded({ message: "The webhook lost its verification; what waited is withheld again." })
    if (replay.state === "cancelled") return yield* new JobEnded({ message: "The replay was cancelled." })
    const reported = Number(position ?? 0)
    const done = Math.max(0, replay.finished - reported)
    return {
      position: String(reported + done),
      done,
      counts: { replayed: done },
      report: [],
      over: replay.state === "done",
      total: replay.chosen,
      pauseMillis: LOOK_MILLIS
    }
  })
  return [{ name: "delivery_replay", batch }] satisfies ReadonlyArray<JobKind>
})
