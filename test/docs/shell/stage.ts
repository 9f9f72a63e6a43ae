// What the lines of the documentation are typed upon: an organization with the ids that they name, an address that is sent webhooks, and
// what happens between two lines that no line does: a code that arrives, a person who consents, runs that end.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, type Person, seedOrganization, seedUser } from "../../support/app.ts"
import { asOwner } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { approve, ORIGIN } from "../../support/oauth.ts"
import type { Receiver } from "../../support/receiver.ts"
import { createApp, field } from "../../support/records.ts"

/** The next row of a table gets this id. */
export const next = (table: string, column: string, id: number) =>
  asOwner(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), ${id}, false)`
    )
  )

export const seedPages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const app = yield* App
  for (const [table, column, id] of [
    ["organizations", "org_id", 3],
    ["apps", "app_id", 902],
    ["fields", "field_id", 4404],
    ["records", "record_id", 812],
    ["hooks", "hook_id", 17],
    ["automations", "automation_id", 66],
    ["secrets", "secret_id", 5]
  ] as const)
    yield* next(table, column, id)
  const { orgId, owner } = yield* seedOrganization()
  const clerk = yield* seedUser(orgId, "member", "Clerk")
  yield* sql`UPDATE people SET email = 'clerk@example.com' WHERE person_id = ${clerk.personId}`
  const createReply = yield* app.call("POST", "/v1/workspace", {
    token: owner.key,
    body: { name: "Main", type: "closed" }
  })
  const fields = [field("single_text", "Reference"), field("number", "Weight")]
  yield* createApp(owner, createReply.json.workspace_id, fields)
  const call = (method: string, path: string, body?: object) =>
    Effect.flatMap(app.call(method, path, { token: owner.key, ...(body === undefined ? {} : { body }) }), (reply) =>
      reply.status < 300 ? Effect.succeed(reply.json) : Effect.die(new Error(`${method} ${path}: ${reply.text}`))
    )
  yield* call("POST", "/v1/record/app/902", { fields: { reference: "DLV-0001", weight: 412 } })
  return { owner, call }
})
export type Seeded = Effect.Success<typeof seedPages>

/** Requests for runs are answered before there is one. */
const runs = (...ids: ReadonlyArray<number>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: number; over: boolean }>`
    SELECT run_id::int AS id, completed_on IS NOT NULL AS over FROM runs WHERE ${ids.length === 0} OR ${sql.in("run_id", [0, ...ids])}`
  )

/** Somebody lets a client read records: the code that it is sent. */
export const consentOf =
  (person: Person) =>
  (clientId = "", code_challenge = "", redirect_uri = "") =>
    Effect.map(approve(person, clientId, { code_challenge, redirect_uri, scope: "records:read" }), ({ code }) => code)

/** By the word that a line before asks for them with; what is answered stands on its output. */
export const actsOf = ({ call, owner }: Seeded, address: Receiver, told = 0) => ({
  code: () =>
    Effect.map(
      eventually(
        "a code that nobody has asked for",
        Effect.sync(() => address.received.filter(({ body }) => body.includes("hook.verify"))),
        (all) => all.length > told
      ),
      (all): string => JSON.parse(all[told++]!.body).code
    ),
  consent: consentOf(owner),
  link: () =>
    Effect.gen(function* () {
      const app = yield* App
      const form = new FormData()
      form.append("file", new Blob(["x".repeat(3000)]), "paper.pdf")
      const headers = { authorization: `Bearer ${owner.key}` }
      const upload = new Request(`${ORIGIN}/v1/file/upload`, { method: "POST", headers, body: form })
      const response = yield* app.fetch(upload)
      const answer = yield* Effect.promise(() => response.json() as Promise<{ readonly link: string }>)
      return answer.link
    }),
  /** An earlier definition with a step called `rate`. */
  rate: () =>
    Effect.gen(function* () {
      yield* next("automation_revisions", "revision_id", 301)
      const config = { http_call_type: "get", http_call_url: ["https://rates.example.com"] }
      yield* call("PUT", "/v1/automation/66", { actions: [{ id: "rate", type: "http_call", config }] })
    }),
  simulations: () =>
    Effect.gen(function* () {
      yield* eventually("the simulation", runs(), (all) => all.length > 0)
      yield* next("runs", "run_id", 9001)
      for (const _ of [9001, 9002]) yield* call("POST", "/v1/automation/66/simulate", { record_id: 812 })
      yield* eventually("two simulations", runs(9001, 9002), (all) => all.filter(({ over }) => over).length === 2)
    }),
  delivery: () =>
    Effect.gen(function* () {
      yield* next("outbox", "event_id", 123)
      yield* call("PUT", "/v1/record/812", { fields: { weight: 413 } })
      yield* eventually("the delivery", call("GET", "/v1/hook/17/delivery"), ({ deliveries }) => deliveries.length > 0)
    }),
  job: () => next("jobs", "job_id", 7),
  run: () =>
    Effect.gen(function* () {
      yield* next("runs", "run_id", 4711)
      yield* call("POST", "/v1/automation/66/manual-run", { record_id: 812 })
      yield* eventually("a run that fails", runs(4711), ([run]) => run?.over === true)
    })
})

export type Acts = Readonly<
  Record<string, (...given: ReadonlyArray<string>) => Effect.Effect<unknown, unknown, App | SqlClient.SqlClient>>
>

/** Answers what is asked for between the lines, `GET /word/argument/...`; its address. */
export const prompter = Effect.fnUntraced(function* (acts: Acts) {
  const context = yield* Effect.context<App | SqlClient.SqlClient>()
  const server = createServer((request, response) => {
    const [word, ...given] = (request.url ?? "").slice(1).split("/").map(decodeURIComponent)
    Effect.runPromiseWith(context)(acts[word!]!(...given)).then(
      (said) => response.end(said === undefined ? "" : String(said)),
      (error) => response.writeHead(500).end(String(error))
    )
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close())
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
