// developer-api.md 7.5, decision A17 of an event that comes alone for an app whose automations have nothing to do (docs/architecture.md, "A lone event"): fired
// by the statement that takes it; whatever is special about it, and it is fanned out as ever.
import { randomBytes } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { takenAlone } from "../../../support/takenAlone.ts"
import { automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const TRIES = 50

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Name" } },
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_text", config: { label: "Note" } },
    { field_type: "multi_text", config: { label: "Story" } }
  ])
  return { ...seeded, name: seeded.fields["name"]!, ref: seeded.fields["reference"]!, note: seeded.fields["note"]! }
})

const created = { type: "record_created", config: {} }

const named = (name: number, value: string) => ({
  operator: "and",
  rows: [
    {
      subject: { kind: "variable", source: "field", field_id: name, field_type: "single_text" },
      operator: "is",
      value: { type: "text", text: [value] }
    }
  ]
})

/**
 * Does it until one of its events has come alone for an actor that idles: one that has looked for work a moment ago takes none so.
 * @returns how often
 */
const untilAlone = Effect.fnUntraced(function* <E, R>(
  appId: number,
  step: (at: number) => Effect.Effect<unknown, E, R>
) {
  const from = takenAlone()
  for (let at = 1; at <= TRIES; at++) {
    yield* settled(appId)
    yield* step(at)
    if (takenAlone() > from) return at
  }
  return assert.fail(`none of ${TRIES} events was taken alone`)
})

const update = Effect.fnUntraced(function* (token: string, record: number, fields: object) {
  const app = yield* App
  const reply = yield* app.call("PUT", `/v1/record/${record}`, { token, body: { fields } })
  assert.strictEqual(reply.status, 200, reply.text)
})

layer(spineLayer(), { excludeTestServices: true })("a lone event of an app", (it) => {
  it.effect("fires all of its automations, each for what its filter lets pass", () =>
    Effect.gen(function* () {
      const { appId, name, note, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const all = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "seen")] })
      const some = yield* automate(token, appId, {
        trigger: created,
        filter: named(name, "Ada"),
        actions: [setText(note, "told")]
      })
      yield* createRecord(token, appId, { name: "first" })
      yield* runsOver(all)
      const seen: Array<readonly [who: string, record: number]> = []
      for (const who of ["Ada", "Bob"])
        yield* untilAlone(appId, () =>
          Effect.gen(function* () {
            seen.push([who, yield* createRecord(token, appId, { name: who })])
            yield* runsOver(all, 1 + seen.length)
          })
        )
      yield* settled(appId)
      for (const [who, record] of seen)
        assert.deepStrictEqual(
          [yield* textOf(record, ref), yield* textOf(record, note)],
          ["seen", who === "Ada" ? "told" : null]
        )
      assert.lengthOf(yield* runsOf(some), seen.filter(([who]) => who === "Ada").length)
      const [left] = yield* sql<{ n: number }>`
        SELECT (SELECT count(*) FROM automation_events WHERE app_id = ${appId})::int
          + (SELECT count(*) FROM automation_inbox WHERE app_id = ${appId})::int AS n`
      assert.strictEqual(left!.n, 0)
    })
  )

  it.effect("that changes a record fires those of any change; where some ask for fields it is fanned out", () =>
    Effect.gen(function* () {
      const { appId, name, ref, token } = yield* setting
      const record = yield* createRecord(token, appId, { name: "Ada" })
      const any = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: {} },
        actions: [setText(ref, "seen")]
      })
      yield* update(token, record, { name: "Bob" })
      yield* runsOver(any)
      yield* settled(appId)
      const more = yield* untilAlone(appId, (at) =>
        Effect.andThen(update(token, record, { name: `Cy ${at}` }), runsOver(any, 1 + at))
      )
      const asking = yield* automate(token, appId, {
        trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [name] } },
        actions: [setText(ref, "asked")]
      })
      yield* settled(appId)
      const since = takenAlone()
      yield* update(token, record, { name: "Dee" })
      yield* runsOver(asking)
      yield* runsOver(any, 2 + more)
      assert.strictEqual(takenAlone(), since)
    })
  )

  it.effect("of which hooks are told as well, or whose record is large, is fanned out", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "seen")] })
      yield* createRecord(token, appId, { name: "first" })
      yield* runsOver(id)
      yield* settled(appId)
      const from = takenAlone()
      const noise = randomBytes(30_000).toString("base64")
      yield* createRecord(token, appId, { story: noise })
      yield* runsOver(id, 2)
      const [hook] = yield* sql<{ hook_id: number }>`
        INSERT INTO hooks (org_id, app_id, type, url, host, status, secret, verified_on, created_by, created_on)
        SELECT org_id, app_id, 'record.create', 'http://127.0.0.1:1/none', '127.0.0.1:1', 'inactive', '\\x00', now(), 1, now()
        FROM apps WHERE app_id = ${appId} RETURNING hook_id`
      yield* createRecord(token, appId, { name: "last" })
      yield* runsOver(id, 3)
      const withheld =
        yield* sql`SELECT 1 FROM webhook_deliveries WHERE hook_id = ${hook!.hook_id} AND status = 'withheld'`
      assert.deepStrictEqual([takenAlone(), withheld.length], [from, 1])
    })
  )
})
