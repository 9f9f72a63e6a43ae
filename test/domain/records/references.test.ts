// developer-api.md 4.3 rule 3 and 6 rule 2: what a value refers to must exist and be allowed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 4.3 rule 3: references", (it) => {
  const upload = Effect.fnUntraced(function* (orgId: number, userId: number, name: string, mimetype = "image/png") {
    const sql = yield* SqlClient.SqlClient
    const id = `temporary-${name}-${userId}`
    yield* sql`
      INSERT INTO files (org_id, temporary_id, uploaded_by, name, size, mimetype, storage_key, created_on)
      VALUES (${orgId}, ${id}, ${userId}, ${name}, 3, ${mimetype}, ${id}, now())`
    return id
  })

  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const target = yield* createApp(seed.owner, seed.workspaceId, [field("single_text", "Name")], "Targets")
    const app = yield* createApp(seed.owner, seed.workspaceId, [
      field("multi_relation", "To", { referenced_apps: [{ app_id: target.app_id }] }),
      field("single_user", "Who"),
      field("multi_attachment", "Files"),
      field("multi_image", "Images")
    ])
    const call = as(seed.owner)
    const create = (appId: number, fields: object) => call("POST", `/v1/record/app/${appId}`, { fields })
    return { ...seed, target, app, call, create }
  })

  it.effect("4.3 rule 3: users, records and files of others are refused", () =>
    Effect.gen(function* () {
      const { app, target, create, call, orgId } = yield* setup
      const stranger = yield* setup
      const foreign = (yield* stranger.create(stranger.target.app_id, { name: "x" })).json.record_id
      const other = (yield* create(app.app_id, {})).json.record_id
      const trashed = (yield* create(target.app_id, { name: "t" })).json.record_id
      yield* call("DELETE", `/v1/record/${trashed}`)
      const strangersFile = yield* upload(stranger.orgId, stranger.owner.userId, "s.png")
      const colleague = yield* seedUser(orgId, "member")
      const colleaguesFile = yield* upload(orgId, colleague.userId, "c.png")
      for (const [sent, place] of [
        [{ to: [foreign] }, "fields.to"],
        [{ to: [other] }, "fields.to"],
        [{ to: [trashed] }, "fields.to"],
        [{ to: [99_999_999] }, "fields.to"],
        [{ who: stranger.owner.userId }, "fields.who"],
        [{ files: [strangersFile] }, "fields.files"],
        [{ files: [colleaguesFile] }, "fields.files"],
        [{ files: [12_345] }, "fields.files"]
      ] as const) {
        const reply = yield* create(app.app_id, sent)
        assert.strictEqual(reply.status, 400, JSON.stringify(sent))
        assert.include(reply.json.error_message, place)
      }
    })
  )

  it.effect("4.3, 6 rule 2: an upload is not spent by a create that the app's new version makes begin anew", () =>
    Effect.gen(function* () {
      const { app, create, owner, orgId, call } = yield* setup
      const service = yield* App
      const changed = Effect.fnUntraced(function* (label: string) {
        assert.strictEqual((yield* create(app.app_id, {})).status, 200)
        const body = { fields: [field("single_text", label)] }
        assert.strictEqual((yield* call("PUT", `/v1/app/${app.app_id}`, body)).status, 200)
        return yield* upload(orgId, owner.userId, `${label}.png`)
      })
      const firstCreation = yield* create(app.app_id, { files: [yield* changed("One")] })
      assert.strictEqual(firstCreation.status, 200, firstCreation.text)
      const two = { fields: { files: [yield* changed("Two")] } }
      const batch = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, { inputs: [two, { fields: {} }] })
      assert.strictEqual(batch.status, 200, batch.text)
      // Within the transaction of a repeatable call.
      const keyed = yield* service.call("POST", `/v1/record/app/${app.app_id}`, {
        token: owner.key,
        headers: { "idempotency-key": "stale" },
        body: { fields: { files: [yield* changed("Three")] } }
      })
      assert.strictEqual(keyed.status, 200, keyed.text)
    })
  )

  it.effect("6 rule 2: a temporary file id attaches once and is spent", () =>
    Effect.gen(function* () {
      const { app, create, call, owner, orgId } = yield* setup
      const id = yield* upload(orgId, owner.userId, "a.png")
      const pdf = yield* upload(orgId, owner.userId, "a.pdf", "application/pdf")
      assert.include((yield* create(app.app_id, { images: [pdf] })).json.error_message, "images only")
      const creation = yield* create(app.app_id, { files: [pdf], images: [id] })
      assert.strictEqual(creation.status, 200, creation.text)
      const [files, images] = creation.json.fields
      assert.isNumber(files.values[0].value.id)
      assert.deepInclude(images.values[0].value, { filename: "a.png", size: 3, mimetype: "image/png" })
      assert.strictEqual((yield* create(app.app_id, { images: [id] })).status, 400)
      // An attached file may be used again, by its own id, by whoever sees its record.
      const secondCreation = yield* create(app.app_id, { images: [images.values[0].value.id] })
      assert.strictEqual(secondCreation.status, 200)
      const kept = yield* call("PUT", `/v1/record/${secondCreation.json.record_id}`, { fields: { images: [] } })
      assert.deepStrictEqual(kept.json.fields, [])
      const sql = yield* SqlClient.SqlClient
      const links = yield* sql`SELECT record_id FROM file_links WHERE file_id = ${images.values[0].value.id}`
      assert.deepStrictEqual(links, [{ record_id: creation.json.record_id }])
    })
  )

  it.effect("4.1: a title of files is the name of the first, also of one that the write itself attaches", () =>
    Effect.gen(function* () {
      const { owner, orgId, workspaceId, call, create } = yield* setup
      const photos = yield* createApp(owner, workspaceId, [field("multi_image", "Photos")], "Photos")
      const names = ["a.png", "b.png", "c.png", "d.png"]
      const [a, b, c, d] = yield* Effect.forEach(names, (name) => upload(orgId, owner.userId, name))
      const { json: one } = yield* create(photos.app_id, { photos: [a, b] })
      assert.strictEqual(one.title, "a.png")
      const other = { record_id: (yield* create(photos.app_id, {})).json.record_id, fields: { photos: [c] } }
      const inputs = [{ record_id: one.record_id, fields: { photos: [d] } }, other]
      const { json } = yield* call("PUT", `/v1/record/app/batch/${photos.app_id}`, { inputs })
      assert.deepStrictEqual(
        json.records.map((record: { title: string }) => record.title),
        ["d.png", "c.png"]
      )
      const sql = yield* SqlClient.SqlClient
      const events =
        yield* sql`SELECT payload->>'title' AS title FROM outbox WHERE app_id = ${photos.app_id} ORDER BY event_id`
      assert.deepStrictEqual(
        events.map(({ title }) => title),
        ["a.png", "Photos #2", "d.png", "c.png"]
      )
    })
  )

  it.effect("6 rule 2: of parallel writes with one temporary id exactly one succeeds", () =>
    Effect.gen(function* () {
      const { app, create, owner, orgId } = yield* setup
      const id = yield* upload(orgId, owner.userId, "p.png")
      const replies = yield* Effect.all(
        Array.from({ length: 6 }, () => create(app.app_id, { files: [id] })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(replies.filter((reply) => reply.status === 200).length, 1)
      assert.strictEqual(replies.filter((reply) => reply.status === 400).length, 5)
    })
  )

  it.effect("4.1: the title of a related record follows when that record is renamed, trashed and restored", () =>
    Effect.gen(function* () {
      const { app, target, create, call } = yield* setup
      const targetId = (yield* create(target.app_id, { name: "One" })).json.record_id
      const linked = (yield* create(app.app_id, { to: [targetId] })).json
      const title = () =>
        Effect.map(call("GET", `/v1/record/${linked.record_id}`), (r) => [r.json.title, r.json.revision])
      assert.deepStrictEqual(yield* title(), ["One", 0])
      yield* call("PUT", `/v1/record/${targetId}`, { fields: { name: "Uno" } })
      assert.deepStrictEqual(yield* title(), ["Uno", 0])
      yield* call("DELETE", `/v1/record/${targetId}`)
      assert.deepStrictEqual(yield* title(), ["Deliveries #1", 0])
      yield* call("POST", `/v1/record/${targetId}/restore`)
      assert.deepStrictEqual(yield* title(), ["Uno", 0])
      yield* call("DELETE", `/v1/record/${targetId}?skip_trash=true`)
      assert.deepStrictEqual(yield* title(), ["Deliveries #1", 0])
    })
  )
})
