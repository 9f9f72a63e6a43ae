// A cluster with a tenant on it, what its hooks and outside steps reach, and sight of every request that was not answered as it should be
// and of how long each event took to its receiver.
import { Effect } from "effect"
import { makeClient, type Unanswered } from "../../../demo/client.ts"
import { makeTenant } from "../../../demo/operator.ts"
import { startReceiver } from "../../../demo/receiver.ts"
import { type MachineFailed, operatorOf } from "../../support/machine.ts"
import { startCalled } from "../called.ts"
import type { LoadContext, LoadFailure } from "../Load.ts"
import { mixed } from "../loads/all.ts"
import { historiesOf, type Left, type Pace, underLoad } from "../underLoad.ts"
import { makeCluster } from "./makeCluster.ts"
import { findPrograms } from "./programs.ts"
import { type Seen, seenIn } from "./seen.ts"

const PLENTY = "1000000"

export interface Watched extends Left {
  readonly requests: Seen
  /** Processes that ended though nobody ended them. */
  readonly ended: ReadonlyArray<string>
  readonly slowestMillis: number
  readonly deliveries: number
}

export const makeSite = Effect.fnUntraced(function* (
  options: { readonly programs: string | undefined; readonly patienceMillis: number },
  say: (line: string) => void
) {
  const receiver = yield* startReceiver(0)
  const called = yield* startCalled
  const programs = yield* findPrograms(options.programs, say)
  const env = {
    OUTBOUND_ALLOW: [receiver, called].map(({ port }) => `127.0.0.1:${port}`).join(","),
    HTTP_CALL_PORTS: `80,443,${called.port}`,
    WEBHOOK_PER_MINUTE: PLENTY,
    WEBHOOK_FAILURES_ALLOWED: PLENTY,
    CREDITS_PER_HOUR: PLENTY
  }
  const cluster = yield* makeCluster(programs, env, say)
  const { tokens } = yield* makeTenant("Disturbed", 1, Number(PLENTY)).pipe(Effect.provide(operatorOf(cluster)))
  const unanswered: Array<Unanswered> = []
  const shared = {
    token: tokens[0]!,
    patienceMillis: options.patienceMillis,
    observe: (one: Unanswered) => void unanswered.push(one)
  }
  const client = makeClient({ baseUrl: cluster.baseUrl, ...shared })
  const mcp = makeClient({ baseUrl: cluster.mcpUrl, ...shared })
  const { workspaces } = yield* client.get("GET", "/v1/workspace/org")

  /** The mixed load with something going on under it. */
  const watch = Effect.fnUntraced(function* (
    pace: Pace,
    size: LoadContext["size"],
    disturbed: Effect.Effect<unknown, MachineFailed>
  ) {
    const answered = new Map<string, number>()
    const [before, endedBefore] = [unanswered.length, cluster.ended.length]
    const context: LoadContext = {
      client,
      mcp,
      observe: shared.observe,
      called,
      receiver,
      workspaceId: workspaces[0].workspace_id,
      workers: pace.workers,
      durationMillis: pace.durationMillis,
      size,
      histories: historiesOf(cluster.env),
      answered: (record, revision) => void answered.set(`${record} ${revision}`, Date.now())
    }
    // Records a load that gave up as a difference; the cluster runs on.
    const gaveUp = ({ message }: LoadFailure) =>
      Effect.succeed<Left>({ steps: 0, counts: {}, settledMillis: 0, differences: [message] })
    const outcome = yield* underLoad(mixed, context, pace, disturbed).pipe(
      Effect.catchTags({ GaveUp: gaveUp, Refused: gaveUp })
    )
    const latencies = [...receiver.received.values()].flatMap(({ at, body }) => {
      const from = answered.get(`${body.record_id} ${body.revision_id}`)
      return from === undefined ? [] : [at - from]
    })
    return {
      ...outcome,
      ended: cluster.ended.slice(endedBefore),
      requests: seenIn(unanswered.slice(before)),
      slowestMillis: Math.max(0, ...latencies),
      deliveries: latencies.length
    } satisfies Watched as Watched
  })
  return { cluster, watch }
})
