// developer-api.md 5: comments and replies, and their files (6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"

const setting = Effect.gen(function* () {
  const app = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const token = owner.key
  const { workspace_id } = (yield* app.call("POST", "/v1/workspace", { token, body: { name: "W", type: "default" } }))
    .json
  const field = { field_type: "single_text", config: { label: "Title" } }
  const { app_id } = (yield* app.call("POST", "/v1/app", { token, body: { workspace_id, name: "A", fields: [field] } }))
    .json
  const { record_id } = (yield* app.call("POST", `/v1/record/app/${app_id}`, {
    token,
    body: { fields: { title: "x" } }
  })).json
  const comment = (by: string, value: unknown, query = "") =>
    app.call("POST", `/v1/comment/record/${record_id}${query}`, { token: by, body: { value } })
  return { app, orgId, owner, token, app_id, record_id, comment }
})

const upload = (app: App["Service"], token: string, files: ReadonlyArray<readonly [string, string]>, part = "file") =>
  Effect.gen(function* () {
    const form = new FormData()
    for (const [name, content] of files) form.append(part, new Blob([content], { type: "text/plain" }), name)
    const request = new Request("http://127.0.0.1:8080/v1/file/upload", {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${token}` }
    })
    const response = yield* app.fetch(request)
    return { status: response.status, json: (yield* Effect.promise(() => response.json())) as any }
  })

layer(appLayer(), { excludeTestServices: true })("developer-api.md 5: comments and replies", (it) => {
  it.effect("a comment has the documented members, counts on the record and adds no revision", () =>
    Effect.gen(function* () {
      const { app, token, owner, record_id, comment } = yield* setting
      const { status, json } = yield* comment(token, "Hello @[Owner](user:1)\nsecond line")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(Object.keys(json).sort(), [
        "comment_id",
        "created_by",
        "created_on",
        "files",
        "ref",
        "reply_count",
        "user",
        "value"
      ])
      assert.deepStrictEqual(json.ref, { type: "record", id: record_id })
      assert.strictEqual(json.user.user_id, owner.userId)
      const record = (yield* app.call("GET", `/v1/record/${record_id}`, { token })).json
      assert.deepInclude(record, { comment_count: 1, revision: 0 })
    })
  )

  it.effect("empty and overlong texts, stray keys and trashed or foreign records are refused", () =>
    Effect.gen(function* () {
      const { app, token, record_id, comment } = yield* setting
      assert.strictEqual((yield* comment(token, " ")).json.error_code, "validation")
      assert.strictEqual((yield* comment(token, "x".repeat(50_001))).json.error_code, "validation")
      assert.strictEqual((yield* comment(token, 5)).json.error_code, "input_validation")
      const other = yield* seedOrganization()
      assert.strictEqual((yield* comment(other.owner.key, "x")).json.error_code, "record_not_exists")
      yield* app.call("DELETE", `/v1/record/${record_id}`, { token })
      assert.strictEqual((yield* comment(token, "x")).json.error_code, "record_deleted")
    })
  )

  it.effect("lists oldest first in pages with a frozen total; a foreign cursor and a limit out of range are 400", () =>
    Effect.gen(function* () {
      const { app, token, record_id, comment } = yield* setting
      for (const n of [1, 2, 3]) yield* comment(token, `c${n}`)
      const path = `/v1/comment/record/${record_id}`
      const firstPage = (yield* app.call("GET", `${path}?limit=2`, { token })).json
      yield* comment(token, "c4")
      const second = (yield* app.call("GET", `${path}?limit=2&cursor=${firstPage.cursor}`, { token })).json
      assert.deepStrictEqual(
        firstPage.comments.map((c: any) => c.value),
        ["c1", "c2"]
      )
      assert.deepStrictEqual(
        second.comments.map((c: any) => c.value),
        ["c3", "c4"]
      )
      assert.deepStrictEqual([firstPage.total, second.total, second.cursor], [3, 3, null])
      const reply = yield* app.call(
        "GET",
        `/v1/comment/${firstPage.comments[0].comment_id}/reply?cursor=${firstPage.cursor}`,
        {
          token
        }
      )
      assert.strictEqual(reply.json.error_code, "validation")
      assert.strictEqual((yield* app.call("GET", `${path}?limit=101`, { token })).json.error_code, "validation")
    })
  )

  it.effect("only the author edits (edited_on, no event); author or workspace admin deletes, replies go too", () =>
    Effect.gen(function* () {
      const { app, orgId, token, comment, record_id } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const member = yield* seedUser(orgId, "member")
      const { comment_id } = (yield* comment(member.key, "mine")).json
      const path = `/v1/comment/${comment_id}`
      const reply = yield* app.call("POST", `${path}/reply`, { token, body: { value: "answer" } })
      assert.deepInclude(reply.json, { ref: { type: "comment", id: comment_id }, value: "answer" })
      assert.strictEqual(
        (yield* app.call("PUT", path, { token, body: { value: "changed" } })).json.error_code,
        "restricted_resource"
      )
      const edited = yield* app.call("PUT", path, { token: member.key, body: { value: "changed" } })
      assert.deepInclude(edited.json, { value: "changed", reply_count: 1 })
      assert.isString(edited.json.edited_on)
      assert.strictEqual(
        (yield* app.call("DELETE", `/v1/reply/${reply.json.reply_id}`, { token: member.key })).status,
        403
      )
      assert.deepStrictEqual((yield* app.call("DELETE", path, { token })).json, {})
      assert.strictEqual((yield* app.call("GET", `/v1/reply/${reply.json.reply_id}`, { token })).status, 404)
      const events = yield* sql<{
        type: string
      }>`SELECT type FROM outbox WHERE record_id = ${record_id} ORDER BY event_id`
      assert.deepStrictEqual(
        events.map((e) => e.type),
        ["record.create", "comment.create", "reply.create", "comment.delete"]
      )
    })
  )

  it.effect("1.9: hook and workflow go with the event; other words than true and false are 400", () =>
    Effect.gen(function* () {
      const { token, comment, record_id } = yield* setting
      const sql = yield* SqlClient.SqlClient
      yield* comment(token, "quiet", "?hook=false&workflow=false&silent=true")
      const [event] =
        yield* sql<object>`SELECT hook, workflow, silent FROM outbox WHERE record_id = ${record_id} AND type = 'comment.create'`
      assert.deepStrictEqual(event, { hook: false, workflow: false, silent: true })
      assert.strictEqual((yield* comment(token, "x", "?hook=1")).status, 400)
    })
  )

  it.effect("2.4: reading and writing comments need their own scopes", () =>
    Effect.gen(function* () {
      const { app, owner, record_id, comment } = yield* setting
      const reader = yield* seedToken(owner.userId, ["records.comments:read"])
      assert.strictEqual((yield* comment(reader, "x")).status, 403)
      assert.strictEqual((yield* app.call("GET", `/v1/comment/record/${record_id}`, { token: reader })).status, 200)
    })
  )
})

layer(appLayer(), { excludeTestServices: true })("developer-api.md 6: files", (it) => {
  it.effect("one part answers an object, several an array; a comment attaches them and spends the temporary ids", () =>
    Effect.gen(function* () {
      const { app, token, record_id } = yield* setting
      const firstUpload = yield* upload(app, token, [['ä "b".txt', "hello"]])
      assert.match(firstUpload.json.file_id, /^temporary-/)
      assert.deepInclude(firstUpload.json, { size: 5, mimetype: "text/plain" })
      const two = yield* upload(app, token, [
        ["a.txt", "a"],
        ["b.txt", "bb"]
      ])
      assert.deepStrictEqual(
        two.json.map((f: any) => f.name),
        ["a.txt", "b.txt"]
      )
      const post = () =>
        app.call("POST", `/v1/comment/record/${record_id}`, {
          token,
          body: { value: "see", file_ids: [firstUpload.json.file_id] }
        })
      const commented = (yield* post()).json
      const [file] = commented.files
      assert.isNumber(file.file_id)
      assert.strictEqual((yield* post()).json.error_code, "validation")
      const meta = yield* app.call("GET", `/v1/file/${file.file_id}`, { token })
      assert.strictEqual(meta.json.name, 'ä "b".txt')
      const path = meta.json.link.replace("http://127.0.0.1:8080", "")
      const content = yield* app.call("GET", path)
      assert.strictEqual(content.text, "hello")
      assert.match(content.headers.get("content-disposition") ?? "", /^attachment;/)
      assert.strictEqual(content.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(
        (yield* app.call(
          "GET",
          path.replace(/.$/, (c: string) => (c === "A" ? "B" : "A"))
        )).status,
        404
      )
      const stranger = yield* seedOrganization()
      assert.strictEqual(
        (yield* app.call("GET", `/v1/file/${file.file_id}`, { token: stranger.owner.key })).status,
        404
      )
    })
  )

  it.effect("no part, an empty one or another content type are 400 validation", () =>
    Effect.gen(function* () {
      const { app, token } = yield* setting
      assert.deepInclude((yield* upload(app, token, [["a.txt", ""]])).json, {
        status_code: 400,
        error_code: "validation"
      })
      assert.deepInclude((yield* upload(app, token, [["a.txt", "x"]], "other")).json, { error_code: "validation" })
      const json = yield* app.call("POST", "/v1/file/upload", { token, body: {} })
      assert.deepInclude(json.json, { status_code: 400, error_code: "validation" })
      const broken = yield* app.call("POST", "/v1/file/upload", {
        token,
        body: "--nonsense",
        headers: { "content-type": "multipart/form-data" }
      })
      assert.deepInclude(broken.json, { status_code: 400, error_code: "validation" })
    })
  )
})

layer(appLayer({ UPLOAD_MAX_MEGABYTES: "1" }), { excludeTestServices: true })(
  "developer-api.md 6: the upload limit",
  (it) => {
    it.effect("a file above it is 400 validation and nothing is stored", () =>
      Effect.gen(function* () {
        const { app, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const reply = yield* upload(app, token, [["big.bin", "x".repeat(1_200_000)]])
        assert.deepInclude(reply.json, { status_code: 400, error_code: "validation" })
        const [count] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM file_chunks`
        assert.strictEqual(count?.n, 0)
      })
    )
  }
)
