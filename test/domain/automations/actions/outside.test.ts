// Steps that reach outside (developer-api.md 7.6, 7.7 rule 5, 8; decisions A1, A19, P3), against real servers on loopback.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { actionTypes } from "../../../../src/domain/automations/actions/registry.ts"
import { RunDriver } from "../../../../src/domain/automations/durable/RunDriver.ts"
import { Contents } from "../../../../src/domain/records/files/Contents.ts"
import { Files } from "../../../../src/domain/records/files/Files.ts"
import { AuthenticationProviders } from "../../../../src/platform/mail/AuthenticationProviders.ts"
import { startSmtp } from "../../../platform/mail/smtp.ts"
import { readPdf } from "../../../platform/pdf/read.ts"
import { App } from "../../../support/app.ts"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, runsOf, runsOver } from "../runSupport.ts"
import { everyAction, everyCommentAction, reads, step } from "./every.ts"
import {
  assignTo,
  collection,
  completed,
  compute,
  custom,
  item,
  itemRef,
  order,
  ref,
  runSteps,
  seedWorld,
  shown,
  update,
  upload,
  where
} from "./support.ts"

const any = (label: string) => ({ custom_type: "any", label })

/** What a run may leave behind in an organization, or send. */
const effects = Effect.fnUntraced(function* (orgId: number) {
  const { receiver, smtp } = yield* Outside
  const sql = yield* SqlClient.SqlClient
  const [rows] = yield* sql<Record<string, number>>`
    WITH own AS (SELECT record_id FROM records WHERE org_id = ${orgId})
    SELECT (SELECT count(*)::int FROM own) AS records,
      (SELECT count(*)::int FROM revisions WHERE record_id IN (SELECT record_id FROM own)) AS revisions,
      (SELECT count(*)::int FROM comments WHERE record_id IN (SELECT record_id FROM own)) AS comments,
      (SELECT count(*)::int FROM weblinks JOIN automations USING (automation_id) WHERE org_id = ${orgId}) AS weblinks,
      (SELECT count(*)::int FROM files WHERE org_id = ${orgId}) AS files`
  const mails = smtp.about("Every").length
  return { ...rows, mails, requests: receiver.of("/fine").length } as Record<string, number>
})

/** One world, and the two triggers that between them allow every type. */
const everyScene = Effect.gen(function* () {
  const { receiver } = yield* Outside
  const app = yield* App
  const providers = yield* AuthenticationProviders
  const world = yield* seedWorld
  const { appId, orgId, token } = world
  receiver.on("/fine", answers.status(200, {}, "fine"))
  receiver.on("/missing", answers.status(404))
  receiver.on(
    "/every-token",
    answers.status(200, { "content-type": "application/json" }, `{"access_token":"t","token_type":"Bearer"}`)
  )
  const provider = yield* providers.create(orgId, {
    name: "Every",
    grant_type: "client_credentials",
    token_url: `${receiver.origin}/every-token`,
    client_id: "client",
    client_secret: Redacted.make("secret"),
    allowed: "all"
  })
  const id = yield* order(world, { name: "Bolt" })
  yield* item(world, { title: "a", order: id })
  yield* item(world, { title: "b", order: id })
  yield* app.call("POST", `/v1/comment/record/${id}?workflow=false`, { token, body: { value: "First" } })
  const inputs = { custom_variable_defs: [any("in")], custom_variable_defs_enabled: true }
  const target = (type: string) =>
    Effect.map(
      app.call("POST", `/v1/automation/app/${appId}`, {
        token,
        body: { name: type, trigger: { type, config: inputs }, actions: [] }
      }),
      ({ json }) => json.automation.id as number
    )
  const views = yield* app.call("GET", `/v1/app/${appId}/views`, { token })
  const invited = yield* app.call("POST", "/v1/org/user", {
    token,
    body: { email: `guest-${orgId}@example.com`, name: "Guest", role: "guest" }
  })
  const surroundings = {
    called: yield* target("automation_called"),
    clicked: yield* target("weblink_clicked"),
    view: views.json.views[0].view_id as number,
    provider: provider.authentication_provider_id,
    guest: (invited.json.user_id ?? invited.json.user?.user_id) as number,
    origin: receiver.origin
  }
  const [clicked, commented] = ["weblink_clicked", "record_comment_or_reply_created"].map((type) => ({
    type,
    config: {}
  }))
  const collects = [world.items.appId, appId].map((app_id) => ({ type: "collect_app_records", config: { app_id } }))
  return {
    world,
    scenes: [
      { id, trigger: clicked!, entries: everyAction(world, surroundings), needs: collects },
      { id, trigger: commented!, entries: everyCommentAction(world, surroundings), needs: [] }
    ],
    changes: (trigger: object) =>
      trigger === clicked
        ? ["records", "revisions", "comments", "weblinks", "files", "mails", "requests"]
        : ["comments"]
  }
})

class Outside extends Context.Service<
  Outside,
  {
    readonly receiver: Effect.Success<ReturnType<typeof startReceiver>>
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>>
  }
>()("test/Outside") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const smtp = yield* startSmtp()
    return spineLayer({
      OUTBOUND_ALLOW: receiver.hostPort,
      SMTP_URL: smtp.url,
      SCRIPT_ASYNC_CPU_MILLIS: "1500",
      MAIL_FROM: "Millrace <service@example.com>"
    }).pipe(Layer.merge(Layer.succeed(Outside, { receiver, smtp })))
  })
)

const call = (config: object, more: object = {}) => ({ type: "http_call", ...more, config })

