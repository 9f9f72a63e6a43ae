// decisions, "The second step": what a person is told of it is written with the change, in one transaction, and mailed by a worker. No end of a
// process in between loses it, and no round mails it twice.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Factors } from "../../../src/domain/accounts/factors/Factors.ts"
import { factorNotices } from "../../../src/domain/accounts/factors/factorMails.ts"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import { tellNotices } from "../../../src/platform/mail/notices.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { signedIn } from "../../support/oauth.ts"

const someone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { owner } = yield* seedOrganization()
  const [person] = yield* sql<{ person_id: number; email: string; name: string }>`
    SELECT person_id, email, name FROM people WHERE person_id = ${owner.personId}`
  return person!
})
const pendingNotices = (personId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ type: string }>`
      SELECT news->>'type' AS type FROM factor_notices WHERE person_id = ${personId} ORDER BY notice_id`
    return rows.map(({ type }) => type)
  })
const subjects = (email: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ subject: string }>`SELECT subject FROM mails WHERE ${email} = ANY(recipients)`
    return rows.map(({ subject }) => subject)
  })
const round = Effect.gen(function* () {
  const mail = yield* Mail
  return yield* tellNotices(yield* factorNotices, (notice) => mail.send({ ...notice, system: true }))
})
const by = { words: "The operator", details: { by: "operator" } }

layer(appLayer(), { excludeTestServices: true })("news of second steps", (it) => {
  it.effect("waits in the database until a round mails it, and is mailed once", () =>
    Effect.gen(function* () {
      const person = yield* someone
      yield* (yield* Factors).reset(person, by)
      assert.deepStrictEqual(yield* pendingNotices(person.person_id), ["reset"])
      assert.deepStrictEqual(yield* subjects(person.email), [])
      assert.isAtLeast(yield* round, 1)
      yield* round
      assert.deepStrictEqual(yield* pendingNotices(person.person_id), [])
      assert.deepStrictEqual(yield* subjects(person.email), ["Your second step was reset"])
    })
  )

  it.effect("a mail that does not go out waits for the next round", () =>
    Effect.gen(function* () {
      const person = yield* someone
      yield* (yield* Factors).reset(person, by)
      const failToSend = () => Effect.fail({ message: "the server is away" })
      assert.strictEqual(yield* tellNotices(yield* factorNotices, failToSend), 0)
      assert.deepStrictEqual(yield* pendingNotices(person.person_id), ["reset"])
      yield* round
      assert.deepStrictEqual(yield* subjects(person.email), ["Your second step was reset"])
    })
  )

  it.effect("a change that is taken back tells nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const person = yield* someone
      const factors = yield* Factors
      yield* Effect.flip(sql.withTransaction(Effect.andThen(factors.reset(person, by), Effect.fail("taken back"))))
      yield* signedIn(person.person_id)
      const [session] = yield* sql<{ session_id: number }>`
        SELECT session_id::int FROM sessions WHERE person_id = ${person.person_id}`
      const refusal = yield* Effect.flip(factors.newCodes({ person, sessionId: session!.session_id }))
      assert.strictEqual(refusal.message, "Set up a second step first.")
      assert.deepStrictEqual(yield* pendingNotices(person.person_id), [])
    })
  )
})
