// The database away, or dying in a commit, at every entry point (developer-api.md 1.5, 1.8; decisions O10; docs/decisions.md): 503 with
// `Retry-After`, and "nothing was changed" only where that is known.
import { assert, layer } from "@effect/vitest"
import { type Cause, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import { ownWrite } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { watched } from "../../../src/platform/sql/Changes.ts"
import { sqlDefectIn } from "../../../src/platform/sql/sqlDefect.ts"
import { automate, createRecord, setText } from "../../domain/automations/runSupport.ts"
import { seedApp } from "../../domain/automations/support.ts"
import { App, appLayerOver, type Reply } from "../../support/app.ts"
import { Cuttable, layerCuttable } from "../../support/cuttableDatabase.ts"
import { asOwner } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { hiddenIn } from "../../support/oauth.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../support/records.ts"
import { callTool } from "../mcp/support.ts"
import { browser, PASSWORD, seedPerson } from "../pages/support.ts"

const whileDown = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Cuttable, ({ down, up }) => Effect.ensuring(Effect.andThen(down, effect), up))

const awayFor = ({ headers, status }: Reply, what: string) => {
  assert.strictEqual(status, 503, what)
  assert.strictEqual(headers.get("retry-after"), "1", what)
}

const isAway = (cause: Cause.Cause<unknown>) => sqlDefectIn(cause) !== undefined

