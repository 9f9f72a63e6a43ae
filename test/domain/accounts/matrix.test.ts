// developer-api.md 2.3: who may do what to every kind of resource, in every type of workspace; 1.2, 1.5: 404 and 403 told apart.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, type Person, seedOrganization, seedUser } from "../../support/app.ts"
import { createApp, field } from "../../support/records.ts"

type Type = "default" | "open" | "closed" | "private"
type Actor =
  | "owner"
  | "org admin"
  | "workspace admin"
  | "member"
  | "outsider"
  | "workspace guest"
  | "org guest"
  | "stranger"

/** What an actor holds on apps and records of a workspace of the type; `name`: the workspace's name only; `none`: nothing. */
const levelsOf: Record<Actor, Record<Type, 5 | 3 | 1 | "name" | "none">> = {
  owner: { default: 5, open: 5, closed: 5, private: "none" },
  "org admin": { default: 5, open: 5, closed: 5, private: "none" },
  "workspace admin": { default: 5, open: 5, closed: 5, private: 5 },
  member: { default: 3, open: 3, closed: 3, private: 3 },
  outsider: { default: 3, open: 1, closed: "name", private: "none" },
  "workspace guest": { default: "name", open: "name", closed: "name", private: "name" },
  "org guest": { default: "none", open: "none", closed: "none", private: "none" },
  stranger: { default: "none", open: "none", closed: "none", private: "none" }
}

/** Endpoint, body, and the level it needs; automations hide themselves (developer-api.md 7). */
type Row = readonly [method: string, path: string, body: unknown, level: 0 | 1 | 2 | 3 | 4 | 5, hides?: true]
const rows: ReadonlyArray<Row> = [
  ["GET", "/v1/workspace/{workspace}", undefined, 0],
  ["PUT", "/v1/workspace/{workspace}", {}, 5],
  ["GET", "/v1/app/{app}", undefined, 1],
  ["PUT", "/v1/app/{app}", {}, 5],
  ["PUT", "/v1/app/{app}/fields/order", { fields: [] }, 5],
  ["GET", "/v1/app/{app}/views", undefined, 1],
  ["GET", "/v1/view/{view}", undefined, 1],
  ["PUT", "/v1/view/{view}", {}, 4],
  ["POST", "/v1/view/app/{app}", { name: "", layout: "table" }, 4],
  ["GET", "/v1/record/app/{app}", undefined, 1],
  ["GET", "/v1/record/view/{view}", undefined, 1],
  ["GET", "/v1/record/field/{field}/find", undefined, 1],
  ["POST", "/v1/record/field/{field}/match", { texts: [] }, 1],
  ["GET", "/v1/record/{record}", undefined, 1],
  ["PUT", "/v1/record/{record}", { fields: {} }, 3],
  ["GET", "/v1/record/{record}/revision", undefined, 1],
  ["GET", "/v1/comment/record/{record}", undefined, 1],
  ["POST", "/v1/comment/record/{record}", { value: "" }, 2],
  ["GET", "/v1/comment/{comment}", undefined, 1],
  ["POST", "/v1/comment/{comment}/reply", { value: "" }, 2],
  ["GET", "/v1/reply/{reply}", undefined, 1],
  ["GET", "/v1/file/{file}", undefined, 1],
  ["POST", "/v1/hook/app/{app}", {}, 5],
  ["GET", "/v1/hook/app/{app}", undefined, 5],
  ["GET", "/v1/hook/{hook}/secret", undefined, 5],
  ["GET", "/v1/hook/{hook}/delivery", undefined, 5],
  ["GET", "/v1/automation/{automation}", undefined, 5, true],
  ["GET", "/v1/automation/{automation}/validate", undefined, 5, true],
  ["POST", "/v1/automation/{automation}/pause", undefined, 5, true],
  ["POST", "/v1/automation/app/{app}", {}, 5, true]
]

const words = (text: string) => text.replaceAll(/\d+/g, "N")

