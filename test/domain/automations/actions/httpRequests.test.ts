// developer-api.md 7.6, 7.13; decisions W9: how HTTP steps prove themselves, what they send, how long they wait, what they keep, how they
// are tried again. Against real servers on loopback.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Contents } from "../../../../src/domain/records/files/Contents.ts"
import { App } from "../../../support/app.ts"
import { type Answer, answers } from "../../../support/receiver.ts"
import { any, HttpSide, http, httpWorld, nowhere, secret, setting, traces } from "./httpSupport.ts"
import { assignTo, completed, custom, ref, runSteps, shown, update, upload } from "./support.ts"

const json = (value: unknown): Answer =>
  answers.status(200, { "content-type": "application/json" }, JSON.stringify(value))
const PASSWORD = "Circle of 7xq3zkwv"

/** Asks for a digest, and checks it by the formula of RFC 7616 3.4.1. */
const guarded =
  (hash: string, algorithm: string): Answer =>
  ({ headers, method, path }, response) => {
    const h = (text: string) => createHash(hash).update(text).digest("hex")
    const part = (name: string) => new RegExp(`[ ,]${name}="?([^",]*)`).exec(String(headers.authorization))?.[1] ?? ""
    const ha1 = h(`Mufasa:the realm:${PASSWORD}`)
    const expected = h(`${ha1}:n1:${part("nc")}:${part("cnonce")}:auth:${h(`${method}:${path}`)}`)
    const isIn = part("response") === expected && part("uri") === path
    const challenge = `Basic realm="x", Digest realm="the realm", nonce="n1", qop="auth", algorithm=${algorithm}`
    response.writeHead(isIn ? 200 : 401, isIn ? {} : { "www-authenticate": challenge })
    response.end(isIn ? `in as ${String(headers.authorization)}` : "out")
  }

