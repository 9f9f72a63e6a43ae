// Attacks on the loop by text and by receivers (decisions P8; issue "safe among strangers" 2.3, 2.4, 5.5), against the whole service:
// what strangers write is handled in linear time or apart, and who answers without end takes no turn of the loop for long.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { order, runSteps, seedWorld } from "../domain/automations/actions/support.ts"
import { runsOver } from "../domain/automations/runSupport.ts"
import { seedApp } from "../domain/automations/support.ts"
import { App } from "../support/app.ts"
import { hostilePaths, hostileReceiver } from "../support/hostileReceiver.ts"
import { receiver as startReceiver } from "../support/receiver.ts"
import { spineLayer } from "../support/spine.ts"
import { duringTurns } from "../support/turns.ts"

class Strangers extends Context.Service<
  Strangers,
  {
    readonly hostile: Effect.Success<typeof hostileReceiver>
    readonly fine: Effect.Success<ReturnType<typeof startReceiver>>
    readonly other: Effect.Success<ReturnType<typeof startReceiver>>
  }
>()("test/Strangers") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const [hostile, fine, other] = [yield* hostileReceiver, yield* startReceiver(), yield* startReceiver()]
    const OUTBOUND_ALLOW = [hostile, fine, other].map(({ hostPort }) => hostPort).join(",")
    return spineLayer({ OUTBOUND_ALLOW }).pipe(Layer.merge(Layer.succeed(Strangers, { hostile, fine, other })))
  })
)

/** Milliseconds of CPU in one turn: each of these inputs held the loop for seconds. */
const HELD_AT_MOST = 400

const script = (code: string) => ({
  type: "custom_code",
  config: { code: [code], custom_variable_defs: [{ custom_type: "any", label: "out" }] }
})