const seed = Effect.fnUntraced(function* (type: Type) {
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization()
  const admin = yield* seedUser(orgId, "member")
  const creation = yield* app.call("POST", "/v1/workspace", { token: admin.key, body: { name: "Docks", type } })
  const workspace = creation.json.workspace_id as number
  const actors: Record<Actor, Person> = {
    owner,
    "org admin": yield* seedUser(orgId, "admin"),
    "workspace admin": admin,
    member: yield* seedUser(orgId, "member"),
    outsider: yield* seedUser(orgId, "member"),
    "workspace guest": yield* seedUser(orgId, "guest"),
    "org guest": yield* seedUser(orgId, "guest"),
    stranger: (yield* seedOrganization()).owner
  }
  for (const [actor, role] of [
    ["member", "member"],
    ["workspace guest", "guest"]
  ] as const) {
    yield* app.call("POST", `/v1/workspace/${workspace}/member`, {
      token: admin.key,
      body: { user_id: actors[actor].userId, role }
    })
  }
  const createAsAdmin = Effect.fnUntraced(function* (path: string, body: unknown) {
    const reply = yield* app.call("POST", path, { token: admin.key, body })
    if (reply.status >= 300) return yield* Effect.die(new Error(`${path}: ${reply.text}`))
    return reply.json
  })
  const database = yield* createApp(admin, workspace, [
    field("single_text", "Reference"),
    field("single_attachment", "Paper")
  ])
  const appId = database.app_id as number
  yield* createAsAdmin(`/v1/app`, { workspace_id: workspace, name: "Berths" })
  const relation = yield* app.call("PUT", `/v1/app/${appId}`, {
    token: admin.key,
    body: { fields: [field("single_relation", "Parent", { referenced_apps: [{ app_id: appId }] })] }
  })
  const form = new FormData()
  form.append("file", new Blob(["paper"]), "paper.txt")
  const uploaded = yield* app.fetch(
    new Request("http://127.0.0.1:8080/v1/file/upload", {
      method: "POST",
      headers: { authorization: `Bearer ${admin.key}` },
      body: form
    })
  )
  const { file_id } = (yield* Effect.promise(() => uploaded.json())) as { file_id: string }
  const record = yield* createAsAdmin(`/v1/record/app/${appId}`, { fields: { paper: file_id } })
  const comment = yield* createAsAdmin(`/v1/comment/record/${record.record_id}`, { value: "On its way" })
  const reply = yield* createAsAdmin(`/v1/comment/${comment.comment_id}/reply`, { value: "Good" })
  const hook = yield* createAsAdmin(`/v1/hook/app/${appId}`, { type: "record.create", url: "https://93.184.216.34/in" })
  const { automation } = yield* createAsAdmin(`/v1/automation/app/${appId}`, { name: "Close" })
  const [view] = yield* sql<{ view_id: number }>`SELECT view_id FROM views WHERE app_id = ${appId}`
  const ids: Record<string, number> = {
    workspace,
    app: appId,
    view: view!.view_id,
    field: relation.json.fields.find((f: any) => f.field_type === "single_relation").field_id,
    record: record.record_id,
    comment: comment.comment_id,
    reply: reply.reply_id,
    file: record.fields.find((f: any) => f.field_type === "single_attachment").values[0].value.id,
    hook: hook.hook_id,
    automation: automation.id
  }
  return { actors, ids }
})

const expectedOf = ([, path, , level, hides]: Row, holds: (typeof levelsOf)[Actor][Type]): number | "passes" => {
  const workspace = path.startsWith("/v1/workspace/")
  if (holds === "none") return 404
  if (holds === "name") return workspace ? (level === 0 ? "passes" : 403) : 404
  if (holds >= level) return "passes"
  return hides ? 404 : 403
}

layer(appLayer(), { excludeTestServices: true })("developer-api.md 2.3: the matrix", (it) => {
  for (const type of ["default", "open", "closed", "private"] as const) {
    it.effect(`2.3: every actor on every kind of resource of a workspace that is ${type}`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const { actors, ids } = yield* seed(type)
        for (const [actor, person] of Object.entries(actors) as Array<[Actor, Person]>) {
          for (const row of rows) {
            const [method, path, body] = row
            const expected = expectedOf(row, levelsOf[actor][type])
            const fillPath = (of: (kind: string) => number) => path.replace(/\{(\w+)\}/g, (_, kind) => String(of(kind)))
            const options = { token: person.key, ...(body === undefined ? {} : { body }) }
            const reply = yield* app.call(
              method,
              fillPath((kind) => ids[kind]!),
              options
            )
            const what = `${actor}: ${method} ${path}: ${reply.text.slice(0, 200)}`
            // What passes may still be told that its (empty) input is wrong.
            if (expected === "passes") assert.include([200, 201, 400], reply.status, what)
            else assert.strictEqual(reply.status, expected, what)
            if (expected === 403) assert.strictEqual(reply.json.error_code, "restricted_resource", what)
            if (expected !== 404) continue
            const none = yield* app.call(
              method,
              fillPath(() => 987_654_321),
              options
            )
            const blank = (r: typeof reply) => ({ ...r.json, endpoint: "", error_message: words(r.json.error_message) })
            assert.deepStrictEqual(blank(reply), blank(none), what)
          }
        }
      })
    )
  }
})
