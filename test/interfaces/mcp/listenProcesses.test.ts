// subscriptions/listen over several processes: one tells of what another has changed, and one that stops says so before it closes.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../support/app.ts"
import { freshDatabaseUrl } from "../../support/database.ts"
import { operate, startService } from "../../support/processes.ts"
import { listenTo } from "./listener.ts"

/** Streams over sockets alone. */
const unused = Effect.provideService(App, { fetch: () => Effect.die("unused"), call: () => Effect.die("unused") })

it.live("a subscription hears of changes in another process, and ends with its answer at SIGTERM", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const [one, two] = yield* Effect.all([startService(url), startService(url)], { concurrency: 2 })
    const { token } = yield* operate(url, one.origin, "demo-seed")
    const app = "millrace://app/1"
    const stream = yield* listenTo(token, [app], two.origin)
    yield* Effect.promise(async () => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const body = '{"description":"Changed"}'
      assert.isTrue((await fetch(`${one.origin}/v1/app/1`, { method: "PUT", headers, body })).ok)
    })
    yield* stream.until("the change", (uris) => uris.includes(app))
    const childExit = new Promise((resolve) => two.child.once("exit", resolve))
    two.child.kill("SIGTERM")
    yield* stream.isOver
    assert.strictEqual(stream.messages.at(-1).result.resultType, "complete")
    yield* Effect.promise(() => childExit)
    assert.isNotNull(two.child.exitCode, "by itself, not killed at the bound of a stop")
  }).pipe(unused, Effect.scoped)
)
