// decisions O1, O9; service.md 8: what is pruned when, in batches, and what is remembered.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { prune } from "../../../src/domain/connections/pruneConnections.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { approve, connect, post, reasonOf, registerClient, token } from "../../support/oauth.ts"

layer(appLayer(), { excludeTestServices: true })("decisions O9: pruning", (it) => {
  it.effect(
    "expired rows go; an ended connection is remembered for 90 days, a used code as long as its connection",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization()
        const client_id = yield* registerClient()
        const { code, verifier } = yield* approve(owner, client_id)
        const redeem = token({ grant_type: "authorization_code", client_id, code, code_verifier: verifier })
        const { refresh_token } = (yield* redeem).json
        yield* approve(owner, client_id)
        yield* connect(owner, client_id)
        const refresh = token({ grant_type: "refresh_token", client_id, refresh_token })

        yield* TestClock.adjust(Duration.hours(3))
        const soon = yield* prune
        assert.strictEqual(soon.access_tokens, 2)
        assert.strictEqual(soon.authorization_codes, 1)
        assert.strictEqual(soon.authorization_requests, 3)
        assert.strictEqual(soon.connections, 0)
        assert.isAtLeast(soon.rate_windows, 1)
        yield* post("/oauth/revoke", { client_id, token: refresh_token })
        yield* TestClock.adjust(Duration.millis(90 * 86_400_000 - 1))
        assert.strictEqual((yield* prune).connections, 0)
        assert.strictEqual(reasonOf(yield* refresh), "TOKEN_REFRESH_GRANT_INACTIVE")
        assert.strictEqual(reasonOf(yield* redeem), "TOKEN_CODE_REPLAYED")
        yield* TestClock.adjust(Duration.millis(1))
        assert.strictEqual((yield* prune).connections, 1)
        assert.strictEqual(reasonOf(yield* refresh), "TOKEN_REFRESH_TOKEN_UNKNOWN")
        assert.strictEqual(reasonOf(yield* redeem), "TOKEN_CODE_UNKNOWN")
        // The other connection lapsed after 90 idle days and counts as ended then.
        yield* TestClock.adjust(Duration.days(90))
        assert.strictEqual((yield* prune).connections, 1)
        assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS n FROM refresh_tokens`, [{ n: 0 }])
      }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect("thousands of rows go in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
        SELECT sha256(i::text::bytea), 0, '{}', now() - interval '3 hours', now() - interval '2 hours' FROM generate_series(1, 2500) i`
      assert.strictEqual((yield* prune).access_tokens, 2500)
    })
  )
})
