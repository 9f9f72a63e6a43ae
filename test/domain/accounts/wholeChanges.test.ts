// decisions O12, O23: another password, the end of the sessions that the former one began, and the entry in the audit log come about together or not at
// all; a key, a token, and the end of a session with their entries.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../../src/domain/accounts/People.ts"
import { browser, PASSWORD, seedPerson } from "../../interfaces/pages/support.ts"
import { appLayer } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"

const OTHER = "nine dry cormorants"

/** While it runs the database refuses what is done to rows of the table that the condition holds for. */
const refusing = <A, E, R>(
  table: "audit_log" | "sessions",
  act: "INSERT" | "DELETE",
  condition: string,
  work: Effect.Effect<A, E, R>
) =>
  Effect.andThen(
    ddl(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
      `CREATE TRIGGER refuse BEFORE ${act} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse()`
    ),
    Effect.ensuring(work, Effect.orDie(ddl("DROP FUNCTION refuse() CASCADE")))
  )

/** What would tell that something has changed. */
const stateOf = Effect.fnUntraced(function* ({ personId, userId }: { personId: number; userId: number }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    SELECT (SELECT password_hash FROM people WHERE person_id = ${personId}) AS password,
      (SELECT count(*)::int FROM one_time_links WHERE person_id = ${personId} AND used_on IS NULL) AS links,
      (SELECT array_agg(session_id ORDER BY 1) FROM sessions WHERE person_id = ${personId}) AS sessions,
      (SELECT array_agg(credential_id ORDER BY 1) FROM api_credentials WHERE user_id = ${userId} AND revoked_on IS NULL) AS credentials,
      (SELECT count(*)::int FROM audit_log WHERE person_id = ${personId}) AS entries`
  return row
})

const setting = Effect.gen(function* () {
  const { email, owner } = yield* seedPerson()
  const thief = browser()
  yield* thief.signIn(email)
  const ownBrowser = browser()
  yield* ownBrowser.signIn(email)
  return { own: ownBrowser, owner, thief }
})

const newPassword = { password: OTHER, repeated: OTHER }
const linkOf = Effect.fnUntraced(function* (personId: number) {
  const { url } = yield* (yield* People).oneTimeLink(personId)
  return new URL(url).pathname
})

layer(appLayer(), { excludeTestServices: true })("changes of credentials", (it) => {
  for (const [what, table, act, condition] of [
    ["the sessions stay", "sessions", "DELETE", "OLD.person_id IS NOT NULL"],
    ["no entry can be written", "audit_log", "INSERT", "NEW.event = 'person.password_set'"]
  ] as const)
    it.effect(`O12: a password is neither set by a link nor changed where ${what}`, () =>
      Effect.gen(function* () {
        const { own, owner, thief } = yield* setting
        const link = yield* linkOf(owner.personId)
        const stateBefore = yield* stateOf(owner)
        const visitor = browser()
        const change = { current: PASSWORD, ...newPassword }
        yield* refusing(
          table,
          act,
          condition,
          Effect.gen(function* () {
            assert.strictEqual((yield* visitor.submit(link, newPassword)).status, 503)
            assert.deepStrictEqual(yield* stateOf(owner), stateBefore)
            assert.strictEqual((yield* own.submit("/account/password", change)).status, 503)
            assert.deepStrictEqual(yield* stateOf(owner), stateBefore)
          })
        )
        assert.strictEqual((yield* own.submit("/account/password", change)).path, "/account/password?done=changed")
        assert.strictEqual((yield* thief.get("/organization")).status, 303)
        assert.strictEqual((yield* visitor.submit(link, newPassword)).path, "/sign-in?done=password")
        assert.strictEqual((yield* own.get("/organization")).status, 303)
      })
    )

  it.effect("O23: no key, token or session begins or ends without its entry", () =>
    Effect.gen(function* () {
      const { own, owner } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const as = owner.userId
      const content = { content_selection: "all", workspace_ids: [], app_ids: [] }
      const token = { as, name: "Nightly", scopes: ["records:read"], ...content }
      yield* own.ask("/console/account/credentials/create", token)
      const [made] = yield* sql<{ id: number }>`
        SELECT max(credential_id)::int AS id FROM api_credentials WHERE user_id = ${owner.userId} AND kind = 'personal_access_token'`
      const stateBefore = yield* stateOf(owner)
      yield* refusing(
        "audit_log",
        "INSERT",
        "true",
        Effect.gen(function* () {
          for (const [what, status, act] of [
            ["a new key", 500, own.ask("/console/account/credentials/rotate-key", { as })],
            ["a new token", 500, own.ask("/console/account/credentials/create", token)],
            ["a revoked token", 500, own.ask("/console/account/credentials/revoke", { as, credential_id: made!.id })],
            ["a sign-out", 503, own.submit("/", {}, "/sign-out")]
          ] as const) {
            assert.strictEqual((yield* act).status, status, what)
            assert.deepStrictEqual(yield* stateOf(owner), stateBefore, what)
          }
        })
      )
    })
  )
})
