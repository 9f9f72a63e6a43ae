// One organization's load and files beside another's, on the whole service (decisions A22, A23; developer-api.md 6, 7.9).
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations } from "../../src/domain/accounts/Organizations.ts"
import { Files } from "../../src/domain/records/files/Files.ts"
import { Storage } from "../../src/domain/records/files/Storage.ts"
import { AuthenticationProviders } from "../../src/platform/mail/AuthenticationProviders.ts"
import { Mail } from "../../src/platform/mail/Mail.ts"
import { automate, createRecord, runsOver } from "../domain/automations/runSupport.ts"
import { seedApp } from "../domain/automations/support.ts"
import { startSmtp } from "../platform/mail/smtp.ts"
import { App } from "../support/app.ts"
import { answers, type Receiver, receiver as startReceiver } from "../support/receiver.ts"
import { eventually, spineLayer } from "../support/spine.ts"

const BASE = "http://127.0.0.1:8080"
const MEGABYTE = 1_000_000

const storedBytes = (orgId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ counted: number; files: number; bytes: number }>`
        SELECT coalesce((SELECT bytes FROM organization_storage WHERE org_id = ${orgId}), 0)::int AS counted,
          count(*)::int AS files, coalesce(sum(size), 0)::int AS bytes FROM files WHERE org_id = ${orgId}`,
      ([row]) => row!
    )
  )

const formOf = (bytes: number, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (bytes > 0) form.append("file", new File([new Uint8Array(bytes).fill(7)], "a.bin"))
  return form
}

const send = Effect.fnUntraced(function* (path: string, init: RequestInit, token?: string) {
  const app = yield* App
  const headers = { ...(init.headers as object), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const response = yield* app.fetch(new Request(`${BASE}${path}`, { method: "POST", ...init, headers }))
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) }
})
const upload = (token: string, bytes: number) => send("/v1/file/upload", { body: formOf(bytes) }, token)

/** A multipart body without an end; says how many bytes of it somebody asked for. */
const endless = (headers: Record<string, string> = {}) => {
  const pulled = { bytes: 0 }
  let head = true
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const part = head
          ? '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
          : "7".repeat(65_536)
        head = false
        pulled.bytes += part.length
        controller.enqueue(new TextEncoder().encode(part))
      }
    },
    { highWaterMark: 0 }
  )
  const init = { body, duplex: "half", headers: { "content-type": "multipart/form-data; boundary=x", ...headers } }
  return { asked: pulled, init: init as RequestInit }
}

const inbound = Effect.fnUntraced(function* () {
  const app = yield* App
  const world = yield* seedApp()
  const actions = [{ type: "exit", config: { exit_type: "success" } }]
  const body = { name: "Inbound", trigger: { type: "webhook_received", config: {} }, actions }
  const { automation } = (yield* app.call("POST", `/v1/automation/app/${world.appId}`, { token: world.token, body }))
    .json
  const url = automation.trigger.config.webhook_url as string
  const change = (what: string) => app.call("POST", `/v1/automation/${automation.id}/${what}`, { token: world.token })
  return { ...world, id: automation.id as number, path: url.slice(BASE.length), change }
})

