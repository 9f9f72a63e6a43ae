// decisions, "Where the demo is": the link from the command to the console, with real processes.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { operate, startService } from "../../support/processes.ts"

describe("the demo person's link", () => {
  it.live("made by the command, it leads a browser into the console once, and stands in no log", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabaseUrl
      const service = yield* startService(database)
      yield* operate(database, service.origin, "demo-seed")
      const { url } = yield* operate(database, service.origin, "demo-link")
      const opened = (method: string) =>
        Effect.promise(async () => {
          const answer = await fetch(url, { method, redirect: "manual" })
          await answer.text()
          return answer
        })
      assert.strictEqual((yield* opened("HEAD")).status, 400)
      const first = yield* opened("GET")
      assert.deepStrictEqual([first.status, first.headers.get("location")], [303, "/console"])
      const cookie = first.headers
        .getSetCookie()
        .map((line) => line.split(";")[0]!)
        .join("; ")
      const page = yield* Effect.promise(() =>
        fetch(`${service.origin}/account/password`, { headers: { cookie }, redirect: "manual" })
      )
      assert.strictEqual(page.status, 200)
      assert.strictEqual((yield* opened("GET")).status, 400)
      const log = yield* operate(database, service.origin, "audit", "read", "--event", "person.demo_link_used")
      assert.lengthOf(log, 1)
      assert.notInclude(service.output(), new URL(url).pathname)
      assert.include(service.output(), "/sign-in/demo/…")
    }).pipe(Effect.scoped)
  )
})