layer(world, { excludeTestServices: true })("text and receivers from outside (P8)", (it) => {
  const mailing = Effect.gen(function* () {
    const app = yield* App
    const { appId, token } = yield* seedApp()
    const payload = { kind: "variable", source: "trigger", trigger_type: "webhook_payload_property", data_type: "text" }
    const part = (name: string) => [{ ...payload, key_path: [name] }]
    const mail = { to_address: part("to"), subject: part("subject"), message_body: part("body") }
    const createReply = yield* app.call("POST", `/v1/automation/app/${appId}`, {
      token,
      body: { name: "In", trigger: { type: "webhook_received" }, actions: [{ type: "send_email", config: mail }] }
    })
    assert.strictEqual(createReply.status, 201, createReply.text)
    const id = createReply.json.automation.id as number
    yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
    return { id, path: new URL(createReply.json.automation.trigger.config.webhook_url).pathname }
  })

  it.effect("attack: an anonymous webhook whose text becomes recipients, subject and body of a mail", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path } = yield* mailing
      const post = (body: object) => app.call("POST", path, { body })
      yield* post({ to: "first@example.com", subject: "Warm", body: "<p>up</p>" })
      yield* runsOver(id, 1)
      const long = (text: string) => text.repeat(Math.ceil(60_000 / text.length))
      const hostile = [
        { to: long("<"), subject: "a", body: "b" },
        { to: `${long('"\\"')}, second@example.com`, subject: "a", body: long("<br") },
        { to: `third@example.com, ${long("<")}`, subject: long("é "), body: `<p>Hello</p>${long("<b>x")}` },
        { to: `${long("a@b.c,")}, fourth@example.com`, subject: long("\t"), body: long("</p") },
        { to: "fifth@example.com", subject: "a", body: "<div>".repeat(150_000) }
      ]
      const [, { longest }] = yield* duringTurns(
        Effect.andThen(
          Effect.forEach(hostile, (body) =>
            Effect.map(post(body), ({ status, text }) => assert.strictEqual(status, 202, text))
          ),
          runsOver(id, 1 + hostile.length)
        )
      )
      assert.isBelow(longest, HELD_AT_MOST)
      const mails = yield* sql<{ recipients: ReadonlyArray<string>; raw: Uint8Array | null }>`
        SELECT m.recipients, m.raw FROM mails m JOIN automations a USING (org_id) WHERE a.automation_id = ${id} AND counted`
      const recipients = mails.flatMap((mail) => mail.recipients)
      assert.includeMembers(recipients, ["first@example.com", "third@example.com", "fifth@example.com"])
      const third = mails.find((mail) => mail.recipients.includes("third@example.com"))!
      assert.include(Buffer.from(third.raw!).toString("latin1"), "Hello")
    })
  )

  it.effect("attack: markup of a record that nests as deeply as it may be long is cleaned apart", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp([
        { field_type: "single_text", config: { label: "Name" } },
        { field_type: "multi_text", config: { label: "Note" } }
      ])
      const write = (note: string) =>
        app.call("POST", `/v1/record/app/${appId}`, { token, body: { fields: { name: "n", note } } })
      yield* write("<p>warm</p>")
      const nested = ["<b>x", "<b>e\u0301", "<li><ul>", "<li><ul>e\u0301", "<svg><title>", "<table><tr><td>", "<"]
      const [answers, { longest }] = yield* duringTurns(
        Effect.forEach(
          nested,
          (text) => write(`<p>Hello<script>alert(1)</script></p>${text.repeat(Math.floor(149_000 / text.length))}`),
          { concurrency: "unbounded" }
        )
      )
      assert.isBelow(longest, HELD_AT_MOST)
      for (const { json, status, text } of answers) {
        assert.strictEqual(status, 200, text.slice(0, 300))
        const note = json.fields.find((field: { type: string; values: ReadonlyArray<{ value: string }> }) =>
          field.values[0]?.value.startsWith("<p>")
        ).values[0].value as string
        assert.isTrue(note.startsWith("<p>Hello</p>"), note.slice(0, 100))
        assert.notInclude(note, "script")
      }
    })
  )

  it.effect("attack: what a script logs to make its redaction long is cut first, and secrets stay hidden (7.11)", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w, { name: "a" })
      const [run, { longest }] = yield* duringTurns(
        runSteps(w, id, [
          script(`for (const text of ["a+", "&a=", "://", "http://a:b@", "Bearer "]) console.log(text.repeat(2500))
            console.log("see https://me:hidden-word@example.com/?token=hidden-word")
            return { text: "a+".repeat(200000), "api_key": "hidden-word", many: Array.from({ length: 50000 }, (_, i) => i) }`)
        ])
      )
      assert.isBelow(longest, HELD_AT_MOST)
      assert.strictEqual(run.status, "completed", JSON.stringify(run.logs).slice(0, 500))
      const logs = JSON.stringify(run.logs)
      assert.include(logs, "https://•••@example.com/?token=•••")
      assert.notInclude(logs, "hidden-word")
    })
  )

  it.effect("attack: thirty receivers without end, called by a script, beside one that answers", () =>
    Effect.gen(function* () {
      const { fine, hostile } = yield* Strangers
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w, { name: "a" })
      const paths = hostilePaths.filter((path) => path !== "/drip")
      const urls = Array.from({ length: 30 }, (_, i) => `${hostile.origin}${paths[i % paths.length]}?${i}`)
      fine.on("/ok", (_, response) => void response.writeHead(200).end("fine"))
      const calls = `const calls = ${JSON.stringify(urls)}.map((url) => http.get(url).then(() => "answered", (e) => e.message))
        const fine = await http.get("${fine.origin}/ok")
        return { fine: fine.data, hostile: await Promise.all(calls) }`
      const [run, { longest }] = yield* duringTurns(runSteps(w, id, [script(calls)]))
      assert.isBelow(longest, HELD_AT_MOST)
      const out = run.variables["out"] as { readonly fine: string; readonly hostile: ReadonlyArray<string> }
      assert.strictEqual(out.fine, "fine", JSON.stringify(run.logs).slice(0, 500))
      assert.lengthOf(out.hostile, 30)
      for (const message of out.hostile) assert.match(message, /^(?:too_large|protocol_error): /)
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: w.token })).status, 200)
    })
  )

  it.effect("attack: a script sets no Host, and what it sends to one origin does not follow a redirect (5.5)", () =>
    Effect.gen(function* () {
      const { fine, other } = yield* Strangers
      const w = yield* seedWorld
      const id = yield* order(w, { name: "a" })
      fine.on("/away", (_, response) => void response.writeHead(302, { location: `${other.origin}/taken` }).end())
      const run = yield* runSteps(w, id, [
        script(`const told = []
          for (const name of ["Host", "host", "Transfer-Encoding", "Content-Length", "Proxy-Authorization", "Expect"])
            await http.get("${fine.origin}/own", { headers: { [name]: "internal.example" } }).catch((e) => told.push(e.message))
          const headers = { "X-Api-Key": "k", "X-Vault-Token": "v", Authorization: "Bearer b", Accept: "text/plain" }
          await http.get("${fine.origin}/away", { headers })
          return told`)
      ])
      const messages = run.variables["out"] as ReadonlyArray<string>
      assert.lengthOf(messages, 6, JSON.stringify(run.logs).slice(0, 500))
      assert.include(messages[0], "The header Host cannot be set.")
      assert.lengthOf(fine.of("/own"), 0)
      assert.strictEqual(fine.of("/away")[0]!.headers["x-api-key"], "k")
      const [taken] = other.of("/taken")
      assert.strictEqual(taken!.headers["accept"], "text/plain")
      for (const name of ["x-api-key", "x-vault-token", "authorization"]) assert.notProperty(taken!.headers, name)
    })
  )
})
