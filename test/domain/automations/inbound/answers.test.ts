// What a run answers a sender (developer-api.md 7.9): status, headers, type, redirect and file by its values, at its end.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { ddl } from "../../../support/database.ts"
import { spineLayer } from "../../../support/spine.ts"
import { runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"
import { definition, exit, inbound, prop, say, send, shown } from "./answerSupport.ts"

const guards = {
  "content-security-policy": /sandbox/,
  "x-content-type-options": /^nosniff$/,
  "cache-control": /no-store/
}

layer(spineLayer(), { excludeTestServices: true })("answers of sync addresses (7.9)", (it) => {
  it.effect("status, headers and type come from values of the run; what is empty counts as left out", () =>
    Effect.gen(function* () {
      const { url } = yield* inbound(
        {
          response_status: 202,
          response_status_value: [prop("status")],
          response_headers: [
            { name: "X-Order", value: ["order ", shown] },
            { name: "X-Empty", value: [prop("nothing")] },
            { name: "Content-Type", value: [prop("type")] }
          ],
          response_body: [`{"said": "`, prop("text"), `"}`]
        },
        () => [say("7"), exit("success")]
      )
      const text = `Zoë "Z", "admin": true`
      const createdAnswer = yield* send(url, { status: " 201 ", text, type: "application/problem+json" })
      assert.strictEqual(createdAnswer.status, 201)
      assert.strictEqual(createdAnswer.headers.get("x-order"), "order 7")
      assert.isNull(createdAnswer.headers.get("x-empty"))
      assert.strictEqual(createdAnswer.headers.get("content-type"), "application/problem+json")
      assert.deepStrictEqual(JSON.parse(createdAnswer.text), { said: text })
      for (const [name, value] of Object.entries(guards)) assert.match(createdAnswer.headers.get(name) ?? "", value)
      const plainAnswer = yield* send(url, { text })
      assert.deepStrictEqual([plainAnswer.status, plainAnswer.headers.get("content-type")], [202, "application/json"])
      // The type decides what escapes the values.
      const words = yield* send(url, { text, type: "text/plain" })
      assert.deepStrictEqual(
        [words.text, words.headers.get("content-type")],
        [`{"said": "${text}"}`, "text/plain; charset=utf-8"]
      )
    })
  )

  it.effect("what no status or header may be is a 500 {}, and the run's log says why without the value", () =>
    Effect.gen(function* () {
      const { id, url } = yield* inbound({
        response_status_value: [prop("status")],
        response_headers: [
          { name: "X-Said", value: [prop("said")] },
          { name: "Content-Type", value: [prop("type")] }
        ],
        response_body: ["fine"]
      })
      const hostile = [
        { said: "a\r\nSet-Cookie: stolen=1" },
        { said: "a\nb" },
        { said: "a\u0000b" },
        { said: "a\u0085b" },
        { said: "stolen 😀" },
        { said: "stolen ".repeat(2_000) },
        { type: "text/html\r\nX-Other: stolen" },
        { type: "stolen" },
        { status: "stolen" },
        { status: "199" },
        { status: "600" },
        { status: "2e2" }
      ]
      for (const body of hostile) {
        const { headers, status, text } = yield* send(url, body)
        assert.deepStrictEqual([status, text], [500, "{}"], JSON.stringify(body).slice(0, 80))
        assert.isNull(headers.get("set-cookie"))
        assert.isNull(headers.get("x-other"))
      }
      assert.strictEqual((yield* send(url, { said: "naïve", status: "204" })).status, 204)
      const runs = yield* runsOver(id, hostile.length + 1)
      assert.isTrue(runs.every(({ status }) => status === "completed"))
      const answerEntries = runs.map(({ logs }) => logs.filter(({ label }: any) => label === "Answer"))
      assert.deepStrictEqual(
        answerEntries.map((entries) => entries.map(({ status }: any) => status)),
        [...hostile.map(() => ["failure"]), []]
      )
      assert.match(answerEntries[0]![0].messages[0].message, /header X-Said of the answer cannot be sent/)
      assert.notInclude(JSON.stringify(answerEntries), "stolen")
    })
  )

  it.effect(
    "names that are the service's own, repeated or none, and values that no header carries are a 400 with the place",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, token } = yield* seedApp()
        const save = (config: object) =>
          app.call("POST", `/v1/automation/app/${appId}`, { token, body: definition(config, [exit("success")]) })
        const refusedNames = [
          ...["Set-Cookie", "content-length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Proxy-Foo"],
          ...["Content-Security-Policy", "X-Content-Type-Options", "Strict-Transport-Security", "Location", "Vary"],
          ...["Access-Control-Allow-Origin", "Cross-Origin-Opener-Policy", "Clear-Site-Data", "Cache-Control"],
          ...["Content-Encoding", "WWW-Authenticate", "X-Request-Id", "X-A\r\nX-B", "X: A", "", "Ünicode"]
        ]
        for (const name of refusedNames) {
          const answer = yield* save({
            response_headers: [
              { name: "X-Fine", value: ["a"] },
              { name, value: ["a"] }
            ]
          })
          assert.strictEqual(answer.status, 400, name)
          assert.include(answer.json.error_message, "trigger.config.response_headers[1]", name)
        }
        const assertRefused = Effect.fnUntraced(function* (config: object, said: RegExp) {
          const answer = yield* save(config)
          assert.strictEqual(answer.status, 400, answer.text)
          assert.match(answer.json.error_message, said)
        })
        yield* assertRefused(
          { response_headers: [{ name: "X-A", value: ["a\r\nb"] }] },
          /response_headers\[0\].*no header carries/s
        )
        const twice = [
          { name: "X-A", value: ["a"] },
          { name: "x-a", value: ["b"] }
        ]
        yield* assertRefused({ response_headers: twice }, /response_headers.*`x-a` stands twice/s)
        const many = Array.from({ length: 31 }, (_, n) => ({ name: `X-${n}`, value: ["a"] }))
        yield* assertRefused({ response_headers: many }, /response_headers/)
        const fine = yield* save({ response_headers: [...many.slice(1), { name: "Retry-After", value: "5" }].slice(1) })
        assert.strictEqual(fine.status, 201, fine.text)
      })
  )

  it.effect("a redirect has the status that is one, else 302, and leads to http and https alone", () =>
    Effect.gen(function* () {
      const { url } = yield* inbound({
        response_status_value: [prop("status")],
        response_redirect: [prop("to")],
        response_headers: [{ name: "X-Why", value: ["moved"] }],
        response_body: ["stays"]
      })
      const went = Effect.fnUntraced(function* (body: object) {
        const { headers, status, text } = yield* send(url, body)
        return [status, headers.get("location"), text] as const
      })
      const to = "https://example.com/thanks?a=1#top"
      assert.deepStrictEqual(yield* went({ to }), [302, to, ""])
      assert.strictEqual((yield* send(url, { to })).headers.get("x-why"), "moved")
      for (const status of [301, 303, 307, 308])
        assert.deepStrictEqual(yield* went({ to, status: String(status) }), [status, to, ""])
      assert.deepStrictEqual(yield* went({ to, status: "404" }), [302, to, ""])
      assert.deepStrictEqual(yield* went({}), [200, null, "stays"])
      const injectedAnswer = yield* went({ to: "https://example.com/\r\nSet-Cookie: a=b" })
      assert.strictEqual(injectedAnswer[1], "https://example.com/Set-Cookie:%20a=b")
      for (const bad of [
        "javascript:alert(1)",
        "/console",
        "//example.com",
        "data:text/html,x",
        `${to}${"x".repeat(9_000)}`
      ])
        assert.deepStrictEqual(yield* went({ to: bad }), [500, null, "{}"], bad.slice(0, 40))
    })
  )

  it.effect("a file is the body with its type and name, sandboxed; without one it is response_body", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* inbound({
        response_file: { kind: "variable", source: "trigger", trigger_type: "webhook_file_collection" },
        response_headers: [{ name: "Content-Disposition", value: [prop("shown")] }],
        response_body: ["no file"]
      })
      const withFile = (
        bytes: Uint8Array<ArrayBuffer>,
        name: string,
        type: string,
        fields: Record<string, string> = {}
      ) => {
        const form = new FormData()
        for (const [key, value] of Object.entries(fields)) form.append(key, value)
        form.append("file", new Blob([bytes], { type }), name)
        return send(url, form)
      }
      const bytes = new Uint8Array(600_000).map((_, index) => index % 251)
      const image = yield* withFile(bytes, `Käse "1".png`, "image/png")
      assert.strictEqual(image.status, 200)
      assert.deepStrictEqual(image.bytes, bytes)
      assert.strictEqual(image.headers.get("content-type"), "image/png")
      assert.strictEqual(image.headers.get("content-length"), "600000")
      assert.strictEqual(
        image.headers.get("content-disposition"),
        `attachment; filename="K_se _1_.png"; filename*=UTF-8''K%C3%A4se%20%221%22.png`
      )
      const page = yield* withFile(new TextEncoder().encode("<b>"), "a.html", "text/html", { shown: "inline" })
      assert.deepStrictEqual([page.text, page.headers.get("content-disposition")], ["<b>", "inline"])
      for (const [name, value] of Object.entries(guards)) assert.match(page.headers.get(name) ?? "", value)
      assert.strictEqual((yield* send(url)).text, "no file")
      // As if it were larger than what is answered with.
      yield* ddl(
        `CREATE FUNCTION outgrow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.size := 25000001; RETURN NEW; END $$`,
        `CREATE TRIGGER outgrow BEFORE INSERT ON files FOR EACH ROW WHEN (NEW.name = 'large') EXECUTE FUNCTION outgrow()`
      )
      const large = yield* withFile(bytes, "large", "application/pdf")
      assert.deepStrictEqual([large.status, large.text], [500, "{}"])
      const [kept] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM files WHERE name = 'large'`
      assert.strictEqual(kept!.n, 1, "it is there, and only too large")
    })
  )

  it.effect("a variable of the run gives the file; the members travel in portable files", () =>
    Effect.gen(function* () {
      const app = yield* App
      const def = { custom_type: "single_file", label: "Proof" }
      const files = { kind: "variable", source: "trigger", trigger_type: "webhook_file_collection" }
      const config = {
        response_status_value: ["203"],
        response_headers: [{ name: "X-Kept", value: ["yes"] }],
        response_file: { kind: "variable", source: "custom", ...def }
      }
      const { id, token, url } = yield* inbound(config, () => [
        { type: "custom_variable", config: { assignment_code: [files], custom_variable_defs: [def] } },
        exit("respond")
      ])
      const form = new FormData()
      form.append("file", new Blob(["proven"], { type: "text/csv" }), "proof.csv")
      const { headers, status, text } = yield* send(url, form)
      assert.deepStrictEqual([status, text, headers.get("content-type")], [203, "proven", "text/csv"])
      const portable = yield* app.call("GET", `/v1/automation/${id}/portable`, { token })
      assert.strictEqual(portable.status, 200, portable.text)
      const short = {
        response_status_value: "203",
        response_headers: [{ name: "X-Kept", value: "yes" }],
        response_file: "{{ vars.Proof }}"
      }
      assert.deepInclude(portable.json.file.trigger.config, short)
    })
  )

  it.effect("response_file has to refer to files", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const body = definition({ response_file: prop("file") }, [exit("success")])
      const { json } = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
      const tried = yield* app.call("POST", `/v1/automation/${json.automation.id}/activate`, { token })
      assert.strictEqual(tried.status, 409, tried.text)
      assert.include(tried.text, "`response_file` does not refer to files")
    })
  )

  it.effect("a run that the release before has ended is answered with the text that it kept", () =>
    Effect.gen(function* () {
      const { url } = yield* inbound({
        response_status: 201,
        response_content_type: "text/plain",
        response_body: ["kept ", prop("text")]
      })
      yield* ddl(
        `CREATE FUNCTION former() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.answer := NULL; RETURN NEW; END $$`,
        `CREATE TRIGGER former BEFORE INSERT ON run_pages FOR EACH ROW EXECUTE FUNCTION former()`
      )
      const { headers, status, text } = yield* send(url, { text: "well" })
      yield* ddl(`DROP TRIGGER former ON run_pages`)
      assert.deepStrictEqual(
        [status, headers.get("content-type"), text],
        [201, "text/plain; charset=utf-8", "kept well"]
      )
    })
  )
})