layer(spineLayer({ STORAGE_QUOTA_MEGABYTES: "1" }), { excludeTestServices: true })("A23: storage", (it) => {
  it.effect("the address of an automation that is not active answers, reads no body and stores nothing", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { change, id, orgId, path, token } = yield* inbound()
      const nothing = Effect.gen(function* () {
        const endlessBody = endless()
        const replies = [
          yield* send(path, { body: formOf(1_000, { note: "kept" }) }),
          yield* send(path, { body: '{"n":1}', headers: { "content-type": "application/json" } }),
          yield* send(path, endlessBody.init)
        ]
        assert.deepStrictEqual(
          replies.map(({ status }) => status),
          [202, 202, 202]
        )
        assert.strictEqual(replies[2]!.headers.get("connection"), "close")
        assert.strictEqual(endlessBody.asked.bytes, 0)
        assert.deepStrictEqual(yield* storedBytes(orgId), { counted: 0, files: 0, bytes: 0 })
        const kept = yield* sql`
          SELECT 1 FROM webhook_catches WHERE automation_id = ${id} AND (payload IS NOT NULL OR received_on IS NOT NULL)
          UNION ALL SELECT 1 FROM file_chunks UNION ALL SELECT 1 FROM file_holds
          UNION ALL SELECT 1 FROM runs WHERE automation_id = ${id}`
        assert.strictEqual(kept.length, 0)
      })
      yield* nothing
      yield* change("activate")
      yield* change("pause")
      yield* nothing
      yield* change("activate")
      yield* sql`UPDATE automations SET broken = true WHERE automation_id = ${id}`
      yield* nothing
      yield* sql`UPDATE automations SET broken = false WHERE automation_id = ${id}`
      assert.strictEqual((yield* send(path, { body: formOf(1_000) })).status, 202)
      yield* runsOver(id)
      assert.deepStrictEqual(yield* storedBytes(orgId), { counted: 1_000, files: 1, bytes: 1_000 })
      yield* app.call("DELETE", `/v1/automation/${id}`, { token })
      const endlessBody = endless()
      assert.strictEqual((yield* send(path, endlessBody.init)).status, 404)
      assert.strictEqual(endlessBody.asked.bytes, 0)
    })
  )

  it.effect("uploads count against the organization's quota, at once too; what is pruned is given back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const { orgId, token } = yield* seedApp()
      const other = yield* seedApp()
      const replies = yield* Effect.forEach(Array.from({ length: 16 }), () => upload(token, 150_000), {
        concurrency: "unbounded"
      })
      assert.strictEqual(replies.filter(({ status }) => status === 200).length, 6)
      const refusals = replies.filter(({ status }) => status !== 200)
      for (const { json, status } of refusals) {
        assert.deepStrictEqual([status, json.error_code], [409, "conflict_error"])
        assert.include(json.error_message, "1 MB in all (storage quota)")
      }
      assert.deepStrictEqual(yield* storedBytes(orgId), { counted: 900_000, files: 6, bytes: 900_000 })
      const [chunks] = yield* sql<{ bytes: number }>`SELECT sum(length(bytes))::int AS bytes FROM file_chunks
        WHERE storage_key IN (SELECT storage_key FROM files WHERE org_id = ${orgId})`
      assert.strictEqual(chunks!.bytes, 900_000)
      assert.strictEqual((yield* upload(other.token, 900_000)).status, 200)
      yield* sql`UPDATE files SET created_on = now() - interval '25 hours' WHERE org_id = ${orgId}`
      yield* files.prune(4)
      assert.deepStrictEqual(yield* storedBytes(orgId), { counted: 300_000, files: 2, bytes: 300_000 })
      assert.strictEqual((yield* upload(token, 700_000)).status, 200)
      assert.strictEqual((yield* upload(token, 1)).status, 409)
    })
  )

  it.effect("an upload that says it is longer than what is left is refused unread, any other is read no further", () =>
    Effect.gen(function* () {
      const { orgId, token } = yield* seedApp()
      yield* upload(token, 900_000)
      const announcedBody = endless({ "content-length": "500000" })
      const reply = yield* send("/v1/file/upload", announcedBody.init, token)
      assert.deepStrictEqual(
        [reply.status, reply.json.error_code, announcedBody.asked.bytes],
        [409, "conflict_error", 0]
      )
      const untold = endless()
      const lateReply = yield* send("/v1/file/upload", untold.init, token)
      assert.strictEqual(lateReply.status, 400)
      assert.include(lateReply.json.error_message, "storage quota")
      assert.isBelow(untold.asked.bytes, 600_000)
      assert.deepStrictEqual((yield* storedBytes(orgId)).counted, 900_000)
    })
  )

  it.effect("files received beyond the quota are refused with the reason, forms without files go on", () =>
    Effect.gen(function* () {
      const { change, id, orgId, path, token } = yield* inbound()
      yield* change("activate")
      yield* upload(token, 950_000)
      const refusal = yield* send(path, { body: formOf(60_000) })
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [409, "conflict_error"])
      assert.include(refusal.json.error_message, "storage quota")
      const announcedBody = endless({ "content-length": "3000000" })
      assert.strictEqual((yield* send(path, announcedBody.init)).status, 409)
      assert.strictEqual(announcedBody.asked.bytes, 0)
      assert.strictEqual((yield* send(path, { body: formOf(0, { note: "n".repeat(80_000) }) })).status, 202)
      assert.strictEqual((yield* runsOver(id)).length, 1)
      assert.deepStrictEqual(yield* storedBytes(orgId), { counted: 950_000, files: 1, bytes: 950_000 })
    })
  )

  it.effect("an organization's own quota wins, is set by the operator, and is shown with what is used", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const storage = yield* Storage
      const { orgId, token } = yield* seedApp()
      const ownUsage = Effect.map(storage.usage, (all) => all.find((row) => row.org_id === orgId)!)
      yield* organizations.setLimit(orgId, "storage_megabytes", 3)
      assert.strictEqual((yield* upload(token, 2 * MEGABYTE)).status, 200)
      assert.deepInclude(yield* ownUsage, { used_bytes: 2 * MEGABYTE, quota_megabytes: 3 })
      yield* organizations.setLimit(orgId, "storage_megabytes", 0)
      assert.strictEqual((yield* upload(token, 1)).status, 409)
      yield* organizations.setLimit(orgId, "storage_megabytes", null)
      assert.deepInclude(yield* ownUsage, { used_bytes: 2 * MEGABYTE, quota_megabytes: 1 })
    })
  )
})

