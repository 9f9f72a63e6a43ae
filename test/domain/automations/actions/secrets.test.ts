// developer-api.md 7.13; decisions A20, O9: what a step sends holds the secrets that it names; its log, what it leaves and what anybody
// reads do not, whatever an answer echoes.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { startSmtp } from "../../../platform/mail/smtp.ts"
import { App, seedToken, seedUser } from "../../../support/app.ts"
import { type Received, receiver as startReceiver } from "../../../support/receiver.ts"
import { spineLayer } from "../../../support/spine.ts"
import { endDelays, runsOver, waiting } from "../runSupport.ts"
import { assignTo, completed, custom, order, ref, runSteps, seedWorld, shown, update, type World } from "./support.ts"

class Outside extends Context.Service<
  Outside,
  {
    readonly receiver: Effect.Success<ReturnType<typeof startReceiver>>
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>>
  }
>()("test/SecretsOutside") {}

const parts = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const smtp = yield* startSmtp()
    // Says everything back, in every form that one meets.
    receiver.on("/", (request, response) => {
      const requestText = [request.path, decodeURIComponent(request.path), request.headers["x-key"], request.body].join(
        " "
      )
      response.writeHead(200, {
        "content-type": "application/json",
        "x-said": encodeURI(String(request.headers["x-key"]))
      })
      response.end(
        JSON.stringify({
          said: requestText,
          [requestText]: 1,
          base64: Buffer.from(`user:${requestText}`).toString("base64")
        })
      )
    })
    return spineLayer({
      OUTBOUND_ALLOW: receiver.hostPort,
      SMTP_URL: smtp.url,
      MAIL_FROM: "Millrace <service@example.com>"
    }).pipe(Layer.merge(Layer.succeed(Outside, { receiver, smtp })))
  })
)

const secret = (name: string) => ({ kind: "variable", source: "secret", name })
const any = (label: string) => ({ custom_type: "any", label })
const VALUE = `s3cr+t/va=l"7xq3zkwv`

const write = Effect.fnUntraced(function* (
  { token }: Pick<World, "token">,
  place: string,
  name: string,
  value: string = VALUE
) {
  const { call } = yield* App
  const creation = yield* call("POST", `/v1/secret/${place}`, {
    token,
    body: { name, value, ...(place === "org" && { allowed: "all" }) }
  })
  assert.strictEqual(creation.status, 200, creation.text)
  return creation.json.secret_id as number
})

const setting = Effect.gen(function* () {
  const outside = yield* Outside
  const world = yield* seedWorld
  const recordId = yield* order(world, { name: 'A "bolt"' })
  yield* write(world, `app/${world.appId}`, "key")
  return { ...outside, world, recordId }
})

const request = (origin: string, more: object = {}) => ({
  type: "http_call",
  config: {
    http_call_type: "post",
    http_call_url: [`${origin}/`],
    http_call_headers: [{ key: "X-Key", value: [secret("key")] }],
    http_call_body: [],
    custom_variable_defs: [any("answer")],
    ...more
  }
})
const code = (source: ReadonlyArray<unknown>, label = "result", more: object = {}) => ({
  type: "custom_code",
  ...more,
  config: { code: source, custom_variable_defs: [any(label)] }
})

/** Everything that the database holds of an organization's runs, records and mails, and what the API says of a run. */
const storedTraces = Effect.fnUntraced(function* ({ orgId, token }: Pick<World, "orgId" | "token">, runId: string) {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const [row] = yield* sql<{ all: string }>`
    WITH own AS (SELECT run_id FROM runs WHERE org_id = ${orgId}), here AS (SELECT record_id FROM records WHERE org_id = ${orgId})
    SELECT concat_ws(' ',
      (SELECT jsonb_agg(to_jsonb(t)) FROM runs t WHERE org_id = ${orgId}),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_logs t JOIN own USING (run_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_ledger t JOIN own USING (run_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_variables t JOIN own USING (run_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_outputs t JOIN own USING (run_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_triggers t JOIN own USING (run_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM mails t WHERE org_id = ${orgId}),
      (SELECT jsonb_agg(to_jsonb(t)) FROM revisions t JOIN here USING (record_id)),
      (SELECT jsonb_agg(to_jsonb(t)) FROM records t WHERE org_id = ${orgId})) AS all`
  const read = yield* call("GET", `/v1/automation-run/${runId}`, { token })
  assert.strictEqual(read.status, 200, read.text)
  return row!.all + read.text
})

