// decisions O11, O12, O22: pages whose forms anybody may ask for begin sessions, as many in a minute as a source may have.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { People } from "../../../src/domain/accounts/People.ts"
import { countOf } from "../../../src/platform/sql/rows.ts"
import { appLayer } from "../../support/app.ts"
import { browser, seedPerson } from "./support.ts"

layer(appLayer({ SMTP_URL: "smtp://127.0.0.1:1" }), { excludeTestServices: true })("pages for nobody yet", (it) => {
  it.effect(
    "attack: O22: whoever keeps no cookie begins 1,200 sessions a minute and no more; who has one goes on",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const nowDate = new Date()
        yield* TestClock.setTime(nowDate.getTime())
        const { email, owner } = yield* seedPerson()
        const people = yield* People
        const { url } = yield* people.oneTimeLink(owner.personId)
        const pages = ["/sign-in", "/account/forgot-password", new URL(url).pathname]
        yield* sql`INSERT INTO oauth_rate_windows (key, window_start, leased) VALUES ('sign_in unknown', ${nowDate}, 1199)`
        const b = browser()
        assert.strictEqual((yield* b.get("/sign-in")).status, 200)
        const count = countOf(sql`SELECT count(*)::int AS n FROM sessions`)
        const countBefore = yield* count
        for (const page of pages) {
          const refusal = yield* browser().get(page)
          assert.deepStrictEqual([refusal.status, refusal.headers.get("retry-after")], [429, "60"], page)
          assert.isNull(refusal.headers.get("set-cookie"))
          assert.strictEqual((yield* b.get(page)).status, 200, page)
        }
        assert.strictEqual(yield* count, countBefore)
        assert.strictEqual((yield* b.signIn(email)).path, "/")
        yield* TestClock.adjust(Duration.minutes(1))
        for (const page of pages) assert.strictEqual((yield* browser().get(page)).status, 200, page)
      }).pipe(Effect.provide(TestClock.layer()))
  )
})