layer(world, { excludeTestServices: true })("steps that reach outside", (it) => {
  it.effect("http_call: URL encoded, body, headers, key, answer into variables and a file (7.6, A19)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w, { name: "a b&c/ü" })
      receiver.on(
        "/orders?q=a%20b%26c%2F%C3%BC",
        answers.status(201, { "content-type": "application/json" }, `{"id":7}`)
      )
      const run = yield* runSteps(w, id, [
        call({
          http_call_type: "post",
          http_call_url: [`${receiver.origin}/orders?q=`, ref(w, "name")],
          http_call_headers: [
            { key: "X-Name", value: ["n"] },
            { key: "Host", value: ["evil.example"] },
            { key: "Authorization", value: ["Bearer very-secret-token"] }
          ],
          http_call_body: [`{"name":"x"}`],
          custom_variable_defs: [any("answer"), { custom_type: "single_file", label: "file" }]
        }),
        compute("id", custom("answer"), ".data.id + ", custom("answer"), ".status"),
        compute("size", "var_file_size")
      ])
      completed(run)
      const request = receiver.received.findLast((it) => it.path.startsWith("/orders"))!
      assert.strictEqual(request.path, "/orders?q=a%20b%26c%2F%C3%BC")
      assert.strictEqual(request.body, `{"name":"x"}`)
      assert.strictEqual(request.headers["content-type"], "application/json")
      assert.strictEqual(request.headers["x-name"], "n")
      assert.notStrictEqual(request.headers["host"], "evil.example")
      assert.match(String(request.headers["idempotency-key"]), new RegExp(`^${run.run_id}/0/@127\\.0\\.0\\.1:\\d+$`))
      assert.strictEqual(run.variables["id"], 208)
      assert.strictEqual(run.variables["size"], 8)
      assert.notInclude(JSON.stringify(run.logs), "very-secret-token")
    })
  )

  it.effect("secrets of a request stand nowhere in its log: headers, query, form, JSON, answer, message (7.11)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w, { name: "Bolt" })
      const secrets = [
        "tok-one",
        "key two",
        "sig-three",
        "pass-four",
        "bearer-five",
        "cookie-six",
        "api-seven"
      ] as const
      const [token, key, signature, password, bearer, cookie, api] = secrets
      const path = `/echo?page=2&token=${token}&key=${encodeURIComponent(key)}&signature=${signature}`
      receiver.on(path, (request, response) => {
        const headers = { "content-type": "application/json", "set-cookie": `s=${cookie}-set` }
        const echo = [request.path, request.headers["authorization"], key, "client-eight"]
        response.writeHead(200, { ...headers, location: `/next?access_token=${token}` })
        response.end(JSON.stringify({ echo, access_token: "answer-nine", note: "plain" }))
      })
      const secret = ["answer-nine", ...secrets]
      const headers = [
        { key: "AUTHORIZATION", value: [`Bearer ${bearer}`] },
        { key: "X-Api-KEY", value: [api] },
        { key: "Cookie", value: [`s=${cookie}`] }
      ]
      const url = [`${receiver.origin}/echo?page=2&token=${token}&key=`, key, `&signature=${signature}`]
      const request = (more: object) => call({ http_call_url: url, http_call_headers: headers, ...more })
      const json = request({
        http_call_type: "post",
        http_call_body: [`{"name":"`, ref(w, "name"), `","password":"${password}","client_secret":"client-eight"}`],
        custom_variable_defs: [any("answer")]
      })
      const form = request({
        http_call_type: "put",
        http_call_headers: [...headers, { key: "Content-Type", value: ["application/x-www-form-urlencoded"] }],
        http_call_body: [`name=Bolt&password=${password}`]
      })
      const answer = custom("answer")
      const repetition = compute(
        "again",
        "({ access_token: ",
        answer,
        ".data.access_token, to: ",
        answer,
        ".headers.location })"
      )
      const run = yield* runSteps(w, id, [json, form, repetition])
      completed(run)
      const logText = JSON.stringify(run.logs)
      for (const secretText of secret) assert.notInclude(logText, secretText)
      assert.notInclude(logText, encodeURIComponent(key))
      const [posted, put, computed] = run.steps.map(({ detail }) => detail)
      assert.strictEqual(posted.inputs.request.url, `${receiver.origin}/echo?page=2&token=•••&key=•••&signature=•••`)
      assert.strictEqual(posted.inputs.request.body, `{"name":"Bolt","password":"•••","client_secret":"•••"}`)
      assert.strictEqual(posted.outputs.response.data.note, "plain")
      assert.deepInclude(posted.inputs.request.headers, { authorization: "•••", "x-api-key": "•••", cookie: "•••" })
      assert.strictEqual(put.inputs.request.body, "name=Bolt&password=•••")
      assert.strictEqual(computed.outputs.value.access_token, "•••")
      // What was sent and what the run goes on with is as it is.
      assert.strictEqual(receiver.of(path).length, 2)
      assert.strictEqual(run.variables["again"].access_token, "answer-nine")
      // What code is bound to is told too, but not what is called a secret.
      const bound = yield* runSteps(w, id, [
        compute("My token", "'token-' + 'eleven'"),
        compute("n", ref(w, "name"), ".length + var_my_token.length"),
        { type: "custom_code", config: { code: ["return ", ref(w, "name"), " + var_n + var_my_token.length"] } }
      ])
      completed(bound)
      assert.notInclude(JSON.stringify(bound.logs), "token-eleven")
      const [, computing, coding] = bound.steps.map(({ detail }) => detail)
      assert.deepStrictEqual(computing.inputs, { "reference 1": "Bolt", var_my_token: "•••" })
      assert.deepStrictEqual(coding.inputs, { "reference 1": "Bolt", var_my_token: "•••", var_n: 16 })
      const dry = yield* runSteps(w, id, [json], { simulate: true })
      completed(dry)
      assert.match(JSON.stringify(dry.logs), /page=2&token=•••/)
      for (const secretText of secret) assert.notInclude(JSON.stringify(dry.logs), secretText)
      // An address with user info is refused, and not shown; nor is what a script says of its cause.
      const info = receiver.origin.replace("://", "://me:pass-word-ten@")
      const failing = yield* runSteps(w, id, [
        { ...call({ http_call_type: "get", http_call_url: [`${info}/echo`] }), continue_on_error: true },
        { type: "custom_code", config: { code: [`throw new Error("refused: Bearer ${bearer}")`] } }
      ])
      assert.strictEqual(failing.status, "failed")
      assert.strictEqual(
        failing.steps[0].detail.inputs.request.url,
        `${receiver.origin.replace("://", "://•••@")}/echo`
      )
      assert.match(failing.error_message!, /refused: Bearer •••/)
      for (const secretText of ["pass-word-ten", bearer])
        assert.notInclude(JSON.stringify([failing.logs, failing.error_message]), secretText)
    })
  )

  it.effect("http_call: references in strings of a JSON body are escaped, raw by a switch; no JSON is told (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const name = `Say "hi", C:\\new ü\u2028`
      const id = yield* order(w, { name, amount: 2.5, notes: "<p>a</p>" })
      receiver.on("/json", answers.status(200))
      const typed = (type: string) => ({ http_call_headers: [{ key: "Content-Type", value: [type] }] })
      const post = (body: ReadonlyArray<unknown>, more: object = {}) =>
        call({ http_call_type: "post", http_call_url: [`${receiver.origin}/json`], http_call_body: body, ...more })
      const object = [`{"\\"name\\"": "Mr. `, ref(w, "name"), `", "amount": `, ref(w, "amount"), "}"]
      const lines = compute("lines", "'a\\n\\tb'")
      const run = yield* runSteps(w, id, [
        lines,
        post(object),
        post(["[", ref(w, "amount"), `, "`, custom("lines"), `"]`]),
        post([`"`, ref(w, "name"), `"`]),
        // An element of text, declared as JSON and not; what is no JSON by its header or by its looks stands as it is.
        post([`"`, ref(w, "name"), `"`], typed("application/vnd.api+json")),
        post([`"`, ref(w, "name"), `"`], typed("application/xml")),
        post([`Told: "`, ref(w, "name"), `"`]),
        // As it was before there was an escape.
        post([`{"name": "`, custom("lines"), `"}`], { http_call_body_raw: true }),
        post([`{"name": "`, ref(w, "kind"), `", "password": `, ref(w, "kind"), `}`]),
        post([`{"name": }`], typed("application/json"))
      ])
      completed(run)
      const requests = receiver.of("/json").map(({ body, headers }) => [headers["content-type"], body] as const)
      const json = ([type, body]: readonly [unknown, string]) => {
        assert.match(String(type), /json$/)
        return JSON.parse(body)
      }
      assert.deepStrictEqual(requests.slice(0, 4).map(json), [
        { '"name"': `Mr. ${name}`, amount: 2.5 },
        [2.5, "a\n\tb"],
        name,
        name
      ])
      assert.deepStrictEqual(requests.slice(4), [
        ["application/xml", `"${name}"`],
        ["text/plain; charset=utf-8", `Told: "${name}"`],
        ["text/plain; charset=utf-8", `{"name": "a\n\tb"}`],
        ["text/plain; charset=utf-8", `{"name": "", "password": }`],
        ["application/json", `{"name": }`]
      ])
      const stepMessages = run.steps.map(({ messages }) => messages.map(({ level, message }: any) => [level, message]))
      const fallbackNote = "It is sent as text/plain; charset=utf-8."
      const control = "Bad control character in string literal in JSON at position 11 (line 1 column 12)"
      assert.deepStrictEqual(stepMessages.slice(0, 7).flat(), [])
      assert.deepStrictEqual(stepMessages.slice(7), [
        [["warn", `The body is no JSON: ${control}. ${fallbackNote}`]],
        [["warn", `The body is no JSON: Unexpected token '}'. ${fallbackNote}`]],
        [["warn", "The body is no JSON: Unexpected token '}'. It is sent as application/json."]]
      ])
    })
  )

  it.effect("http_call: 400 and above fails the step, redirects only when followed, refused addresses (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      receiver.on("/missing", answers.status(404, {}, "no"))
      receiver.on("/from", answers.status(302, { location: `${receiver.origin}/to` }))
      receiver.on("/to", answers.status(200, {}, "there"))
      receiver.on("/inside", answers.status(302, { location: "http://127.0.0.1:1/" }))
      const get = (path: string, more: object = {}) =>
        call({
          http_call_type: "get",
          http_call_url: [receiver.origin + path],
          custom_variable_defs: [any("answer")],
          ...more
        })
      const missing = yield* runSteps(w, id, [get("/missing")])
      assert.strictEqual(missing.status, "failed")
      assert.match(missing.error_message!, /404/)
      const from = yield* runSteps(w, id, [get("/from")])
      assert.strictEqual(from.variables["answer"].status, 302)
      const to = yield* runSteps(w, id, [get("/from", { http_call_follow_redirects: true })])
      assert.strictEqual(to.variables["answer"].data, "there")
      const inside = yield* runSteps(w, id, [get("/inside", { http_call_follow_redirects: true })])
      assert.strictEqual(inside.status, "failed")
      const metadata = yield* runSteps(w, id, [
        { ...call({ http_call_type: "get", http_call_url: ["http://169.254.169.254/"] }), continue_on_error: true },
        compute("next", "1")
      ])
      completed(metadata)
      assert.strictEqual(metadata.steps[0].status, "failure")
      const dry = yield* runSteps(w, id, [get("/to")], { simulate: true })
      completed(dry)
      assert.strictEqual(dry.steps[0].status, "skipped")
    })
  )

  it.effect("authenticated_http_call: skipped without a provider, renewed once after a 401 (P3)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const providers = yield* AuthenticationProviders
      const w = yield* seedWorld
      const id = yield* order(w)
      let issued = 0
      receiver.on("/token", (_request, response) => {
        issued++
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ access_token: `token-${issued}`, token_type: "Bearer", expires_in: 3600 }))
      })
      receiver.on("/guarded", (request, response) => {
        const ok = request.headers["authorization"] === "Bearer token-2"
        response.writeHead(ok ? 200 : 401).end(ok ? "in" : "out")
      })
      const provider = yield* providers.create(w.orgId, {
        name: "Example",
        grant_type: "client_credentials",
        token_url: `${receiver.origin}/token`,
        client_id: "client",
        client_secret: Redacted.make("secret"),
        allowed: "all"
      })
      const step = (authentication_provider_id?: number) => ({
        type: "authenticated_http_call",
        config: {
          http_call_type: "get",
          http_call_url: [`${receiver.origin}/guarded`],
          http_call_headers: [{ key: "authorization", value: ["mine"] }],
          custom_variable_defs: [any("answer")],
          ...(authentication_provider_id === undefined ? {} : { authentication_provider_id })
        }
      })
      const skipped = yield* runSteps(w, id, [step(), step(999_999)])
      completed(skipped)
      assert.isFalse(skipped.steps.some((log) => log.status === "success"))
      const run = yield* runSteps(w, id, [step(provider.authentication_provider_id)])
      completed(run)
      assert.strictEqual(run.variables["answer"].data, "in")
      assert.strictEqual(issued, 2)
      assert.notInclude(JSON.stringify(run.logs), "token-2")
    })
  )

  it.effect("create_pdf prints the record into a file that fields and mails take (7.6, 7.7 rule 5)", () =>
    Effect.gen(function* () {
      const { smtp } = yield* Outside
      const sql = yield* SqlClient.SqlClient
      const contents = yield* Contents
      const w = yield* seedWorld
      const id = yield* order(w, { name: "<Bolt>", notes: "<b>bold</b>" })
      const pdf = custom("PDF", "single_file")
      const run = yield* runSteps(w, id, [
        {
          type: "create_pdf",
          config: {
            // What turns a name round is left out of it.
            filename: ["Or\u202eder ", ref(w, "name")],
            pdf_body: ["<p>Name: ", ref(w, "name"), "</p>", ref(w, "notes")],
            header_and_footer_enabled: true,
            pdf_footer: ["Page ", { kind: "value", value_type: "pdf", pdf: "page_number" }],
            page_size: "a5"
          }
        },
        update(assignTo(ref(w, "paper"), [pdf])),
        {
          type: "send_email",
          config: {
            to_address: ["a@example.com, refused@example.com"],
            subject: ["About ", ref(w, "name")],
            message_body: ["<p>", ref(w, "name"), "</p>"],
            attach_files_variable_defs: [pdf, ref(w, "paper")]
          }
        }
      ])
      completed(run)
      const { values } = yield* shown(w.token, id)
      const file = values["paper"][0].value
      assert.strictEqual(file.filename, "Order <Bolt>.pdf")
      const [row] = yield* sql<{ storage_key: string }>`SELECT storage_key FROM files WHERE file_id = ${file.id}`
      const bytes = yield* contents.bytes(row!.storage_key)
      assert.include(Buffer.from(bytes).toString("latin1"), "/Title (Order <Bolt>)")
      assert.include(
        run.logs.map(({ label, status }: any) => `${label} ${status}`),
        "Create PDF success"
      )
      const [page] = yield* readPdf(bytes)
      assert.match(page!.text, /Name: <Bolt>/)
      assert.match(page!.text, /Page 1/)
      assert.closeTo(page!.width, 148, 1)
      const mail = smtp.about("About <Bolt>")[0]
      assert.match(mail!.mail.html!, /&lt;Bolt&gt;/)
      assert.deepStrictEqual(
        mail!.mail.attachments.map((attachment) => attachment.filename),
        ["Order <Bolt>.pdf"]
      )
      assert.match(JSON.stringify(run.logs), /refused@example.com/)
    })
  )

  it.effect("create_pdf fails with what is too large, without reading it, where a file of ours is shown (A22)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const w = yield* seedWorld
      const id = yield* order(w, { name: "Bolt" })
      const [row] = yield* sql<{ file_id: number }>`
        INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on, temporary_id)
        VALUES (${w.orgId}, 0, 'large.png', 100000000, 'image/png', 'not-there', now(), ${`temporary-${w.orgId}`})
        RETURNING file_id::int`
      const image = `<img src="${yield* files.link(row!.file_id)}">`
      const run = yield* runSteps(w, id, [{ type: "create_pdf", config: { filename: ["Order"], pdf_body: [image] } }])
      assert.strictEqual(run.status, "failed")
      assert.match(JSON.stringify(run.logs), /The image large\.png has more than 10 MB/)
    })
  )

  it.effect(
    "files, lists and links pass to a called automation as what they are, by `set` and by `set_code` (7.8)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const w = yield* seedWorld
        const paper = { custom_type: "single_file", label: "Paper" }
        const papers = { custom_type: "multi_file", label: "Papers" }
        const list = { custom_type: "any", label: "List" }
        const called = yield* automate(w.token, w.appId, {
          trigger: {
            type: "automation_called",
            config: { custom_variable_defs_enabled: true, custom_variable_defs: [paper, papers, list] }
          },
          actions: [
            update(
              assignTo(ref(w, "paper"), [custom("Paper", "single_file")]),
              assignTo(ref(w, "papers"), [custom("Papers", "multi_file")])
            ),
            compute("items", "var_list")
          ]
        })
        const file = (label: string) => ({
          type: "create_pdf",
          config: { filename: [label], pdf_body: ["Hello"], custom_variable_def: { custom_type: "single_file", label } }
        })
        const give =
          (how: "set" | "set_code") => (def: { label: string; custom_type: string }, from: object, code: string) =>
            how === "set"
              ? { variable_def: def, assignment_type: "set", value: [from] }
              : { variable_def: def, assignment_type: "set_code", code: [code] }
        for (const [at, how] of (["set", "set_code"] as const).entries()) {
          const id = yield* order(w, { tags: w.options["tags"]!.slice(0, 2) })
          const argument = give(how)
          completed(
            yield* runSteps(w, id, [
              file("One"),
              file("Two"),
              {
                type: "current_record_call_automation",
                config: {
                  automation_id: called,
                  call_arguments: [
                    argument(paper, custom("One", "single_file"), "var_one"),
                    argument(papers, custom("Two", "single_file"), "[{ file_id: var_two_id }]"),
                    argument(list, ref(w, "tags"), "['Red', 'Blue']")
                  ]
                }
              }
            ])
          )
          const run = (yield* runsOver(called, at + 1)).at(-1)!
          completed(run)
          const { values } = yield* shown(w.token, id)
          assert.deepStrictEqual(
            [values["paper"], values["papers"]].map((cell) => cell.map((one: any) => one.value.filename)),
            [["One.pdf"], ["Two.pdf"]],
            how
          )
          const [items] = yield* sql<{ value: unknown }>`
          SELECT value FROM run_variables WHERE run_id = ${run.run_id}::bigint AND label = 'items'`
          assert.deepStrictEqual(items?.value, ["Red", "Blue"], how)
        }
      })
  )

  it.effect("mails: no valid recipient fails, one per collected record, filtered attachments (7.6)", () =>
    Effect.gen(function* () {
      const { smtp } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w, { name: "Bolt", mails: ["b@example.com", "c@example.com"] })
      const none = yield* runSteps(w, id, [
        { type: "send_email", config: { to_address: [ref(w, "name"), "nobody"], subject: ["x"] } }
      ])
      assert.strictEqual(none.status, "failed")
      const copies = yield* runSteps(w, id, [
        {
          type: "send_email",
          config: {
            to_address: [ref(w, "mails"), ", not an address"],
            cc_address: ["cc@example.com"],
            bcc_address: ["bcc@example.com"],
            reply_address: ["answers@example.com"],
            from_name: ["Shop ", ref(w, "name")],
            subject: ["Copies"]
          }
        }
      ])
      completed(copies)
      assert.deepInclude(copies.steps[0].messages, {
        level: "warn",
        message: `to_address: "not an address" is no mail address and is left out.`
      })
      const envelope = smtp.about("Copies")[0]!
      assert.deepStrictEqual(envelope.to.toSorted(), [
        "b@example.com",
        "bcc@example.com",
        "c@example.com",
        "cc@example.com"
      ])
      const addresses = (list: ReadonlyArray<{ readonly address?: string | undefined }> | undefined) =>
        list?.map((one) => one.address)
      assert.deepStrictEqual(
        [addresses(envelope.mail.cc), envelope.mail.bcc, addresses(envelope.mail.replyTo), envelope.mail.from?.name],
        [["cc@example.com"], undefined, ["answers@example.com"], "Shop Bolt"]
      )
      const several = {
        ...{ subject: ["Several"], to_address: ["one@example.com", "two@example.com", ref(w, "mails")] },
        ...{ cc_address: ["Ann <", "ann@example.com", ">"], reply_address: ["r1@example.com", "r2@example.com"] }
      }
      completed(yield* runSteps(w, id, [{ type: "send_email", config: several }]))
      const mailed = smtp.about("Several")[0]!
      assert.deepStrictEqual(
        mailed.to.toSorted(),
        ["ann", "b", "c", "one", "two"].map((name) => `${name}@example.com`)
      )
      assert.deepStrictEqual(addresses(mailed.mail.replyTo), ["r1@example.com", "r2@example.com"])
      yield* item(w, { title: "one" })
      yield* item(w, { title: "two" })
      const run = yield* runSteps(w, id, [
        { type: "collect_app_records", config: { app_id: w.items.appId } },
        {
          type: "collected_records_send_email",
          config: {
            record_collection: collection(w.items.appId),
            to_address: [ref(w, "mails")],
            subject: [itemRef(w, "title", { collection: true })]
          }
        }
      ])
      completed(run)
      const mails = ["one", "two"].flatMap(smtp.about)
      assert.deepStrictEqual(mails.map(({ mail }) => mail.subject).toSorted(), ["one", "two"])
      assert.deepStrictEqual(mails[0]!.to.toSorted(), ["b@example.com", "c@example.com"])
      assert.strictEqual(new Set(mails.map(({ mail }) => mail.messageId)).size, 2)
      assert.strictEqual(run.credits, 3)
    })
  )

  it.effect("attach_files_match_type: all, filtered, most_recent, most_recent_filtered (7.6)", () =>
    Effect.gen(function* () {
      const { smtp } = yield* Outside
      const w = yield* seedWorld
      const [one, two, three, four] = yield* upload(w.token, [
        { name: "invoice 1.txt" },
        { name: "letter.txt" },
        { name: "invoice 2.txt" },
        { name: "plan.txt" }
      ])
      const id = yield* order(w, { name: "Bolt", papers: [one, two, three], paper: four })
      const papers = ref(w, "papers")
      const invoices = where(papers, "starts_with", { type: "text", text: ["invoice"] })
      const ofBolts = {
        operator: "and",
        rows: [...invoices.rows, { subject: ref(w, "name"), operator: "is", value: { type: "text", text: ["Bolt"] } }]
      }
      const attachmentNames = Effect.fnUntraced(function* (
        attach_files_match_type: string,
        attach_files_match_condition: object | null = null,
        defs: ReadonlyArray<object> = [papers, ref(w, "paper")]
      ) {
        const mailsBefore = smtp.about("Files").length
        const config = {
          to_address: ["a@example.com"],
          subject: ["Files"],
          attach_files_variable_defs: defs,
          attach_files_match_type,
          attach_files_match_condition
        }
        completed(yield* runSteps(w, id, [{ type: "send_email", config }]))
        const mail = smtp.about("Files")[mailsBefore]
        return mail!.mail.attachments.map(({ filename }) => filename)
      })
      const allNames = ["invoice 1.txt", "letter.txt", "invoice 2.txt", "plan.txt"]
      assert.deepStrictEqual(yield* attachmentNames("all"), allNames)
      assert.deepStrictEqual(
        yield* attachmentNames("all", invoices),
        allNames,
        "the condition counts for the filtered ones only"
      )
      assert.deepStrictEqual(yield* attachmentNames("filtered", invoices), ["invoice 1.txt", "invoice 2.txt"])
      assert.deepStrictEqual(yield* attachmentNames("filtered", ofBolts), ["invoice 1.txt", "invoice 2.txt"])
      assert.deepStrictEqual(yield* attachmentNames("filtered", { operator: "and", rows: [] }), allNames)
      assert.deepStrictEqual(yield* attachmentNames("most_recent"), ["plan.txt"])
      assert.deepStrictEqual(yield* attachmentNames("most_recent_filtered", invoices), ["invoice 2.txt"])
      const none = where(papers, "is", { type: "text", text: ["nothing"] })
      assert.deepStrictEqual(yield* attachmentNames("most_recent_filtered", none), [])
      assert.deepStrictEqual(yield* attachmentNames("most_recent", null, [papers]), ["invoice 2.txt"])
    })
  )

  it.effect("http_call: a get is tried once more when the connection fails, nothing else; 5 MiB at most (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      const send = (http_call_type: string, path: string) =>
        runSteps(w, id, [
          call({
            http_call_type,
            http_call_url: [receiver.origin + path],
            custom_variable_defs: [any("answer")]
          }),
          compute("size", custom("answer"), ".data.length")
        ])
      let calls = 0
      receiver.on("/flaky", (request, response) => {
        calls++
        if (calls === 1) answers.resetBeforeAnswer(request, response)
        else answers.status(200, {}, "there")(request, response)
      })
      const retriedRun = yield* send("get", "/flaky")
      completed(retriedRun)
      assert.deepStrictEqual([retriedRun.variables["size"], calls], [5, 2])
      receiver.on("/reset", answers.resetBeforeAnswer)
      for (const [method, tries] of [
        ["get", 2],
        ["post", 1],
        ["put", 1],
        ["delete", 1]
      ] as const) {
        const requestsBefore = receiver.of("/reset").length
        assert.strictEqual((yield* send(method, "/reset")).status, "failed")
        assert.strictEqual(receiver.of("/reset").length - requestsBefore, tries, method)
      }
      receiver.on("/broken", answers.status(503, {}, "later"))
      assert.strictEqual((yield* send("get", "/broken")).status, "failed")
      assert.strictEqual(receiver.of("/broken").length, 1, "an answer is no connection failure")
      const MiB = 1024 * 1024
      receiver.on("/full", answers.bigBody(5 * MiB))
      receiver.on("/more", answers.bigBody(5 * MiB + 1))
      const full = yield* runSteps(w, id, [
        call({
          http_call_type: "get",
          http_call_url: [`${receiver.origin}/full`],
          custom_variable_defs: [{ custom_type: "single_file", label: "file" }]
        }),
        compute("size", "var_file_size")
      ])
      completed(full)
      assert.strictEqual(full.variables["size"], 5 * MiB)
      const more = yield* send("get", "/more")
      assert.strictEqual(more.status, "failed")
      assert.match(more.error_message!, /too_large/)
      assert.strictEqual(receiver.of("/more").length, 1)
    })
  )

  it.effect("custom_code: result, variables, console, http and api as the owner; a simulation invents (8.2)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w, { name: "Base", amount: 3 })
      receiver.on("/json", answers.status(200, { "content-type": "application/json" }, `{"n":4}`))
      const code = [
        "console.warn('careful');\n",
        `const { data } = await http.get('${receiver.origin}/json');\n`,
        "const made = await api.Record.create(",
        String(w.appId),
        ", { name: 'made', state: ",
        String(w.options["state"]![0]),
        " });\n",
        "await api.Record.update(current_record.record_id, { amount: 9 });\n",
        "var_second = made.data.record_id;\n",
        "return data.n + ",
        ref(w, "amount"),
        ";"
      ]
      const step = { type: "custom_code", config: { code, custom_variable_defs: [any("first"), any("second")] } }
      const run = yield* runSteps(w, id, [step])
      completed(run)
      assert.strictEqual(run.variables["first"], 7)
      const createdRecord = yield* shown(w.token, run.variables["second"])
      assert.strictEqual(createdRecord.created_by.automation_id, run.automationId)
      assert.strictEqual((yield* shown(w.token, id)).values["amount"][0].value, 9)
      assert.deepInclude(run.steps[0].messages[0], { level: "warn", message: "careful" })

      const app = yield* App
      const count = () =>
        Effect.map(app.call("GET", `/v1/record/app/${w.appId}`, { token: w.token }), (it) => it.json.total)
      const countBefore = yield* count()
      const dry = yield* runSteps(w, id, [step], { simulate: true })
      completed(dry)
      assert.strictEqual(dry.variables["second"], 0)
      assert.strictEqual(yield* count(), countBefore)

      const fails = (source: string) => runSteps(w, id, [{ type: "custom_code", config: { code: [source] } }])
      assert.match((yield* fails("throw new Error('no luck')")).error_message!, /no luck/)
      assert.match((yield* fails("await api.request('GET', '/../oauth/authorize')")).error_message!, /Developer API/)
      assert.match((yield* fails("await api.Record.get(999999999)")).error_message!, /999999999/)
      const endless = yield* fails("for (;;) {}")
      assert.strictEqual(endless.failure_reason, "actions_resource_limit_exceeded")
    })
  )

  it.effect("numbers beyond doubles in answers stay as they are written, for http_call and for scripts (A29)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      const body = `{"id":7615917337495251231,"far":1e400,"rows":[{"n":-9007199254740993}],"near":12}`
      receiver.on("/ids", answers.status(200, { "content-type": "application/json" }, body))
      const source = `const first = await http.get('${receiver.origin}/ids'); const again = await http.get('${receiver.origin}/ids')
        return [first.data, again.data.id]`
      const run = yield* runSteps(w, id, [
        call({
          http_call_type: "get",
          http_call_url: [`${receiver.origin}/ids`],
          custom_variable_defs: [any("answer")]
        }),
        { type: "custom_code", config: { code: [source], custom_variable_defs: [any("script")] } }
      ])
      completed(run)
      const read = { id: "7615917337495251231", far: "1e400", rows: [{ n: "-9007199254740993" }], near: 12 }
      assert.deepStrictEqual(run.variables["answer"].data, read)
      assert.deepStrictEqual(run.variables["script"], [read, read.id])
      for (const { messages } of run.steps)
        assert.lengthOf(
          messages.filter(({ level, message }: any) => level === "warn" && /beyond 2\^53/.test(message)),
          1
        )
    })
  )

  it.effect("a script begun again after its api calls gets their first answers, and changes nothing twice (A1)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const runner = yield* RunDriver
      const w = yield* seedWorld
      const id = yield* order(w)
      receiver.on("/pause", answers.hang)
      const code = [
        `const made = await api.Record.create(${w.appId}, { name: 'once ' + Math.random(), state: ${w.options["state"]![0]} });\n`,
        "await api.Record.update(current_record.record_id, { amount: Math.random() * 1000 });\n",
        `await http.get('${receiver.origin}/pause');\n`,
        "return made.data.record_id;"
      ]
      const running = yield* runSteps(w, id, [
        { type: "custom_code", config: { code, custom_variable_defs: [any("made")] } }
      ]).pipe(Effect.forkChild)
      yield* eventually(
        "the calls are answered, the step is not committed",
        Effect.sync(() => receiver.received.filter(({ path }) => path === "/pause").length),
        (n) => n === 1
      )
      // What a retry of the step does after its process was killed: it takes the run over and begins again.
      receiver.on("/pause", answers.status(200, {}, "go on"))
      const sql = yield* SqlClient.SqlClient
      const [open] = yield* sql<{ run_id: string }>`
        SELECT run_id::text FROM runs WHERE app_id = ${w.appId} AND completed_on IS NULL`
      yield* runner.outside(open!.run_id, "0", [])
      const run = yield* Fiber.join(running)
      completed(run)
      assert.strictEqual(run.steps[0].detail.attempts, 2)
      const named = yield* sql<{ record_id: number }>`
        SELECT record_id FROM records WHERE app_id = ${w.appId} AND title LIKE 'once %'`
      assert.deepStrictEqual(named, [{ record_id: run.variables["made"] }])
      assert.strictEqual((yield* shown(w.token, id)).revision, 1)
    })
  )

  it.effect("a chain through a script's api calls stops at depth 10, and the log names the cycle (7.5 rule 4)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      const name = "Again"
      const creation = yield* app.call("POST", `/v1/automation/app/${w.appId}`, {
        token: w.token,
        body: { name, trigger: { type: "automation_called", config: {} }, filter: null, actions: [] }
      })
      const automation = creation.json.automation.id as number
      const body = `{ trigger_on_record_id: ${id} }`
      const code = [`await api.request('POST', '/automation/${automation}/trigger', ${body});`]
      const changed = yield* app.call("PUT", `/v1/automation/${automation}`, {
        token: w.token,
        body: { actions: [{ type: "custom_code", config: { code } }] }
      })
      assert.strictEqual(changed.status, 200, changed.text)
      yield* app.call("POST", `/v1/automation/${automation}/activate`, { token: w.token })
      yield* app.call("POST", `/v1/automation/${automation}/trigger`, {
        token: w.token,
        body: { trigger_on_record_id: id }
      })
      const runs = yield* eventually("the notice in the last run", runsOf(automation), (rows) =>
        JSON.stringify(rows.at(-1)?.logs ?? "").includes("The cycle is")
      )
      assert.deepStrictEqual(
        runs.map(({ depth }) => depth),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
      )
      assert.match(JSON.stringify(runs.at(-1)!.logs), /link 11 of a chain.*The cycle is Again \(\d+\) → Again/)
    })
  )

  it.effect("pages, redirects and weblinks of a click (7.6, 7.10)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const w = yield* seedWorld
      const id = yield* order(w, { name: "<i>", notes: "<b>ok</b>" })
      const trigger = { type: "weblink_clicked", config: {} }
      const target = yield* runSteps(w, id, [], { trigger }).pipe(Effect.map((run) => run.automationId))
      const page = (join_type: string, ...webpage_body: ReadonlyArray<unknown>) => ({
        type: "display_webpage",
        config: { join_type, webpage_body }
      })
      const run = yield* runSteps(
        w,
        id,
        [
          page("add_below", "<p>", ref(w, "name"), ref(w, "notes"), "</p>"),
          page("add_above", "<h1>top</h1>"),
          { type: "redirect_user", config: { redirect_url: ["https://example.com/x"] } },
          {
            type: "current_record_generate_automation_weblink",
            config: { automation_id: target, weblink_expiration: "one_day" }
          },
          compute("link", custom("Weblink", "single_link"))
        ],
        { trigger }
      )
      completed(run)
      const [shownPage] = yield* sql<{ html: string; redirect: string }>`
        SELECT html, redirect FROM run_pages WHERE run_id = ${run.run_id}::bigint`
      assert.match(shownPage!.html, /top[\s\S]*<p>&lt;i&gt;<b>ok<\/b><\/p>/)
      assert.strictEqual(shownPage!.redirect, "https://example.com/x")
      assert.match(run.variables["link"], /\/weblink\/(?:trigger\/)?[\w-]{36}$/)
      // Ready-made rows stand as they are, other texts are escaped (7.7 rule 6).
      const rows = { custom_type: "html_table_rows", label: "rows" }
      const table = yield* runSteps(
        w,
        id,
        [
          {
            type: "custom_variable",
            config: { assignment_code: ["'<tr><td>1</td></tr>'"], custom_variable_defs: [rows] }
          },
          compute("text", "'<tr>'"),
          page("add_below", "<table>", { kind: "variable", source: "custom", ...rows }, "</table>", custom("text"))
        ],
        { trigger }
      )
      const [shownTable] = yield* sql<{ html: string }>`
        SELECT html FROM run_pages WHERE run_id = ${table.run_id}::bigint`
      assert.include(shownTable!.html, "<table><tr><td>1</td></tr></table>&lt;tr&gt;")
      const days = Effect.fnUntraced(function* (weblink_expiration: string) {
        const config = { automation_id: target, weblink_expiration }
        completed(yield* runSteps(w, id, [{ type: "current_record_generate_automation_weblink", config }], { trigger }))
        const [made] = yield* sql<{ days: number | null; once: boolean }>`
          SELECT round(extract(epoch FROM expires_on - now()) / 86400)::int AS days, once FROM weblinks
          ORDER BY weblink_id DESC LIMIT 1`
        return made
      })
      assert.deepStrictEqual(
        yield* Effect.forEach(["never", "on_click", "one_day", "one_week"], days),
        [null, null, 1, 7].map((days, n) => ({ days, once: n === 1 }))
      )
      const bad = yield* runSteps(
        w,
        id,
        [{ type: "redirect_user", config: { redirect_url: ["javascript:alert(1)"] } }],
        {
          trigger
        }
      )
      assert.strictEqual(bad.status, "failed")
    })
  )

  it.effect(
    "each of the 35 types: effect and log, simulated without effect, deactivated (7.6, 7.11 rules 3 to 5)",
    () =>
      Effect.gen(function* () {
        const scene = yield* everyScene
        const types = scene.scenes.flatMap(({ entries }) => entries.map(({ type }) => type))
        assert.deepStrictEqual(types.toSorted(), actionTypes.toSorted())
        for (const { entries, id, trigger } of scene.scenes) {
          const { orgId } = scene.world
          const run = (more: object, options: object = {}) =>
            runSteps(
              scene.world,
              id,
              entries.map((entry) => step(entry, entry.works, more)),
              { trigger, ...options }
            )
          const actionStatuses = (result: Effect.Success<ReturnType<typeof run>>) =>
            result.actions.map(({ id: actionId, type }: any) => {
              const log = result.steps.find((it) => it.action_id === actionId)
              return [type, log?.status ?? "unlogged"]
            })

          const effectsBefore = yield* effects(orgId)
          const off = yield* run({ deactivate: true })
          completed(off)
          assert.deepStrictEqual([off.steps, off.credits, yield* effects(orgId)], [[], 0, effectsBefore], "deactivated")

          const dry = yield* run({}, { simulate: true })
          completed(dry)
          assert.deepStrictEqual(
            actionStatuses(dry),
            entries.map(({ simulated, type }) => [type, simulated])
          )
          for (const log of dry.steps.filter(({ status }) => status === "skipped"))
            assert.match(JSON.stringify(log.messages), /Simulation: /, log.label)
          assert.deepStrictEqual(yield* effects(orgId), effectsBefore, "simulated")

          const real = yield* run({})
          completed(real)
          assert.deepStrictEqual(
            actionStatuses(real),
            entries.map(({ told = "success", type }) => [type, told])
          )
          assert.strictEqual(
            real.credits,
            entries.reduce((sum, { credits = 1 }) => sum + credits, 0)
          )
          const effectsAfter = yield* effects(orgId)
          for (const kind of scene.changes(trigger))
            assert.notStrictEqual(effectsAfter[kind], effectsBefore[kind], kind)
        }
      })
  )

  it.effect("each type that can fail: the run fails with it, or goes on with most_recent_error (7.11 rule 3)", () =>
    Effect.gen(function* () {
      const { scenes, world } = yield* everyScene
      for (const { entries, id, needs, trigger } of scenes) {
        const failing = entries.filter((entry) => entry.fails !== null)
        const goesOn = yield* runSteps(
          world,
          id,
          [
            ...needs,
            ...failing.flatMap((entry, n) => [step(entry, entry.fails!, { continue_on_error: true }), reads(`${n}`)])
          ],
          { trigger }
        )
        completed(goesOn)
        const logs = goesOn.steps.filter(({ status }) => status === "failure")
        assert.strictEqual(logs.length, failing.length, JSON.stringify(logs.map(({ label }) => label)))
        for (const [n, { message, type }] of failing.entries()) {
          const lastMessage = logs[n].messages.at(-1)
          assert.strictEqual(lastMessage.level, "error", type)
          assert.strictEqual(goesOn.variables[n], lastMessage.message, type)
          if (message !== undefined) assert.match(lastMessage.message, message, type)
        }

        yield* Effect.forEach(
          failing,
          (entry) =>
            Effect.gen(function* () {
              const run = yield* runSteps(world, id, [...needs, step(entry, entry.fails!), compute("after", "1")], {
                trigger
              })
              assert.deepStrictEqual([run.status, run.failure_reason], ["failed", "actions_failed"], entry.type)
              if (entry.message !== undefined) assert.match(run.error_message!, entry.message, entry.type)
              assert.strictEqual(run.steps.at(-1).status, "failure", entry.type)
              assert.isUndefined(run.variables["after"], entry.type)
            }),
          { concurrency: 4 }
        )
      }
    })
  )
})