const workspacesNamed = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM workspaces WHERE name = ${name}`, (rows) => rows.length)
  )

const make = Effect.fnUntraced(function* (token: string, name: string, key?: string) {
  const app = yield* App
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key }
  return yield* app.call("POST", "/v1/workspace", { token, body: { name, type: "closed" }, headers })
})

/** The connection that was cut may hold the key until Postgres has seen its end. */
const makeAgain = (token: string, name: string, key: string) =>
  eventually("the key is free", make(token, name, key), ({ status }) => status !== 409)

layer(appLayerOver(layerCuttable), { excludeTestServices: true })("the database is away", (it) => {
  it.effect("stopped: every entry point answers 503 with Retry-After, and works again when it is back", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedWorkspace
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const basic = { authorization: `Basic ${btoa("client:secret")}` }
      const requests: ReadonlyArray<readonly [string, string, object]> = [
        ["GET", "/v1/org", { token: owner.key }],
        ["POST", "/v1/workspace", { token: owner.key, body: { name: "Never", type: "closed" } }],
        ["GET", "/v1/nothing", { token: owner.key }],
        ["POST", "/oauth/token", { body: "grant_type=refresh_token&refresh_token=x", headers: { ...form, ...basic } }],
        ["GET", "/oauth/authorize?client_id=x&response_type=code", {}],
        ["GET", "/account/connections", { headers: { cookie: "millrace_session=x" } }],
        ["POST", "/mcp", { token: owner.key, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }],
        ["POST", "/api/catch/x", { body: {} }],
        ["GET", "/weblink/trigger/x", {}],
        ["GET", "/weblink/trigger/x/y", {}]
      ]
      yield* whileDown(
        Effect.forEach(requests, ([method, path, options]) =>
          Effect.map(app.call(method, path, options), (reply) => awayFor(reply, `${method} ${path}`))
        )
      )
      assert.strictEqual((yield* app.call("GET", "/v1/org", { token: owner.key })).status, 200)
      assert.strictEqual(yield* workspacesNamed("Never"), 0)
    })
  )

  it.effect("developer-api.md 1.5: the body says that nothing was changed, in words and as a member", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedWorkspace
      const { json } = yield* whileDown(make(owner.key, "Never"))
      assert.deepStrictEqual(json, {
        status_code: 503,
        endpoint: "/v1/workspace",
        error_code: "service_unavailable",
        error_message: "The database cannot be reached right now; nothing was changed. Try again in 1 s.",
        outcome: "not_done",
        retry_after: 1
      })
    })
  )

  it.effect("the backend is killed while the call waits for a lock: 503, and nothing was changed", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedWorkspace
      const killed = yield* asOwner(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE`
              const pending = yield* Effect.forkChild(make(owner.key, "Killed"))
              const blockedBackends = sql<{ pid: number }>`
                SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'cuttable'
                  AND datname = current_database()`
              const [waiting] = yield* eventually("waits for the lock", blockedBackends, (rows) => rows.length === 1)
              yield* sql`SELECT pg_terminate_backend(${waiting!.pid}::int)`
              return yield* Fiber.join(pending)
            })
          )
        })
      )
      awayFor(killed, "killed")
      assert.strictEqual(killed.json.outcome, "not_done")
      assert.strictEqual(yield* workspacesNamed("Killed"), 0)
    })
  )

  for (const when of ["before", "after"] as const) {
    it.effect(`the connection is lost ${when} Postgres has committed: nobody knows, and the answer says so`, () =>
      Effect.gen(function* () {
        const { cutNextCommit } = yield* Cuttable
        const { owner } = yield* seedWorkspace
        yield* cutNextCommit(when)
        const lost = yield* make(owner.key, `Lost ${when}`)
        awayFor(lost, when)
        assert.strictEqual(lost.json.outcome, "unknown")
        assert.strictEqual(
          lost.json.error_message,
          "The database went away meanwhile; it is not known whether anything was changed. Look before you send it again."
        )
        assert.strictEqual(yield* workspacesNamed(`Lost ${when}`), when === "after" ? 1 : 0)
      })
    )

    it.effect(`lost ${when} the commit that several updates share: nobody knows of each that it held`, () =>
      Effect.gen(function* () {
        const { cutNextCommit } = yield* Cuttable
        const writer = yield* RecordWriter
        const { owner, workspaceId } = yield* seedWorkspace
        const call = as(owner)
        const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
        const inputs = ["a", "b"].map((name) => ({ fields: { name } }))
        const { json } = yield* call("POST", `/v1/record/app/batch/${app_id}`, { inputs })
        const ids = json.records.map(({ record_id }: { record_id: number }) => record_id) as ReadonlyArray<number>
        const write = ownWrite(callerOf(owner), defaultSwitches)
        // Not over HTTP, since the requests need not come to their updates in the same turn, and then in the same group.
        const outcomeOf = (record_id: number) =>
          watched((changes) =>
            Effect.map(
              Effect.result(Effect.sandbox(writer.update(write, app_id, [{ record_id, fields: { name: "changed" } }]))),
              (result) => (Result.isFailure(result) ? [isAway(result.failure), changes.possible] : "changed")
            )
          )
        yield* cutNextCommit(when)
        const missing = 2_000_000_000
        const outcomes = yield* Effect.all([...ids, missing].map(outcomeOf), { concurrency: "unbounded" })
        assert.deepStrictEqual(outcomes, [
          [true, true],
          [true, true],
          [false, false]
        ])
        const sql = yield* SqlClient.SqlClient
        const changed = yield* sql`SELECT 1 FROM records WHERE app_id = ${app_id} AND title = 'changed'`
        assert.strictEqual(changed.length, when === "after" ? ids.length : 0)
      })
    )

    it.effect(`1.8: lost ${when} the commit, the repeat with its Idempotency-Key tells the truth: done once`, () =>
      Effect.gen(function* () {
        const { cutNextCommit } = yield* Cuttable
        const { owner } = yield* seedWorkspace
        const name = `Keyed ${when}`
        yield* cutNextCommit(when)
        const lost = yield* make(owner.key, name, "k1")
        awayFor(lost, when)
        assert.strictEqual(lost.json.outcome, "unknown")
        assert.match(lost.json.error_message, /with the same Idempotency-Key: what was done is not done twice\.$/)
        const repeat = yield* makeAgain(owner.key, name, "k1")
        assert.strictEqual(repeat.status, 200, repeat.text)
        assert.strictEqual(repeat.headers.get("idempotency-replayed"), when === "after" ? "true" : null)
        assert.strictEqual((yield* makeAgain(owner.key, name, "k1")).text, repeat.text)
        assert.strictEqual(yield* workspacesNamed(name), 1)
      })
    )
  }

  it.effect("MCP: a tool says what the API says, after how many seconds, and what to do", () =>
    Effect.gen(function* () {
      const { cutNextCommit } = yield* Cuttable
      const { appId, options, token } = yield* seedApp()
      yield* cutNextCommit("before")
      const args = { app_id: appId, fields: { state: options["state"]![0] } }
      const { content, isError } = yield* callTool(token, "create_record", args)
      assert.isTrue(isError)
      const [code, retry, advice] = (content[0] as { text: string }).text.split("\n")
      assert.match(code!, /^service_unavailable: The database went away meanwhile; it is not known whether/)
      assert.strictEqual(retry, "Retry after 1 seconds.")
      assert.match(advice!, /^What to do: The database is away for a moment\./)
    })
  )

  it.effect("pages: a form says whether it may have been kept", () =>
    Effect.gen(function* () {
      const { cutNextCommit } = yield* Cuttable
      const person = yield* seedPerson()
      const visitor = browser()
      yield* visitor.signIn(person.email, PASSWORD)
      const startPage = yield* visitor.get("/")
      yield* cutNextCommit("after")
      const lost = yield* visitor.post("/sign-out", { csrf: hiddenIn(startPage.text, "csrf") })
      awayFor(lost, "form")
      assert.include(lost.text, "It is not known whether what you sent was kept")
    })
  )

  it.effect("the console beside the API: what was asked for says whether it may have been done", () =>
    Effect.gen(function* () {
      const { cutNextCommit } = yield* Cuttable
      const person = yield* seedPerson()
      const visitor = browser()
      yield* visitor.signIn(person.email, PASSWORD)
      const rotate = visitor.ask("/console/account/credentials/rotate-key", { as: person.owner.userId })
      yield* cutNextCommit("after")
      const lost = yield* rotate
      awayFor(lost, "rotation")
      assert.strictEqual(lost.json.outcome, "unknown")
      const unread = yield* whileDown(visitor.ask("/console/account/credentials", { as: person.owner.userId }))
      awayFor(unread, "list")
      assert.strictEqual(unread.json.outcome, "not_done")
    })
  )

  it.effect("inbound webhooks and clicks: known where no COMMIT was sent, and one that was kept is said to be", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { cutNextCommit } = yield* Cuttable
      const { appId, fields, options, token } = yield* seedApp()
      const actions = [setText(fields["reference"]!, "x")]
      const inbound = yield* app.call("POST", `/v1/automation/app/${appId}`, {
        token,
        body: {
          name: "In",
          trigger: { type: "webhook_received", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        }
      })
      const { id, trigger } = inbound.json.automation
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      const path = new URL(trigger.config.webhook_url).pathname
      // A small payload is stored by one statement, a large one in a transaction.
      for (const [statement, n] of [
        ["INSERT INTO webhook_catches", "1"],
        [undefined, "1".repeat(20_000)]
      ] as const) {
        yield* cutNextCommit("after", statement)
        const caught = yield* app.call("POST", path, { body: { n } })
        awayFor(caught, "inbound")
        assert.strictEqual(caught.json.outcome, "unknown")
        assert.match(caught.headers.get("content-security-policy")!, /sandbox$/)
      }

      const record = yield* createRecord(token, appId, { state: options["state"]![0] })
      const link = yield* automate(token, appId, { trigger: { type: "weblink_clicked", config: {} }, actions })
      const generatedLink = yield* app.call("POST", "/v1/automation/weblink/generate", {
        token,
        body: { trigger_workflow_def_id: link, trigger_on_record_id: record }
      })
      const click = new URL(generatedLink.json.trigger_client_url).pathname
      const stopped = yield* whileDown(app.call("GET", click))
      assert.include(stopped.text, "nothing has happened yet")
      yield* cutNextCommit("before")
      const lost = yield* app.call("GET", click)
      awayFor(lost, "click")
      assert.include(lost.text, "It is not known whether your click counted")
    })
  )
})