/** As it is, and as texts of JSON, addresses and base64 hold it; a part of it that no escaping changes stands for all others. */
const nowhere = (text: string, value = VALUE) => {
  const basic = ["user:", "us:", "u:"].map((user) =>
    Buffer.from(user + value)
      .toString("base64")
      .slice(8, 20)
  )
  const json = JSON.stringify(value).slice(1, -1)
  for (const form of [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), "7xq3zkwv", ...basic])
    assert.notInclude(text, form)
}

const lastRequest = ({ receiver }: Pick<Outside["Service"], "receiver">): Received => receiver.received.at(-1)!

layer(parts, { excludeTestServices: true })("named secrets in runs", (it) => {
  describe("go out with what a step sends, and stay nowhere (7.13)", () => {
    it.effect("in address, header and body of a request, each escaped for its place; a JSON body stays JSON", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        const name = ref(world, "name")
        const run = yield* runSteps(world, recordId, [
          request(receiver.origin, {
            http_call_url: [`${receiver.origin}/?key=`, secret("key"), "&name=", name],
            http_call_body: [`{"password":"`, secret("key"), `","name":"`, name, `"}`]
          })
        ])
        completed(run)
        const got = lastRequest({ receiver })
        assert.strictEqual(new URL(got.path, receiver.origin).searchParams.get("key"), VALUE)
        assert.strictEqual(got.headers["x-key"], VALUE)
        assert.deepStrictEqual(JSON.parse(got.body), { password: VALUE, name: 'A "bolt"' })
        nowhere(yield* storedTraces(world, run.run_id))
      })
    )

    it.effect("a reference that an address begins with is the address itself, those behind it are encoded", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        const address = `${receiver.origin}/services/T0/B0`
        yield* write(world, `app/${world.appId}`, "address", address)
        for (const [http_call_url, path] of [
          [[secret("address")], "/services/T0/B0"],
          [[secret("address"), "/", ref(world, "name")], "/services/T0/B0/A%20%22bolt%22"]
        ] as const) {
          const run = yield* runSteps(world, recordId, [request(receiver.origin, { http_call_url })])
          completed(run)
          assert.strictEqual(lastRequest({ receiver }).path, path)
          assert.notInclude(yield* storedTraces(world, run.run_id), "/services/T0/B0")
        }
      })
    )

    it.effect("what an answer echoes is a mark in the log, in variables and files, and in what later steps write", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        receiver.on("/file", ({ headers }, response) => response.writeHead(200).end(`key: ${headers["x-key"]}`))
        const run = yield* runSteps(world, recordId, [
          request(receiver.origin, {
            http_call_body: ["key=", secret("key")]
          }),
          update(assignTo(ref(world, "notes"), [custom("answer")]), {
            ...assignTo(ref(world, "name"), []),
            assignment_type: "set_code",
            code: [custom("answer"), ".data.said"]
          }),
          request(receiver.origin, {
            http_call_url: [`${receiver.origin}/file`],
            custom_variable_defs: [{ custom_type: "single_file", label: "file" }]
          }),
          update(assignTo(ref(world, "paper"), [custom("file", "single_file")]))
        ])
        completed(run)
        assert.include(lastRequest({ receiver }).headers["x-key"], VALUE)
        const { values } = yield* shown(world.token, recordId)
        assert.include(JSON.stringify(values["name"]), "/ / ••• key=•••")
        assert.include(JSON.stringify(run.variables["answer"]), "•••")
        nowhere(yield* storedTraces(world, run.run_id))
        const { fetch } = yield* App
        const link = new URL(values["paper"][0].value.download_url)
        const answer = yield* fetch(new Request(`http://127.0.0.1:8080${link.pathname}${link.search}`))
        assert.strictEqual(yield* Effect.promise(() => answer.text()), "key: •••")
      })
    )

    it.effect(
      "in scripts of custom_code by secret(name) and by reference; what they log, return, throw and set holds a mark",
      () =>
        Effect.gen(function* () {
          const { receiver, recordId, world } = yield* setting
          const run = yield* runSteps(world, recordId, [
            code([
              `const basic = "Basic " + btoa("user:" + secret("key"))
             console.log("logged", secret('key'), basic)
             const { data } = await http.post("${receiver.origin}/", { key: `,
              secret("key"),
              ` }, { headers: { authorization: basic, "x-key": secret("key") } })
             var_other = [secret("key").length]
             return { data, own: secret("key") }`
            ]),
            code([`throw new Error("refused: " + secret("key"))`], "failed", { continue_on_error: true }),
            update(
              assignTo(ref(world, "name"), [{ kind: "variable", source: "global", global_type: "most_recent_error" }])
            )
          ])
          completed(run)
          const got = lastRequest({ receiver })
          assert.strictEqual(got.headers.authorization, `Basic ${Buffer.from(`user:${VALUE}`).toString("base64")}`)
          assert.deepStrictEqual(JSON.parse(got.body), { key: VALUE })
          assert.strictEqual(run.variables["result"].own, "•••")
          assert.include(JSON.stringify(run.logs), "logged ••• Basic dXNlcjp•••")
          assert.include(JSON.stringify((yield* shown(world.token, recordId)).values["name"]), "refused: •••")
          nowhere(yield* storedTraces(world, run.run_id))
        })
    )

    it.effect("a script cannot write one through the API, nor take one whose name does not stand in it", () =>
      Effect.gen(function* () {
        const { recordId, world } = yield* setting
        const attempts = [
          `await api.Record.update(${recordId}, { name: secret("key") })`,
          `await api.Comment.create(${recordId}, btoa("a:" + secret("key")))`,
          `const name = "k" + "ey"; secret(name)`,
          `secret("con" + "structor")`
        ]
        for (const [index, why] of [
          /cannot be written through the API/,
          /cannot be written through the API/,
          /secret takes the name itself/,
          /secret takes the name itself/
        ].entries()) {
          const run = yield* runSteps(world, recordId, [code([attempts[index]!])])
          assert.strictEqual(run.status, "failed")
          assert.match(run.error_message!, why)
        }
        const sync = yield* runSteps(world, recordId, [
          { type: "custom_variable", config: { assignment_code: [`secret("key")`], custom_variable_defs: [any("a")] } }
        ])
        assert.match(sync.error_message!, /secret is not defined: it is there in custom_code alone/)
        assert.strictEqual((yield* shown(world.token, recordId)).comment_count ?? 0, 0)
      })
    )

    it.effect("in subject and message of a mail, escaped there; the log and the service's own row hold a mark", () =>
      Effect.gen(function* () {
        const { recordId, smtp, world } = yield* setting
        yield* write(world, `app/${world.appId}`, "code", "<7xq3zkwv&code>")
        const run = yield* runSteps(world, recordId, [
          {
            type: "send_email",
            config: {
              to_address: ["a@example.com"],
              subject: ["Your code ", secret("code")],
              message_body: ["<p>Use ", secret("code"), "</p>"]
            }
          }
        ])
        completed(run)
        const [sent, ...more] = smtp.about("Your code <7xq3zkwv&code>")
        assert.lengthOf(more, 0)
        const { mail } = sent!
        assert.include(mail.html, "<p>Use &lt;7xq3zkwv&amp;code&gt;</p>")
        const traceText = yield* storedTraces(world, run.run_id)
        assert.include(traceText, "Your code •••")
        for (const form of ["7xq3zkwv", "&amp;code"]) assert.notInclude(traceText, form)
      })
    )

    it.effect("no workflow's history holds one; a step behind a wait hides what another echoes of it", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        const { call } = yield* App
        const temporal = yield* Temporal
        let heard = ""
        receiver.on("/late", (_, response) => response.writeHead(500, { "x-heard": encodeURI(heard) }).end(heard))
        const creation = yield* call("POST", `/v1/automation/app/${world.appId}`, {
          token: world.token,
          body: {
            name: "Late",
            trigger: { type: "record_created", config: {} },
            actions: [
              request(receiver.origin),
              { type: "delay", config: { delay_ms: 3_600_000 } },
              request(receiver.origin, { http_call_url: [`${receiver.origin}/late`], http_call_headers: [] })
            ]
          }
        })
        const id = creation.json.automation.id as number
        yield* call("POST", `/v1/automation/${id}/manual-run`, { token: world.token, body: { record_id: recordId } })
        yield* waiting(id)
        heard = `${lastRequest({ receiver }).headers["x-key"]}`
        yield* endDelays(id)
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.error_message, "The server answered 500.")
        assert.include(JSON.stringify(run!.logs), "•••")
        nowhere(yield* storedTraces(world, run!.run_id))
        const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
        const history = yield* temporal.call((client) => client.workflow.getHandle(workflowId).fetchHistory())
        const text = JSON.stringify(history, (_, part) =>
          part instanceof Uint8Array ? Buffer.from(part).toString() : part
        )
        assert.include(text, run!.run_id)
        nowhere(text)
      })
    )

    it.effect("a simulation says what it would send, without the secret", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        const requestsBefore = receiver.received.length
        const url = { http_call_url: [`${receiver.origin}/?a=`, secret("key")] }
        const run = yield* runSteps(world, recordId, [request(receiver.origin, url)], { simulate: true })
        assert.include(JSON.stringify(run.logs), "Simulation: POST")
        assert.strictEqual(receiver.received.length, requestsBefore)
        nowhere(yield* storedTraces(world, run.run_id))
      })
    )
  })

  describe("whose they are (7.13, A20)", () => {
    it.effect("an app's own comes before its workspace's, and that before the organization's", () =>
      Effect.gen(function* () {
        const { receiver } = yield* Outside
        const world = yield* seedWorld
        const recordId = yield* order(world)
        const sentKey = Effect.gen(function* () {
          completed(yield* runSteps(world, recordId, [request(receiver.origin)]))
          return lastRequest({ receiver }).headers["x-key"]
        })
        yield* write(world, "org", "key", "of the organization")
        assert.strictEqual(yield* sentKey, "of the organization")
        yield* write(world, `workspace/${world.workspaceId}`, "key", "of the workspace")
        assert.strictEqual(yield* sentKey, "of the workspace")
        const id = yield* write(world, `app/${world.appId}`, "key", "of the app")
        assert.strictEqual(yield* sentKey, "of the app")
        const { call } = yield* App
        yield* call("PUT", `/v1/secret/${id}`, { token: world.token, body: { value: "of the app, replaced" } })
        assert.strictEqual(yield* sentKey, "of the app, replaced")
      })
    )

    it.effect(
      "a credential without secrets:read, or for chosen content, gives its automations no more than it reaches",
      () =>
        Effect.gen(function* () {
          const { receiver, recordId, world } = yield* setting
          yield* write(world, `workspace/${world.workspaceId}`, "of_workspace")
          yield* write(world, "org", "of_organization")
          const scopes = ["automations:edit", "automations:run", "automations:read", "records:read"] as const
          const [plain, ofApp, ofWorkspace] = [
            yield* seedToken(world.owner.userId, scopes),
            yield* seedToken(world.owner.userId, [...scopes, "secrets:read"], { appIds: [world.appId] }),
            yield* seedToken(world.owner.userId, [...scopes, "secrets:read"], { workspaceIds: [world.workspaceId] })
          ]
          for (const [token, name, why] of [
            [plain, "key", /lacks the scope secrets:read/],
            [ofApp, "key", null],
            [ofApp, "of_workspace", /No secret "of_workspace" is within the reach/],
            [ofWorkspace, "of_workspace", null],
            [ofWorkspace, "of_organization", /No secret "of_organization" is within the reach/]
          ] as const) {
            const headers = { http_call_headers: [{ key: "X-Key", value: [secret(name)] }] }
            const requestsBefore = receiver.received.length
            const run = yield* runSteps({ ...world, token }, recordId, [request(receiver.origin, headers)])
            assert.strictEqual(run.status, why === null ? "completed" : "failed", `${run.error_message}`)
            if (why !== null) assert.match(run.error_message!, why)
            assert.strictEqual(receiver.received.length - requestsBefore, why === null ? 1 : 0)
          }
        })
    )

    it.effect("asked anew at every step: who is no workspace admin any more uses none from then on", () =>
      Effect.gen(function* () {
        const { receiver, recordId, world } = yield* setting
        const { call } = yield* App
        const admin = yield* seedUser(world.orgId, "member")
        const members = `/v1/workspace/${world.workspaceId}/member`
        const role = (role: string) =>
          call("POST", members, { token: world.token, body: { user_id: admin.userId, role } })
        yield* role("admin")
        const creation = yield* call("POST", `/v1/automation/app/${world.appId}`, {
          token: admin.key,
          body: {
            name: "Twice",
            trigger: { type: "record_created", config: {} },
            actions: [
              request(receiver.origin),
              { type: "delay", config: { delay_ms: 3_600_000 } },
              request(receiver.origin)
            ]
          }
        })
        const id = creation.json.automation.id as number
        yield* call("POST", `/v1/automation/${id}/manual-run`, { token: world.token, body: { record_id: recordId } })
        yield* waiting(id)
        const requestsBefore = receiver.received.length
        assert.strictEqual(lastRequest({ receiver }).headers["x-key"], VALUE)
        yield* role("member")
        yield* endDelays(id)
        const [run] = yield* runsOver(id)
        assert.match(run!.error_message!, /No secret "key" is within the reach of the automation's author/)
        assert.strictEqual(receiver.received.length, requestsBefore)
      })
    )
  })

  describe("in definitions (7.12, 7.13)", () => {
    it.effect("where it could be read back it is refused, with the place", () =>
      Effect.gen(function* () {
        const { world } = yield* setting
        const { call } = yield* App
        const equals = (value: object) => ({
          operator: "and",
          rows: [{ subject: ref(world, "name"), operator: "is", value }]
        })
        const named = { kind: "variable", source: "secret", name: "key" }
        for (const [body, path] of [
          [
            { actions: [update(assignTo(ref(world, "name"), [named]))] },
            /actions\[0\]\.config\.field_assignments\[0\]/
          ],
          [
            { actions: [{ type: "current_record_comment_create", config: { comment_content: [named] } }] },
            /actions\[0\]\.config\.comment_content\[0\]\.source: a secret may stand in/
          ],
          [
            {
              actions: [
                { type: "custom_variable", config: { assignment_code: [named], custom_variable_defs: [any("a")] } }
              ]
            },
            /actions\[0\]\.config\.assignment_code\[0\]\.source: a secret may stand in/
          ],
          [
            { actions: [{ type: "send_email", config: { to_address: [named], subject: ["a"] } }] },
            /actions\[0\]\.config\.to_address\[0\]\.source: a secret may stand in/
          ],
          [{ filter: equals({ type: "text", text: [named] }) }, /filter\.rows\[0\]\.value/],
          [
            { trigger: { type: "webhook_received", config: { response_mode: "sync", response_body: [named] } } },
            /trigger\.config\.response_body\[0\]\.source: a secret may stand in/
          ],
          [
            { actions: [request("https://example.com", { http_call_body: [{ ...named, name: "a b" }] })] },
            /http_call_body\[0\]\.name/
          ]
        ] as const) {
          const answer = yield* call("POST", `/v1/automation/app/${world.appId}`, {
            token: world.token,
            body: { name: "Refused", ...body }
          })
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "input_validation"], answer.text)
          assert.match(answer.json.error_message, path)
        }
      })
    )

    it.effect("one that is missing is a broken reason at its step, in a script too, until it is there", () =>
      Effect.gen(function* () {
        const { receiver, world } = yield* setting
        const { call } = yield* App
        const { token } = world
        const creation = yield* call("POST", `/v1/automation/app/${world.appId}`, {
          token,
          body: {
            name: "Missing",
            trigger: { type: "record_created", config: {} },
            actions: [
              { ...request(receiver.origin, { http_call_body: [secret("absent"), secret("key")] }), id: "n1" },
              { ...code([`return secret("absent") + secret("key")`]), id: "n2" }
            ]
          }
        })
        assert.strictEqual(creation.status, 201, creation.text)
        const id = creation.json.automation.id as number
        const message = 'There is no secret "absent" in the app, its workspace or the organization.'
        const reason = { code: "action_secret_missing", message }
        const errors = ["n1", "n2"].map((action_id) => ({ ...reason, block_id: action_id, action_id }))
        const checked = yield* call("GET", `/v1/automation/${id}/validate`, { token })
        assert.deepStrictEqual(checked.json, { valid: false, errors })
        const refusal = yield* call("POST", `/v1/automation/${id}/activate`, { token })
        assert.deepStrictEqual([refusal.status, refusal.json.errors], [409, errors])
        yield* write(world, `workspace/${world.workspaceId}`, "absent")
        assert.strictEqual((yield* call("POST", `/v1/automation/${id}/activate`, { token })).status, 200)
        const read = yield* call("GET", `/v1/automation/${id}`, { token })
        assert.deepStrictEqual(read.json.automation.actions[0].config.http_call_body, [secret("absent"), secret("key")])
      })
    )
  })
})