/** The installation's mail server: it takes mails to `slow@…` and never says so. */
const slowSmtp = Effect.gen(function* () {
  const heldMails = { count: 0 }
  const smtp = yield* startSmtp({
    onData: (stream, session, done) => {
      const slow = session.envelope.rcptTo.some(({ address }) => address.startsWith("slow@"))
      if (slow) heldMails.count++
      stream.on("data", () => {})
      if (!slow) stream.on("end", () => done())
    }
  })
  return { ...smtp, held: heldMails }
})

class Outside extends Context.Service<Outside, Receiver & { readonly smtp: Effect.Success<typeof slowSmtp> }>()(
  "test/attacks/Outside"
) {}

const METRICS_TOKEN = "a-token-of-the-operator"

/** More runs of one organization at once than a process has places for outside steps. */
const crowd = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const smtp = yield* slowSmtp
    return spineLayer({
      OUTBOUND_ALLOW: receiver.hostPort,
      SMTP_URL: smtp.url,
      METRICS_TOKEN,
      RUNS_CONCURRENT: "1000",
      OUTSIDE_STEPS_CONCURRENT: "20"
    }).pipe(Layer.merge(Layer.succeed(Outside, { ...receiver, smtp })))
  })
)

/** More than the places for outside steps. */
const CROWD = 60

