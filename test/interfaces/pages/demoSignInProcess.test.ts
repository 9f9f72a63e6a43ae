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
      const request = (to: string, method: string, cookie = "", more: Record<string, string> = {}) =>
        Effect.promise(async () => {
          const answer = await fetch(to, { method, headers: { cookie, ...more }, redirect: "manual" })
          await answer.text()
          return answer
        })
      const opened = (method: string) => request(url, method)
      const cookieOf = (answer: Response) =>
        answer.headers
          .getSetCookie()
          .map((line) => line.split(";")[0]!)
          .join("; ")
      const isSignedIn = Effect.fnUntraced(function* (cookie: string) {
        assert.strictEqual((yield* request(`${service.origin}/organization`, "GET", cookie)).status, 200)
      })
      assert.strictEqual((yield* opened("HEAD")).status, 400)
      // Who comes through a proxy has its address, not their own; that uses nothing up.
      for (const name of [
        ...["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-port", "x-original-forwarded-for", "via"],
        ...["x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "fastly-client-ip", "x-cluster-client-ip"]
      ])
        assert.strictEqual((yield* request(url, "GET", "", { [name]: "127.0.0.1" })).status, 400, name)
      const firstReply = yield* opened("GET")
      assert.deepStrictEqual([firstReply.status, firstReply.headers.get("location")], [303, "/console"])
      yield* isSignedIn(cookieOf(firstReply))
      assert.strictEqual((yield* opened("GET")).status, 400)
      const log = yield* operate(database, service.origin, "audit", "read", "--event", "person.demo_link_used")
      assert.lengthOf(log, 1)
      assert.notInclude(service.output(), new URL(url).pathname)
      assert.include(service.output(), "/sign-in/demo/…")
      // A browser that was signed in already is signed in anew.
      const next = yield* operate(database, service.origin, "demo-link")
      const secondReply = yield* request(next.url, "GET", cookieOf(firstReply))
      assert.deepStrictEqual([secondReply.status, secondReply.headers.get("location")], [303, "/console"])
      assert.notStrictEqual(cookieOf(secondReply), cookieOf(firstReply))
      yield* isSignedIn(cookieOf(secondReply))
    }).pipe(Effect.scoped)
  )
})
