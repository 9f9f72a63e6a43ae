// Attacks with names of files (decisions O8): what a name shows is what the file is, wherever it came in and wherever it goes out.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer } from "../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../support/records.ts"

const BASE = "http://127.0.0.1:8080"

layer(appLayer(), { excludeTestServices: true })("names of files", (it) => {
  it.effect("an upload whose name turns itself round is kept, read and downloaded without that", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const { app_id } = yield* createApp(owner, workspaceId, [field("multi_attachment", "Files")])
      const form = new FormData()
      form.append("file", new File(["MZ"], "invoice_\u202efdp.exe", { type: "application/pdf" }))
      const uploaded = yield* app.fetch(
        new Request(`${BASE}/v1/file/upload`, {
          method: "POST",
          body: form,
          headers: { authorization: `Bearer ${owner.key}` }
        })
      )
      const file = (yield* Effect.promise(() => uploaded.json())) as { file_id: string; name: string }
      assert.strictEqual(file.name, "invoice_fdp.exe")
      const createReply = yield* call("POST", `/v1/record/app/${app_id}`, { fields: { files: [file.file_id] } })
      const { value } = createReply.json.fields[0].values[0]
      assert.strictEqual(value.filename, "invoice_fdp.exe")
      // What an earlier release has kept goes out without it too.
      yield* sql`UPDATE files SET name = ${"a\u202etxt.exe"} WHERE file_id = ${value.id}`
      const download = yield* app.fetch(new Request(value.download_url))
      assert.strictEqual(
        download.headers.get("content-disposition"),
        "attachment; filename=\"atxt.exe\"; filename*=UTF-8''atxt.exe"
      )
      yield* Effect.promise(() => download.arrayBuffer())
    })
  )
})