/** Places by kind, as /metrics has them. */
const shownSlots = (kind: string) =>
  Effect.gen(function* () {
    const app = yield* App
    const { text } = yield* app.call("GET", "/metrics", { token: METRICS_TOKEN })
    const gaugeOf = (name: string) =>
      Number(new RegExp(`^${name}\\{kind="${kind}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0)
    return { taken: gaugeOf("millrace_places_taken"), waiting: gaugeOf("millrace_places_waiting") }
  })

layer(crowd, { excludeTestServices: true })("A22: shares", (it) => {
  const calling = Effect.fnUntraced(function* (url: string, more: object = {}) {
    const world = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
    const config = { http_call_type: "get", http_call_url: [url], ...more }
    const id = yield* automate(world.token, world.appId, {
      trigger: { type: "record_created", config: {} },
      actions: [{ type: "http_call", config }]
    })
    return { ...world, id, fire: createRecord(world.token, world.appId, { title: "x" }) }
  })

  it.effect("a step that makes a file beyond the storage quota fails and says why (A23)", () =>
    Effect.gen(function* () {
      const receiver = yield* Outside
      const organizations = yield* Organizations
      receiver.on("/file", answers.status(200, {}, "content"))
      const single = { custom_type: "single_file", label: "file" }
      const world = yield* calling(`${receiver.origin}/file`, { custom_variable_defs: [single] })
      yield* organizations.setLimit(world.orgId, "storage_megabytes", 0)
      yield* world.fire
      const [run] = yield* runsOver(world.id)
      assert.strictEqual(run!.status, "failed")
      assert.include(run!.error_message, "0 MB in all (storage quota)")
      assert.deepStrictEqual(yield* storedBytes(world.orgId), { counted: 0, files: 0, bytes: 0 })
    })
  )

  it.effect("a mail goes out beside another organization's that the installation's server holds up, in numbers", () =>
    Effect.gen(function* () {
      const { smtp } = yield* Outside
      const mail = yield* Mail
      const { orgId: one } = yield* seedApp()
      const { orgId: other } = yield* seedApp()
      const send = (orgId: number | null, to: string) =>
        mail.send({ orgId, to, subject: "Fair", text: "x", messageId: `fair-${to}-${Math.random()}` })
      const slow = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.forkChild(send(one, "slow@example.com"))
      )
      yield* eventually(
        "those that wait",
        shownSlots("mail"),
        ({ taken, waiting }) => taken === 3 && waiting === 9 && smtp.held.count === 3
      )
      assert.strictEqual((yield* send(other, "quick@example.com")).status, "sent")
      assert.strictEqual((yield* send(null, "quick@example.com")).status, "sent")
      assert.strictEqual(smtp.held.count, 3)
      yield* Fiber.interruptAll(slow)
      // A mail of the installation's own, about the run that failed before, may be on its way.
      yield* eventually("no place is held", shownSlots("mail"), ({ taken, waiting }) => taken === 0 && waiting === 0)
    })
  )

  it.effect("token servers that hang, in numbers, hold no connection of the database", () =>
    Effect.gen(function* () {
      const receiver = yield* Outside
      const providers = yield* AuthenticationProviders
      const sql = yield* SqlClient.SqlClient
      const { orgId } = yield* seedApp()
      receiver.on("/token", answers.hang)
      // More than the pool has connections.
      const createdProviders = yield* Effect.forEach(Array.from({ length: 16 }), (_, at) =>
        providers.create(orgId, {
          name: `Provider ${at}`,
          grant_type: "client_credentials",
          token_url: `${receiver.origin}/token`,
          client_id: "client",
          client_secret: Redacted.make("secret")
        })
      )
      const asking = yield* Effect.forEach(createdProviders, ({ authentication_provider_id: id }) =>
        Effect.forkChild(providers.authorizationHeader(orgId, id, "organization"))
      )
      yield* eventually(
        "all are asked",
        Effect.sync(() => receiver.of("/token").length),
        (n) => n === createdProviders.length
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
      assert.isTrue(
        asking.every((one) => one.pollUnsafe() === undefined),
        "and none waits for the end of another"
      )
      yield* Fiber.interruptAll(asking)
      const [row] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM authentication_providers WHERE org_id = ${orgId} AND renewing_until IS NOT NULL`
      assert.strictEqual(row!.n, 0, "the next one need not wait")
    })
  )

  it.effect("an outside step begins at once beside another organization's that hang and wait in numbers", () =>
    Effect.gen(function* () {
      const receiver = yield* Outside
      receiver.on("/hang", answers.hang)
      const slow = yield* calling(`${receiver.origin}/hang`)
      const quick = yield* calling(`${receiver.origin}/quick`)
      yield* quick.fire
      yield* runsOver(quick.id)
      yield* Effect.forEach(Array.from({ length: CROWD }), () => slow.fire, { concurrency: 16, discard: true })
      yield* eventually("some that wait", shownSlots("outside"), ({ waiting }) => waiting >= CROWD - 50)
      yield* quick.fire
      yield* eventually(
        "the second call",
        Effect.sync(() => receiver.of("/quick").length),
        (n) => n >= 2
      )
      assert.isBelow(receiver.of("/hang").length, CROWD, "not behind all that had come before")
    })
  )
})
