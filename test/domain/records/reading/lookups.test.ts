// developer-api.md 4.1, 4.3 rule 3: users that several answers and writes mention at the same moment are looked up at once, and each caller
// finds those of its own organization.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { noMentions } from "../../../../src/domain/records/fields/model/Field.ts"
import { Lookups } from "../../../../src/domain/records/model/Lookups.ts"
import { appLayer, seedOrganization, seedUser } from "../../../support/app.ts"

layer(appLayer(), { excludeTestServices: true })("lookups of users", (it) => {
  it.effect("take one statement for all who ask, and find for each what is its organization's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let statements = 0
      const countedSql = new Proxy(sql, {
        apply: (target, self, given) => {
          if (String(given[0]).includes("u.user_id IN")) statements++
          return Reflect.apply(target, self, given)
        }
      })
      const countedLayer = Layer.succeed(SqlClient.SqlClient, countedSql)
      const lookups = yield* Effect.provide(Lookups, Layer.provide(Layer.fresh(Lookups.layer), countedLayer))
      const [one, other] = [yield* seedOrganization(), yield* seedOrganization()]
      const removed = yield* seedUser(one.orgId, "member")
      yield* sql`UPDATE users SET status = 'removed' WHERE user_id = ${removed.userId}`
      const mentions = {
        ...noMentions(),
        users: new Set([one.owner, other.owner, removed].map(({ userId }) => userId))
      }
      const facts = yield* Effect.all(
        [
          lookups.forReading(one.orgId, mentions),
          lookups.forReading(other.orgId, mentions),
          lookups.forWriting(one.orgId, mentions, null)
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        facts.map(({ users }) => [...users.keys()]),
        [[one.owner.userId, removed.userId], [other.owner.userId], [one.owner.userId]]
      )
      assert.strictEqual(statements, 1)
    })
  )
})
