// How a process goes (docs/operations.md, "Health"): SIGTERM makes it unready first, for SHUTDOWN_DELAY_SECONDS, and only then does it
// stop; and how it tells that Temporal is away, as a worker, which is ready with Temporal alone.
import { once } from "node:events"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeProxy } from "./engine/actors/support/proxy.ts"
import { freshDatabaseUrl } from "./support/database.ts"
import { eventually } from "./support/eventually.ts"
import { startService } from "./support/processes.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./support/temporal.ts"

const readiness = (origin: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${origin}/health/ready`)
    return { status: response.status, ...((await response.json()) as { ready: boolean; parts: ReadonlyArray<any> }) }
  })

it.live("a proxy that looks at /health/ready and repeats nothing sees no failed request when the process stops", () =>
  Effect.gen(function* () {
    const { child, origin } = yield* startService(yield* freshDatabaseUrl, { SHUTDOWN_DELAY_SECONDS: "2" })
    const failed: Array<string> = []
    const state = { ready: true, late: 0, sent: 0 }
    /** Looks as seldom as an orchestrator may within the delay. */
    const pollReadiness = async () => {
      while (state.ready) {
        const { status } = await fetch(`${origin}/health/ready`)
        state.ready = status === 200
        await new Promise((resolve) => setTimeout(resolve, 400))
      }
      return (await fetch(`${origin}/health/live`)).status
    }
    const send = async (stopped: () => boolean) => {
      while (state.ready) {
        if (stopped()) state.late++
        state.sent++
        await fetch(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams({ grant_type: "x" }) }).then(
          async (response) => {
            await response.arrayBuffer()
            if (response.status !== 400 && response.status !== 401) failed.push(String(response.status))
          },
          (error: Error) => failed.push(String(error.cause ?? error))
        )
      }
    }
    const childExit = once(child, "exit")
    let isTold = false
    const clients = [1, 2, 3, 4].map(() => send(() => isTold))
    const lastReadiness = pollReadiness()
    yield* eventually(
      "requests are under way",
      Effect.sync(() => state.sent),
      (n) => n > 20
    )
    child.kill("SIGTERM")
    isTold = true
    const live = yield* Effect.promise(() => lastReadiness)
    yield* Effect.promise(() => Promise.all(clients))
    const [code] = yield* Effect.promise(() => childExit)
    assert.deepStrictEqual(failed, [])
    assert.isAbove(state.late, 0)
    // Alive, and not to be killed, while it goes.
    assert.strictEqual(live, 200)
    // By itself: nobody had to kill it.
    assert.isNumber(code)
  })
)

it.live("a worker is ready while Temporal answers, says since when it does not, and is ready again", () =>
  Effect.gen(function* () {
    const temporal = yield* makeProxy(temporalAddress())
    yield* temporal.up
    const { origin } = yield* startService(yield* freshDatabaseUrl, {
      ROLE: "worker",
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: yield* freshNamespace
    })
    yield* eventually("ready", readiness(origin), ({ ready }) => ready)
    yield* temporal.down
    const notReady = yield* eventually("not ready", readiness(origin), ({ ready }) => !ready)
    assert.strictEqual(notReady.status, 503)
    const part = notReady.parts.find(({ name }) => name === "temporal")
    assert.match(part.detail, /^127\.0\.0\.1:\d+ (?:has not worked for \d+ s|does not work)/)
    yield* temporal.up
    yield* eventually("ready again", readiness(origin), ({ ready }) => ready)
  }).pipe(Effect.provide(TestConnection.layer))
)