layer(httpWorld, { excludeTestServices: true })("requests of HTTP steps", (it) => {
  it.effect("Basic and bearer come from secrets, win over a header, and stay with the first origin (7.6, W9)", () =>
    Effect.gen(function* () {
      const { other, receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({ password: PASSWORD, token: "tok-7xq3zkwv" })
      const echo: Answer = ({ headers }, response) => response.writeHead(200).end(`${headers.authorization}`)
      receiver.on("/login", echo)
      receiver.on("/leave", answers.status(302, { location: `${other.origin}/caught` }))
      const steps = (path: string, login: object, more: object = {}) =>
        runSteps(world, recordId, [
          http(receiver.origin + path, {
            http_call_authentication: login,
            http_call_headers: [{ key: "Authorization", value: ["mine"] }],
            ...more
          })
        ])
      const basic = { type: "basic", username: ["Zoë"], secret: secret("password") }
      const bearer = { type: "bearer", secret: secret("token") }
      for (const [login, expected] of [
        [basic, `Basic ${Buffer.from(`Zoë:${PASSWORD}`).toString("base64")}`],
        [bearer, "Bearer tok-7xq3zkwv"],
        [{ type: "basic", username: [secret("token")] }, `Basic ${Buffer.from("tok-7xq3zkwv:").toString("base64")}`]
      ] as const) {
        const run = yield* steps("/login", login)
        completed(run)
        assert.strictEqual(receiver.of("/login").at(-1)!.headers.authorization, expected)
        assert.include(JSON.stringify(run.variables["answer"]), "•••")
        nowhere(yield* traces(world, run.run_id), [PASSWORD, "tok-7xq3zkwv"])
        completed(yield* steps("/leave", login, { http_call_follow_redirects: true }))
        assert.notProperty(other.of("/caught").at(-1)!.headers, "authorization")
      }
      const colon = yield* steps("/login", { ...basic, username: ["a:b"] })
      assert.strictEqual(colon.error_message, "With `basic` the user name must not hold a colon.")
    })
  )

  it.effect("digest answers the challenge of the first origin alone, also behind a redirect (7.6, RFC 7616)", () =>
    Effect.gen(function* () {
      const { other, receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({ password: PASSWORD, wrong: "Another 7xq3zkwv" })
      receiver.on("/md5?a=1", guarded("md5", "MD5"))
      receiver.on("/sha", guarded("sha256", "SHA-256"))
      receiver.on("/moved", answers.status(302, { location: "/sha" }))
      receiver.on("/elsewhere", answers.status(302, { location: `${other.origin}/trap` }))
      other.on("/trap", guarded("md5", "MD5"))
      const call = (path: string, name = "password", more: object = {}) =>
        runSteps(world, recordId, [
          http(receiver.origin + path, {
            http_call_follow_redirects: true,
            http_call_authentication: { type: "digest", username: ["Mufasa"], secret: secret(name) },
            ...more
          })
        ])
      const post = { http_call_type: "post", http_call_body: ["{}"] }
      for (const [path, more] of [["/md5?a=1"], ["/sha", post], ["/moved", post]] as ReadonlyArray<[string, object?]>) {
        const run = yield* call(path, "password", more)
        completed(run)
        assert.match(run.variables["answer"].data, /^in as /)
        const traced = yield* traces(world, run.run_id)
        nowhere(traced, [PASSWORD])
        const hash = /response="([0-9a-f]+)"/.exec(String(receiver.received.at(-1)!.headers.authorization))![1]!
        assert.notInclude(JSON.stringify(run.logs), hash)
      }
      assert.deepStrictEqual(
        receiver.of("/sha").map(({ body, method }) => `${method} ${body}`),
        ["POST {}", "POST {}", "GET ", "GET "]
      )
      const refusedRun = yield* call("/sha", "wrong")
      assert.strictEqual(refusedRun.error_message, "The server answered 401.")
      const trapped = yield* call("/elsewhere")
      assert.strictEqual(trapped.error_message, "The server answered 401.")
      assert.deepStrictEqual(
        other.of("/trap").map(({ headers }) => headers.authorization),
        [undefined]
      )
    })
  )

  it.effect(
    "a client certificate is shown where one is asked for; a pair that does not fit fails unsent (7.6, W11)",
    () =>
      Effect.gen(function* () {
        const pem = (name: string) =>
          readFileSync(new URL(`../../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
        const { tls } = yield* HttpSide
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            const certificatesBefore = getCACertificates("default")
            setDefaultCACertificates([...certificatesBefore, pem("cert")])
            return certificatesBefore
          }),
          (before) => Effect.sync(() => setDefaultCACertificates(before))
        )
        const { recordId, world } = yield* setting({ cert: pem("cert"), key: pem("key") })
        tls.on("/mutual", json({ in: true }))
        const call = (certificate: string, private_key: string) =>
          runSteps(world, recordId, [
            http(`${tls.origin}/mutual`, {
              http_call_client_certificate: { certificate: secret(certificate), private_key: secret(private_key) }
            })
          ])
        const run = yield* call("cert", "key")
        completed(run)
        assert.deepStrictEqual(run.variables["answer"].data, { in: true })
        nowhere(yield* traces(world, run.run_id), [pem("key"), pem("key").split("\n")[3]!])
        const countBefore = tls.received.length
        const swapped = yield* call("key", "cert")
        assert.match(swapped.error_message!, /cannot be read, or do not belong together/)
        const without = yield* runSteps(world, recordId, [http(`${tls.origin}/mutual`)])
        assert.strictEqual(without.status, "failed")
        assert.strictEqual(tls.received.length, countBefore)
      })
  )

  it.effect("bodies: a form, a multipart form with files, one file; the log shows names and sizes (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({ token: "tok-7xq3zkwv" })
      const { call } = yield* App
      const file_ids = yield* upload(world.token, [{ name: "a b.txt" }, { name: "ü.csv", type: "text/csv" }])
      const fields = { papers: file_ids }
      const change = yield* call("PUT", `/v1/record/${recordId}`, { token: world.token, body: { fields } })
      assert.strictEqual(change.status, 200, change.text)
      const papers = ref(world, "papers")
      const send = (more: object) =>
        runSteps(world, recordId, [http(`${receiver.origin}/in`, { http_call_type: "post", ...more })])
      const lastRequest = () => receiver.of("/in").at(-1)!

      const form = yield* send({
        http_call_body_type: "form",
        http_call_form: [
          { key: "name", value: [ref(world, "name"), " & ü"] },
          { key: "token", value: [secret("token")] },
          { key: "name", value: "2" }
        ]
      })
      completed(form)
      assert.strictEqual(lastRequest().headers["content-type"], "application/x-www-form-urlencoded")
      assert.deepStrictEqual(
        [...new URLSearchParams(lastRequest().body)],
        [
          ["name", "Bolt & ü"],
          ["token", "tok-7xq3zkwv"],
          ["name", "2"]
        ]
      )
      nowhere(yield* traces(world, form.run_id), ["tok-7xq3zkwv"])

      const multipart = yield* send({
        http_call_headers: [{ key: "Content-Type", value: ["text/plain"] }],
        http_call_body_type: "multipart",
        http_call_form: [
          { key: "title", value: ["Papers"] },
          { key: "file", value: [], files: papers }
        ]
      })
      completed(multipart)
      const { body, headers } = lastRequest()
      const parsedForm = yield* Effect.promise(() =>
        new Response(Buffer.from(body), { headers: { "content-type": headers["content-type"]! } }).formData()
      )
      assert.strictEqual(parsedForm.get("title"), "Papers")
      const files = parsedForm.getAll("file") as Array<File>
      assert.deepStrictEqual(
        files.map(({ name, type }) => [name, type]),
        [
          ["a b.txt", "text/plain"],
          ["ü.csv", "text/csv"]
        ]
      )
      assert.strictEqual(yield* Effect.promise(() => files[1]!.text()), "content of ü.csv")
      assert.include(JSON.stringify(multipart.logs), "%C3%BC.csv+%2817+bytes%29")

      completed(yield* send({ http_call_body_type: "file", http_call_body_file: papers }))
      assert.deepStrictEqual(
        [lastRequest().headers["content-type"], lastRequest().body],
        ["text/plain", "content of a b.txt"]
      )
      const empty = yield* send({ http_call_body_type: "file", http_call_body_file: ref(world, "paper") })
      assert.strictEqual(empty.error_message, "There is no file to send.")
    })
  )

  it.effect("files of more than 25 MB are refused before they are read (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const sql = yield* SqlClient.SqlClient
      const { recordId, world } = yield* setting({})
      const { call } = yield* App
      const papers = yield* upload(world.token, [{ name: "large.bin" }])
      const body = { fields: { papers } }
      const change = yield* call("PUT", `/v1/record/${recordId}`, { token: world.token, body })
      assert.strictEqual(change.status, 200, change.text)
      yield* sql`UPDATE files SET size = 26214401 WHERE org_id = ${world.orgId} AND name = 'large.bin'`
      const run = yield* runSteps(world, recordId, [
        http(`${receiver.origin}/large`, {
          http_call_type: "post",
          http_call_body_type: "file",
          http_call_body_file: ref(world, "papers")
        })
      ])
      assert.strictEqual(run.error_message, "The files of the request are larger than 25 MB in total.")
      assert.lengthOf(receiver.of("/large"), 0)
    })
  )

  it.effect("what means nothing together is a 400 that says so; what is missing is told by validate (7.6, 7.12)", () =>
    Effect.gen(function* () {
      const { world } = yield* setting({ token: "tok-7xq3zkwv" })
      const { call } = yield* App
      const save = (config: object, type = "http_call") =>
        call("POST", `/v1/automation/app/${world.appId}`, {
          token: world.token,
          body: {
            name: "x",
            trigger: { type: "record_created", config: {} },
            actions: [{ ...http("https://example.com", config), type }]
          }
        })
      const files = ref(world, "papers")
      for (const [config, why] of [
        [{ http_call_body_type: "form", http_call_body: "x" }, /`http_call_body` means nothing for the body type/],
        [{ http_call_form: [{ key: "a", value: "b" }] }, /`http_call_form` means nothing unless/],
        [{ http_call_body_type: "form", http_call_form: [{ key: "a", files }] }, /http_call_form\.files/],
        [{ http_call_body_file: files }, /`http_call_body_file` means nothing unless/],
        [{ http_call_authentication: { type: "bearer", username: "x" } }, /username` means nothing for `bearer`/],
        [
          { http_call_authentication: { type: "basic", secret: "x" } },
          /actions\[0\]\.config\.http_call_authentication/
        ],
        [{ http_call_timeout_seconds: 121 }, /http_call_timeout_seconds/],
        [{ http_call_paging: { type: "link_header", next_path: ["a"] } }, /next_path` means nothing for `link_header`/],
        [{ http_call_paging: { type: "next_url", cursor_in: "body" } }, /cursor_in` means nothing for `next_url`/],
        [{ http_call_paging: { type: "cursor", pages_at_most: 101 } }, /pages_at_most/],
        [
          {
            http_call_paging: { type: "link_header" },
            custom_variable_defs: [{ custom_type: "single_file", label: "f" }]
          },
          /keeps no file/
        ]
      ] as ReadonlyArray<readonly [object, RegExp]>) {
        const refusal = yield* save(config)
        assert.strictEqual(refusal.status, 400, JSON.stringify(config))
        assert.match(refusal.text, why)
      }
      const login = { http_call_authentication: { type: "basic", username: "x" } }
      assert.strictEqual((yield* save(login, "authenticated_http_call")).status, 400)
      const creation = yield* save({
        http_call_authentication: { type: "digest" },
        http_call_client_certificate: { certificate: secret("unknown") },
        http_call_body_type: "file",
        http_call_response_as_file: true,
        http_call_paging: undefined
      })
      assert.strictEqual(creation.status, 201, creation.text)
      const findings = yield* call("GET", `/v1/automation/${creation.json.automation.id}/validate`, {
        token: world.token
      })
      assert.deepStrictEqual(
        findings.json.errors.map(({ code, message }: any) => `${code}: ${message}`),
        [
          "action_value_missing: `http_call_authentication.username` is not set.",
          "action_value_missing: `http_call_authentication.secret` is not set.",
          "action_value_missing: `http_call_client_certificate.private_key` is not set.",
          "action_value_missing: `http_call_body_file` is not set.",
          "action_variable_missing: The answer is to be a file, and no file variable takes it.",
          'action_secret_missing: There is no secret "unknown" in the app, its workspace or the organization.'
        ]
      )
      const exported = yield* call("GET", `/v1/automation/${creation.json.automation.id}/portable`, {
        token: world.token
      })
      assert.match(exported.text, /http_call_body_type/)
    })
  )

  it.effect("a time-out of its own; a large answer as a file alone (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const contents = yield* Contents
      const sql = yield* SqlClient.SqlClient
      const { recordId, world } = yield* setting({})
      receiver.on("/never", answers.hang)
      receiver.on("/large", (_request, response) =>
        response
          .writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment; filename=all.csv" })
          .end("x".repeat(6 * 1024 * 1024))
      )
      receiver.on("/sorry", answers.status(404, { "content-type": "application/json" }, `{"why":"none"}`))
      const lateRun = yield* runSteps(world, recordId, [
        http(`${receiver.origin}/never`, { http_call_type: "post", http_call_timeout_seconds: 1 })
      ])
      assert.match(lateRun.error_message!, /^timeout: 127\.0\.0\.1: no answer within 1s/)
      const asFile = (path: string, more: object = {}) => ({
        ...http(receiver.origin + path, {
          http_call_response_as_file: true,
          custom_variable_defs: [any("answer"), { custom_type: "single_file", label: "file" }]
        }),
        ...more
      })
      const run = yield* runSteps(world, recordId, [
        asFile("/large"),
        update(assignTo(ref(world, "paper"), [custom("file", "single_file")]))
      ])
      completed(run)
      assert.isNull(run.variables["answer"].data)
      const file = (yield* shown(world.token, recordId)).values["paper"][0].value
      assert.deepStrictEqual([file.filename, file.size], ["all.csv", 6 * 1024 * 1024])
      const [row] = yield* sql<{ storage_key: string }>`SELECT storage_key FROM files WHERE file_id = ${file.id}`
      assert.lengthOf(yield* contents.bytes(row!.storage_key), 6 * 1024 * 1024)
      const missing = yield* runSteps(world, recordId, [asFile("/sorry", { continue_on_error: true })])
      assert.deepStrictEqual(missing.variables["answer"].data, { why: "none" })
      const asData = yield* runSteps(world, recordId, [http(`${receiver.origin}/large`)])
      assert.match(asData.error_message!, /too_large/)
    })
  )

  it.effect("Retry-After is waited for up to the definition's bound, and not at all without one (7.13)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({})
      const quick = { attempts: 2, first_ms: 100, factor: 1, at_most_ms: 100 }
      const tried = Effect.fnUntraced(function* (path: string, header: string, retry: object) {
        receiver.on(path, answers.status(429, { "retry-after": header }))
        const run = yield* runSteps(world, recordId, [{ ...http(receiver.origin + path), retry }])
        assert.lengthOf(receiver.of(path), 2)
        return run.steps[0].messages[1].message as string
      })
      assert.match(
        yield* tried("/asks", "1", { ...quick, retry_after_at_most_ms: 5_000 }),
        /^The next is made after 1 s,/
      )
      const long = yield* tried("/asks-long", "86400", { ...quick, retry_after_at_most_ms: 200 })
      assert.match(long, /^The next is made after 0\.2 s,/)
      const date = yield* tried("/asks-date", "Thu, 01 Jan 2099 00:00:00 GMT", {
        ...quick,
        retry_after_at_most_ms: 300
      })
      assert.match(date, /^The next is made after 0\.3 s,/)
      assert.match(yield* tried("/asks-nobody", "86400", quick), /^The next is made after 0\.1 s,/)
    })
  )

  it.effect("a redirect to another origin takes no body with a secret along, in steps and scripts (W9, 7.13)", () =>
    Effect.gen(function* () {
      const { other, receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({ token: "tok-7xq3zkwv" })
      receiver.on("/away", answers.status(307, { location: `${other.origin}/taken` }))
      receiver.on("/near", answers.status(307, { location: "/here" }))
      const send = (path: string, body: ReadonlyArray<unknown>) =>
        runSteps(world, recordId, [
          http(receiver.origin + path, {
            http_call_type: "post",
            http_call_follow_redirects: true,
            http_call_body: body
          })
        ])
      const redirectedRun = yield* send("/away", ["key=", secret("token")])
      assert.match(
        redirectedRun.error_message!,
        /^invalid_request: .* a redirect to another origin asks for a body with a secret/
      )
      completed(yield* send("/near", ["key=", secret("token")]))
      assert.strictEqual(receiver.of("/here").at(-1)!.body, "key=tok-7xq3zkwv")
      completed(yield* send("/away", ["key=none"]))
      assert.deepStrictEqual(
        other.of("/taken").map(({ body }) => body),
        ["key=none"]
      )
      const script = yield* runSteps(world, recordId, [
        {
          type: "custom_code",
          config: { code: `await http.post("${receiver.origin}/away", { key: secret("token") })` }
        }
      ])
      assert.match(script.error_message!, /asks for a body with a secret/)
      assert.lengthOf(other.of("/taken"), 1)
    })
  )
})
