// docs/decisions.md, "Events": any process tells of what another has changed; a stream goes on in another one; one that stops ends its streams first.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../support/app.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { eventsAt } from "../../support/eventStream.ts"
import { eventually } from "../../support/eventually.ts"
import { operate, startService } from "../../support/processes.ts"

/** Streams over sockets alone. */
const unused = Effect.provideService(App, { fetch: () => Effect.die("unused"), call: () => Effect.die("unused") })

it.live("over two processes: heard in the other, ended at SIGTERM, gone on with where it was left", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const firstService = yield* startService(url)
    const two = yield* startService(url)
    const { token } = yield* operate(url, firstService.origin, "demo-seed")
    const create = (origin: string) =>
      Effect.promise(async () => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
        const response = await fetch(`${origin}/v1/app/1`, {
          method: "PUT",
          headers,
          body: '{"description":"Changed"}'
        })
        assert.isTrue(response.ok, await response.text())
      })
    const stream = yield* eventsAt(token, "", {}, two.origin)
    yield* create(firstService.origin)
    yield* stream.until("the change", (all) => all.some(({ event }) => event === "app"))
    // Where nothing is open any more that was open before anybody listened, in no database of the cluster.
    const settledListeners = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ id: string }>`
          SELECT pg_current_snapshot()::text AS id FROM change_listeners WHERE since < pg_snapshot_xmin(pg_current_snapshot())`
    ).pipe(Effect.provide(layerOn(url, 1)))
    const [{ id } = { id: "" }] = yield* eventually("a settled place", settledListeners, ({ length }) => length > 0)
    const childExit = new Promise((resolve) => two.child.once("exit", resolve))
    two.child.kill("SIGTERM")
    yield* stream.isOver
    assert.deepStrictEqual(stream.of("end"), [{ reason: "stopping" }])
    yield* create(firstService.origin)
    const resumedStream = yield* eventsAt(token, "", { "last-event-id": id }, firstService.origin)
    assert.deepStrictEqual(resumedStream.of("ready"), [{ resumed: true }])
    yield* resumedStream.until("what came meanwhile", (all) => all.some(({ event }) => event === "app"))
    yield* Effect.promise(() => childExit)
    assert.isNotNull(two.child.exitCode, "by itself, not killed at the bound of a stop")
  }).pipe(unused, Effect.scoped)
)
