// docs/operations.md, "Erase a person": what is theirs goes, what they wrote stays under no name, the audit log proves it with counts.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { erased, erasePerson, kept } from "../../../src/domain/accounts/personErasure.ts"
import { type Browser, browser, seedPerson } from "../../interfaces/pages/support.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { crossing } from "../../support/locks.ts"
import { createRecord } from "../automations/runSupport.ts"
import { seedApp } from "../automations/support.ts"

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, orgId, owner } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const clerk = yield* seedUser(orgId, "member")
  const [row] = yield* sql<{ email: string; name: string; person_id: number }>`
    SELECT p.email, p.name, p.person_id FROM users u JOIN people p USING (person_id) WHERE u.user_id = ${clerk.userId}`
  const { email, name, person_id: person } = row!
  yield* sql`INSERT INTO mails (org_id, message_id, status, counted, sender, recipients, subject, raw, created_on)
    VALUES (${orgId}, ${`<mail-${clerk.userId}@example.com>`}, 'sent', true, 's@example.com', ${[email.toUpperCase()]}, ${`Dear ${name}`}, 'x', now())`
  yield* sql`INSERT INTO one_time_links (token_hash, person_id, purpose, created_on, expires_on)
    VALUES (${Buffer.from(email)}, ${person}, 'password', now(), now() + interval '1 day')`
  yield* sql`UPDATE users SET phone = '0660 1', job_description = 'Clerk' WHERE user_id = ${clerk.userId}`
  return { appId, orgId, owner, clerk, email, name, person }
})

layer(appLayer(), { excludeTestServices: true })("erase a person", (it) => {
  it.effect(
    "nothing of theirs is found anywhere; records stay with their author's id; the log holds counts alone",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { appId, clerk, email, owner, person } = yield* setting
        const record = yield* createRecord(owner.key, appId, {})
        yield* sql`UPDATE records SET created_by = ${JSON.stringify({ type: "user", user_id: clerk.userId })}::jsonb
        WHERE record_id = ${record}`
        const erasure = yield* sql.withTransaction(erasePerson(email))
        assert.deepInclude(erasure.rows, { people: 1, users: 1, mails: 1, one_time_links: 1 })
        const holds = (text: string) =>
          Effect.gen(function* () {
            const tables = yield* sql<{ name: string }>`SELECT relname AS name FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
            const matchingTables: Array<string> = []
            for (const { name } of tables) {
              const rows =
                yield* sql`SELECT 1 FROM ${sql(name)} t WHERE strpos(lower(t::text), lower(${text})) > 0 LIMIT 1`
              if (rows.length > 0) matchingTables.push(name)
            }
            return matchingTables
          })
        for (const theirs of [email, "0660 1"]) assert.deepStrictEqual(yield* holds(theirs), [])
        // Who has no name is refused, and whoever looks sees no name.
        assert.strictEqual((yield* app.call("GET", "/v1/me", { token: clerk.key })).status, 401)
        const recordAnswer = yield* app.call("GET", `/v1/record/${record}`, { token: owner.key })
        assert.include(recordAnswer.text, `"user_id":${clerk.userId}`)
        const [entry] = yield* sql<{ details: any; person_id: number }>`
        SELECT details, person_id FROM audit_log WHERE event = 'person.erased' AND user_id = ${clerk.userId}`
        assert.deepStrictEqual([entry!.person_id, entry!.details], [person, { by: "operator", rows: erasure.rows }])
        const secondErasure = yield* Effect.flip(erasePerson(email))
        assert.match(secondErasure.message, /^No person with the address /)
      })
  )

  it.effect("a sign-in that comes meanwhile waits, and leaves no session behind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, orgId, owner } = yield* seedPerson()
      yield* seedUser(orgId, "owner")
      yield* sql`INSERT INTO mails (org_id, message_id, status, counted, sender, recipients, subject, created_on)
        VALUES (${orgId}, '<late@example.com>', 'sent', true, 's@example.com', ${[email]}, 'x', now())`
      const sessions = sql`SELECT 1 FROM sessions WHERE person_id = ${owner.personId}`
      // For the erasure, which waits for this transaction.
      const blockedLocks = sql`
        SELECT 1 FROM pg_locks l, unnest(pg_blocking_pids(l.pid)) b
        WHERE NOT l.granted AND pg_backend_pid() = ANY(pg_blocking_pids(b))`
      const rowsLocked = yield* Deferred.make<void>()
      const erasing = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(rowsLocked), sql.withTransaction(erasePerson(email)))
      )
      const b = browser()
      const signedIn = yield* Deferred.make<Effect.Success<ReturnType<Browser["signIn"]>>>()
      // The sessions are gone, the mails are about to be blanked.
      yield* crossing(
        Effect.andThen(
          sql`SELECT 1 FROM mails WHERE message_id = '<late@example.com>' FOR UPDATE`,
          Deferred.succeed(rowsLocked, undefined)
        ),
        Fiber.join(erasing),
        Effect.gen(function* () {
          yield* Effect.forkDetach(Deferred.into(b.signIn(email), signedIn))
          yield* eventually(
            "the sign-in is through or waits",
            Effect.zip(sessions, blockedLocks),
            ([begun, stopped]) => begun.length + stopped.length > 0
          )
        })
      )
      assert.strictEqual((yield* Deferred.await(signedIn)).status, 401)
      assert.lengthOf(yield* sessions, 0)
    })
  )

  it.effect("the last owner of an organization is refused, and keeps everything", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const [person] = yield* sql<{ email: string }>`
        SELECT email FROM people JOIN users USING (person_id) WHERE user_id = ${owner.userId}`
      const refusal = yield* Effect.flip(sql.withTransaction(erasePerson(person!.email)))
      assert.strictEqual(
        (refusal as { message: string }).message,
        `They are the last owner of organization ${orgId}: give it another first.`
      )
      assert.strictEqual((yield* sql`SELECT 1 FROM people WHERE email = ${person!.email}`).length, 1)
    })
  )

  it.effect("the last admin of a private workspace is refused, deactivated or not", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const clerk = yield* seedUser(orgId, "member")
      const body = { name: "Quay", type: "private" }
      const { workspace_id } = (yield* app.call("POST", "/v1/workspace", { token: clerk.key, body })).json
      const [person] = yield* sql<{ email: string }>`SELECT email FROM people WHERE person_id = ${clerk.personId}`
      for (const status of ["active", "deactivated"]) {
        yield* app.call("PUT", `/v1/org/user/${clerk.userId}`, { token: owner.key, body: { status } })
        const refusal = yield* Effect.flip(sql.withTransaction(erasePerson(person!.email)))
        assert.include((refusal as { message: string }).message, `The private workspace ${workspace_id} would lose`)
      }
      const workspaceAdmins = sql`SELECT 1 FROM workspace_members WHERE workspace_id = ${workspace_id} AND role = 'admin'`
      assert.lengthOf(yield* workspaceAdmins, 1)
    })
  )

  it.effect("every table that names a person or a user says what becomes of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const naming = yield* sql<{ name: string }>`
        SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname IN ('person_id', 'user_id', 'owner_id', 'author_id', 'author', 'created_by', 'updated_by',
            'last_modified_by', 'uploaded_by', 'recipients')`
      const declaredColumns = [...Object.keys(erased), ...Object.keys(kept)]
      assert.deepStrictEqual(declaredColumns.toSorted(), naming.map(({ name }) => name).toSorted())
    })
  )
})
