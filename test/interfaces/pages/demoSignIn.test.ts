// decisions, "Where the demo is": the link that `npm start` prints signs the demo person in once, within ten minutes, on this machine.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { linkToShow } from "../../../bin/parts/demo-seed.js"
import { DemoLinks, demoAddress } from "../../../src/domain/accounts/DemoLinks.ts"
import { appLayer } from "../../support/app.ts"
import { browser, seedPerson } from "./support.ts"

const virtual = Effect.provide(TestClock.layer())
const HERE = "127.0.0.1"

/** The demo person, made anew. */
const demoPerson = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE people SET email = 'former-' || person_id || '@example.com' WHERE email = ${demoAddress}`
  const { owner } = yield* seedPerson()
  yield* sql`UPDATE people SET email = ${demoAddress} WHERE person_id = ${owner.personId}`
  return owner
})
const link = Effect.gen(function* () {
  const { make } = yield* DemoLinks
  return new URL(yield* make).pathname
})
const redeemed = (path: string, source: string | null) =>
  Effect.flatMap(DemoLinks, (links) => Effect.result(links.redeem(path.split("/").at(-1)!, source)))

layer(appLayer(), { excludeTestServices: true })("the demo person's link", (it) => {
  it.effect("signs in once, from this machine, within ten minutes; the next one ends the former", () =>
    Effect.gen(function* () {
      const owner = yield* demoPerson
      const firstLink = yield* link
      const newestLink = yield* link
      for (const [path, source] of [
        [firstLink, HERE],
        [newestLink, "192.0.2.7"],
        [newestLink, null],
        [`${newestLink}x`, HERE]
      ] as const)
        assert.isTrue(Result.isFailure(yield* redeemed(path, source)))
      const redemption = yield* redeemed(newestLink, HERE)
      assert.strictEqual(Result.isSuccess(redemption) ? redemption.success.person_id : 0, owner.personId)
      assert.isTrue(Result.isFailure(yield* redeemed(newestLink, HERE)))
      const staleLink = yield* link
      yield* TestClock.adjust(Duration.minutes(10))
      assert.isTrue(Result.isFailure(yield* redeemed(staleLink, HERE)))
    }).pipe(virtual)
  )

  it.effect("is kept as a hash, and is no link to set a password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* demoPerson
      const path = yield* link
      const token = path.split("/").at(-1)!
      const rows = yield* sql<{ all: string }>`SELECT t::text AS all FROM one_time_links t`
      assert.isFalse(rows.some(({ all }) => all.includes(token)))
      assert.strictEqual((yield* browser().get(`/account/password/${token}`)).status, 400)
    }).pipe(virtual)
  )

  it.effect("is not made in production, nor without a demo person", () =>
    Effect.gen(function* () {
      yield* demoPerson
      const previousEnv = process.env["NODE_ENV"]
      process.env["NODE_ENV"] = "production"
      const refusal = yield* Effect.result(link).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (previousEnv === undefined) delete process.env["NODE_ENV"]
            else process.env["NODE_ENV"] = previousEnv
          })
        )
      )
      assert.isTrue(Result.isFailure(refusal))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE people SET email = 'gone@example.com' WHERE email = ${demoAddress}`
      assert.isTrue(Result.isFailure(yield* Effect.result(link)))
    }).pipe(virtual)
  )

  it("is shown with what it is", () => {
    const [, says, url] = linkToShow({ url: "http://127.0.0.1:8080/sign-in/demo/x" })
    assert.match(says!, /once, within ten minutes/)
    assert.strictEqual(url!.trim(), "http://127.0.0.1:8080/sign-in/demo/x")
  })
})
