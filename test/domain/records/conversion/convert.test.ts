// developer-api.md 11.4: a field gets another type; a dry run tells what becomes of its values, a job does it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, seedToken, seedUser } from "../../../support/app.ts"
import { as } from "../../../support/records.ts"
import { carryOut, conversionLayer, valued } from "./support.ts"

const texts = (entries: ReadonlyArray<ReadonlyArray<any>>) => entries.map((one) => one.map(({ value }) => value))

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: conversion of a field", (it) => {
  it.effect("the dry run tells what converts, what does not and why, and changes nothing", () =>
    Effect.gen(function* () {
      const { convert, recordIds, shown, sql, fieldId } = yield* valued("single_text", undefined, [
        "12.5",
        "twelve",
        null,
        "7 kg"
      ])
      const valuesBefore = yield* shown
      const reply = yield* convert({
        field_type: "number",
        config: { settings: { decimals: 1, unit: "kg" } },
        dry_run: true
      })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(reply.json, {
        job_id: null,
        outcome: {
          ...{ records: 4, converted: 2, unconvertible: 1, empty: 1 },
          failures: [{ record_id: recordIds[1], value: "twelve", reason: "must be a number or the text of one" }],
          samples: [
            { record_id: recordIds[0], before: "12.5", after: "12.5" },
            { record_id: recordIds[3], before: "7 kg", after: "7.0" }
          ],
          new_options: []
        },
        used_by: {
          ...{ field_id: fieldId, records: 3, views: [], other_views: 0, automations: [], other_automations: 0 },
          hooks: []
        }
      })
      assert.deepStrictEqual(yield* shown, valuesBefore)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM former_fields WHERE field_id = ${fieldId}`, [])
    })
  )

  it.effect("the job converts, writes a revision for each value, and names those that do not convert", () =>
    Effect.gen(function* () {
      const seeded = yield* valued("single_text", undefined, ["12.5", "twelve", null])
      const { app, appId, call, converted, orgId, owner, recordIds, shown, sql } = seeded
      const job = yield* converted({ field_type: "number", config: { label: "Weight", settings: { decimals: 1 } } })
      assert.deepStrictEqual(
        { kind: job.kind, status: job.status, counts: job.counts, progress: job.progress, report: job.report },
        {
          ...{ kind: "field_convert", status: "completed", progress: { done: 3, total: 3 } },
          counts: { converted: 1, unconvertible: 1, empty: 1 },
          report: [{ id: String(recordIds[1]), message: "must be a number or the text of one" }]
        }
      )
      assert.deepStrictEqual(texts(yield* shown), [[12.5], [], []])
      const changed = (yield* call("GET", `/v1/app/${appId}`)).json.fields[1]
      assert.deepInclude(changed, { field_type: "number", label: "Weight", slug: "value" })
      assert.strictEqual(changed.field_id, app.fields[1].field_id)
      const [first, second, third] = recordIds.map((id) => `/v1/record/${id}/revision`)
      const delta = (yield* call("GET", `${first}/previous/1`)).json.revision_deltas
      assert.deepStrictEqual(
        delta.map(({ from, to, field_type }: any) => ({ from, to, field_type })),
        [{ from: [{ value: "12.5" }], to: [{ value: 12.5 }], field_type: "number" }]
      )
      const former = (yield* call("GET", `${second}/0`)).json.fields
      assert.deepInclude(former[1], { field_type: "single_text", values: [{ value: "twelve" }] })
      assert.deepStrictEqual((yield* call("GET", `${second}/previous/1`)).json.revision_deltas[0].from, [
        { value: "twelve" }
      ])
      const revisions = (yield* call("GET", third!)).json.revisions
      assert.strictEqual(revisions.length, 1)
      const [last] = (yield* call("GET", first!)).json.revisions.slice(-1)
      assert.deepInclude(last, { revision: 1, type: "update" })
      assert.strictEqual(last.created_by.user_id, owner.userId)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM converted_cells`, [])
      const entries = yield* sql<{ event: string }>`
        SELECT event FROM audit_log WHERE org_id = ${orgId} AND event IN ('job.started', 'field.changed') ORDER BY audit_id`
      assert.deepStrictEqual(
        entries.map(({ event }) => event),
        ["job.started", "field.changed"]
      )
    })
  )

  it.effect("events: hooks are told of the app, automations and hooks of no record", () =>
    Effect.gen(function* () {
      const { appId, converted, sql } = yield* valued("single_text", undefined, ["1"])
      yield* sql`DELETE FROM outbox WHERE app_id = ${appId}`
      yield* converted({ field_type: "number" })
      const events = yield* sql<{ type: string }>`SELECT type FROM outbox WHERE app_id = ${appId} ORDER BY event_id`
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["app.update"]
      )
    })
  )

  it.effect("a pair that makes no sense is refused with those that do", () =>
    Effect.gen(function* () {
      const { convert } = yield* valued("single_attachment", undefined, [])
      const reply = yield* convert({ field_type: "number" })
      assert.strictEqual(reply.status, 400)
      assert.strictEqual(
        reply.json.error_message,
        'field_type: a single_attachment field converts to multi_attachment, multi_image, not to "number"'
      )
      const unique = yield* convert({ field_type: "multi_image", config: { unique: true } })
      assert.include(unique.json.error_message, "config.unique")
      const stray = yield* convert({ field_type: "multi_image", config: { settings: { decimals: 1 } } })
      assert.strictEqual(stray.json.error_message, "config.settings.decimals: a multi_image field has no settings")
    })
  )

  it.effect("options are made for the texts, in the dry run and in the job alike", () =>
    Effect.gen(function* () {
      const values = ["Red", "Blue, Red", "Green; Blue", "Red"]
      const { appId, call, convert, converted, shown } = yield* valued("single_text", undefined, values)
      const dry = (yield* convert({ field_type: "multi_category", dry_run: true })).json.outcome
      assert.deepStrictEqual(dry.new_options, ["Red", "Blue", "Green"])
      const job = yield* converted({ field_type: "multi_category" })
      assert.deepStrictEqual(job.counts, { converted: 4, unconvertible: 0, empty: 0 })
      const { options } = (yield* call("GET", `/v1/app/${appId}`)).json.fields[1].config.settings
      assert.deepStrictEqual(
        options.map(({ text }: any) => text),
        ["Red", "Blue", "Green"]
      )
      assert.deepStrictEqual(
        texts(yield* shown).map((one) => one.map(({ text }: any) => text)),
        [["Red"], ["Blue", "Red"], ["Green", "Blue"], ["Red"]]
      )
    })
  )

  it.effect("texts become users by name or address, and records by title, where these are unambiguous", () =>
    Effect.gen(function* () {
      const seeded = yield* valued("single_text", undefined, [])
      const mira = yield* seedUser(seeded.orgId, "member", "Mira Okafor")
      yield* seedUser(seeded.orgId, "member", "Two Alike")
      yield* seedUser(seeded.orgId, "member", "Two Alike")
      const { appId, call, converted, shown, recordIds } = seeded
      for (const value of ["mira okafor", "Two Alike", "Nobody"]) {
        const reply = yield* call("POST", `/v1/record/app/${appId}`, { fields: { note: value, value } })
        recordIds.push(reply.json.record_id)
      }
      const job = yield* converted({ field_type: "single_user" })
      assert.deepStrictEqual(
        job.report.map(({ message }: any) => message),
        ['names 2 users: "Two Alike"', 'names no user: "Nobody"']
      )
      const [first, ...others] = texts(yield* shown)
      assert.strictEqual(first![0].user_id, mira.userId)
      assert.deepStrictEqual(others, [[], []])
    })
  )

  it.effect("rights: workspace admin, and the scopes of the definition and of the values", () =>
    Effect.gen(function* () {
      const { fieldId, orgId, owner, workspaceId, sql } = yield* valued("single_text", undefined, ["1"])
      const path = `/v1/field/${fieldId}/convert`
      const body = { field_type: "number", dry_run: true }
      const member = yield* seedUser(orgId, "member")
      yield* sql`
        INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'member')`
      assert.strictEqual((yield* as(member)("POST", path, body)).status, 403)
      const app = yield* App
      const stranger = yield* valued("single_text", undefined, [])
      assert.strictEqual((yield* as(stranger.owner)("POST", path, body)).status, 404)
      for (const [scopes, status] of [
        [["apps:edit"], 403],
        [["records:read"], 403],
        [["apps:edit", "records:read"], 200]
      ] as const) {
        const token = yield* seedToken(owner.userId, scopes)
        assert.strictEqual((yield* app.call("POST", path, { token, body })).status, status, scopes.join(" "))
      }
    })
  )

  it.effect("one conversion of a field at a time; a field that is changed meanwhile ends it, and nothing is seen", () =>
    Effect.gen(function* () {
      const { appId, call, convert, fieldId, jobOf, shown } = yield* valued("single_text", undefined, ["1", "2"])
      const firstJob = (yield* convert({ field_type: "number" })).json.job_id
      const second = yield* convert({ field_type: "number" })
      assert.strictEqual(second.status, 409, second.text)
      assert.strictEqual((yield* call("POST", `/v1/job/${firstJob}/cancel`)).status, 202)
      yield* carryOut(firstJob)
      assert.deepStrictEqual(texts(yield* shown), [["1"], ["2"]])
      const third = (yield* convert({ field_type: "multi_text" })).json.job_id
      yield* call("PUT", `/v1/app/${appId}`, { fields_to_delete: [{ field_id: fieldId }] })
      yield* carryOut(third)
      const job = yield* jobOf(third)
      assert.strictEqual(job.status, "failed")
      assert.include(job.report[0].message, "changed or deleted meanwhile")
    })
  )
})
