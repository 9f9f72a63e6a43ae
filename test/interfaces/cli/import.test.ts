// docs/operations.md, "Take an organization's data along": what was exported becomes a new organization, the same but for ids, killed or
// not; what is bad in it is named and changes nothing; nothing that opens something comes along.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { exportKinds, omitted } from "../../../src/interfaces/cli/exportKinds.ts"
import { idKinds, sequences } from "../../../src/interfaces/cli/import/IdBook.ts"
import { importKinds, readOrder, writeOrder } from "../../../src/interfaces/cli/import/importKinds.ts"
import { importOrganization } from "../../../src/interfaces/cli/import/organizationImport.ts"
import { exportOrganization } from "../../../src/interfaces/cli/organizationExport.ts"
import { sealedColumns } from "../../../src/interfaces/cli/sealedColumns.ts"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import type { Sql } from "../../../src/platform/sql/Sql.ts"
import { createRecord, runsOver } from "../../domain/automations/runSupport.ts"
import { App, appLayerOver } from "../../support/app.ts"
import { asOwner, freshDatabaseUrl, layerDatabase } from "../../support/database.ts"
import { as } from "../../support/records.ts"
import { spineLayerOn } from "../../support/spine.ts"
import { freshName } from "../../support/temporal.ts"
import { exportDirectory, killedBefore, lowestRecord } from "./importKilled.ts"
import { asBefore, type Made, makeOrganization, seen } from "./importSupport.ts"

const RECORDS = 600

const keyOf = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const key = randomToken("user_key_")
  yield* sql`INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
    VALUES (${userId}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())`
  return key
})

const importOptions = { again: false, title: undefined }

const mailOf = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ email: string }>`SELECT email FROM people WHERE person_id = ${personId}`
  return row!.email
})

const moved = (made: Made, by: Readonly<Record<string, number>>): Made => ({
  ...made,
  app: made.app + by["app"]!,
  customers: made.customers + by["app"]!,
  record: made.record + by["record"]!,
  trashed: made.trashed + by["record"]!,
  called: made.called + by["automation"]!,
  caller: made.caller + by["automation"]!
})

layer(layerDatabase, { excludeTestServices: true })("an import", (it) => {
  it.effect("reads every column of what an export holds, and writes every kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.sameMembers(Object.keys(importKinds), Object.keys(exportKinds))
      assert.sameMembers([...readOrder], [...Object.keys(exportKinds), "contents"])
      assert.sameMembers(
        [...writeOrder],
        readOrder.filter((kind) => !["organizations", "people", "secrets"].includes(kind))
      )
      for (const [kind, { row }] of Object.entries(importKinds)) {
        const columns = yield* sql<{ name: string }>`SELECT attname::text AS name FROM pg_attribute
          WHERE attrelid = ${kind}::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'bytea'::regtype`
        const without = [
          ...(omitted[kind] ?? []),
          ...sealedColumns.flatMap(({ column, table }) => (table === kind ? [column] : []))
        ]
        const expectedColumns = columns.map(({ name }) => name).filter((name) => !without.includes(name))
        assert.sameMembers(Object.keys((row as any).fields), expectedColumns, kind)
      }
    })
  )
  it.effect("leaves ids as they are where none of them was given out, and goes behind what was otherwise", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reserve = (low: number, high: number) =>
        Effect.map(
          sql<{ first: number }>`SELECT reserve_ids('records_record_id_seq', ${low}::bigint, ${high}::bigint) AS first`,
          ([row]) => row!.first
        )
      const next = Effect.map(sql<{ id: number }>`SELECT nextval('records_record_id_seq') AS id`, ([row]) => row!.id)
      assert.strictEqual(yield* reserve(5, 10), 5)
      // 11 is nobody's.
      assert.strictEqual(yield* next, 12)
      assert.strictEqual(yield* reserve(5, 10), 13)
      assert.strictEqual(yield* next, 20)
      assert.strictEqual(yield* reserve(10 ** 12, 10 ** 12 + 1), 21)
      yield* Effect.flip(reserve(1, 10 ** 12))
      yield* Effect.flip(reserve(0, 1))
      yield* Effect.flip(sql`SELECT reserve_ids('records'::regclass, 1, 2)`)
    })
  )
})

describe("npm run cli -- organization import", () => {
  it.live(
    "killed in the middle, a repeat goes on: everything as it was but for the ids, and automations run once they are activated",
    () =>
      Effect.gen(function* () {
        const to = yield* freshDatabaseUrl
        const dir = yield* exportDirectory
        const from = yield* Layer.build(appLayerOver(layerDatabase))
        const { before, made, mail } = yield* Effect.gen(function* () {
          const sourceOrg = yield* makeOrganization(RECORDS)
          const sourceView = yield* seen(sourceOrg.owner.key, sourceOrg)
          yield* exportOrganization(sourceOrg.orgId, dir)
          return { made: sourceOrg, before: sourceView, mail: yield* mailOf(sourceOrg.owner.personId) }
        }).pipe(Effect.provideContext(from))
        const target = yield* Layer.build(spineLayerOn({ url: to, namespace: freshName("import") }))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // Ids that are taken here, each kind from another one on; somebody who is here already, under another spelling.
          yield* asOwner(
            Effect.flatMap(SqlClient.SqlClient, (owner) =>
              Effect.forEach(
                idKinds,
                (kind, i) => owner`SELECT setval(${sequences[kind]}::regclass, ${10_000 * (i + 1)}::int)`
              )
            )
          )
          yield* sql`INSERT INTO people (email, name, password_hash, created_on)
            VALUES (${mail.toUpperCase()}, 'Another name', 'hashed', now())`
          const [lowest] = yield* Effect.provideContext(lowestRecord, from)
          const firstId = 10_000 * (idKinds.indexOf("record") + 1)
          yield* killedBefore(to, dir, firstId + 1 + 400 - lowest!.record_id)
          const half = yield* sql<{ status: string }>`SELECT status FROM users`
          assert.deepStrictEqual(
            half.map(({ status }) => status),
            ["deactivated", "deactivated"],
            "nobody signs in to half of it"
          )
          const result = yield* importOrganization(dir, importOptions)
          const by = result.ids_moved_by as Record<string, number>
          assert.isTrue(
            Object.values(by).every((n) => n > 0),
            JSON.stringify(by)
          )
          const movedIds = moved(made, by)

          const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"))
          for (const kind of writeOrder.filter((kind) => kind !== "contents")) {
            const [found] = yield* sql<{ n: number }>`
              SELECT count(*)::int AS n FROM ${sql(kind)} t WHERE ${exportKinds[kind]!.of(sql as unknown as Sql, result.org_id)}`
            const { rows } = manifest.kinds[kind]
            assert.deepStrictEqual([found!.n, result.rows[kind] ?? 0], [rows, rows], kind)
          }
          const users = yield* sql<{ status: string; person: string }>`
            SELECT u.status, p.name AS person FROM users u JOIN people p USING (person_id) ORDER BY user_id`
          assert.deepStrictEqual(users[0], { status: "active", person: "Another name" })
          assert.strictEqual(users[1]!.status, "invited")

          const key = yield* keyOf(made.owner.userId + by["user"]!)
          const targetView = yield* seen(key, movedIds)
          const mentions = JSON.stringify(targetView).replace(
            /\(user:(\d+)\)/g,
            (_, id) => `(user:${Number(id) - by["user"]!})`
          )
          const comparableView = asBefore(JSON.parse(mentions), by) as Record<string, unknown>
          const was = asBefore(before, {}) as Record<string, unknown>
          // Addresses have another spelling here, who has no password is invited, and nothing is at work.
          const same = (value: unknown) =>
            JSON.parse(
              JSON.stringify(value)
                .toLowerCase()
                .replaceAll('"status":"invited"', '"status":"active"')
                .replaceAll('"status":"paused","paused":true', '"status":"active","paused":false')
            )
          for (const part of Object.keys(was)) assert.deepStrictEqual(same(comparableView[part]), same(was[part]), part)

          const pictures = targetView.record.fields.find((one: any) => one.external_id === "pictures")
          const link = new URL(pictures.values[0].value.download_url)
          const content = yield* (yield* App).fetch(new Request(link))
          assert.strictEqual(yield* Effect.promise(() => content.text()), "png".repeat(200_000))

          // What opens something is new here, or missing and told.
          const call = as({ key })
          const [hook] = (yield* call("GET", `/v1/hook/app/${movedIds.app}`)).json.webhooks
          assert.strictEqual(hook.status, "inactive")
          assert.match((yield* call("GET", `/v1/hook/${hook.hook_id}/secret`)).text, /whsec_/)
          const inbound = yield* call("GET", `/v1/automation/${made.inbound.id + by["automation"]!}`)
          const address = inbound.json.automation.trigger.config.webhook_url
          assert.match(address, /\/api\/catch\//)
          assert.notStrictEqual(address, made.inbound.trigger.config.webhook_url)
          assert.deepStrictEqual(result.to_enter.secrets, [{ name: "carrier_key", app_id: movedIds.app }])
          assert.deepInclude(result.to_enter.mail_accounts[0], { username: "post" })
          // Who may use it comes along, by the new ids (decisions A26).
          const [account] = (yield* call("GET", "/v1/smtp-account")).json.smtp_accounts
          assert.deepStrictEqual(account.allowed, { workspace_ids: [made.workspaceId + by["workspace"]!] })

          // Numbers go on, and one automation calls the other, which sets what it names.
          for (const id of [movedIds.called, movedIds.caller]) {
            assert.deepStrictEqual((yield* call("GET", `/v1/automation/${id}/validate`)).json.errors, [])
            assert.strictEqual((yield* call("POST", `/v1/automation/${id}/activate`)).status, 200)
          }
          const record = yield* createRecord(key, movedIds.app, { reference: "New", state: "Open", kind: "Small" })
          const newRecord = (yield* call("GET", `/v1/record/${record}`)).json
          assert.strictEqual(newRecord.app_record_id, 3)
          yield* call("PUT", `/v1/record/${record}`, { fields: { weight: 5 } })
          const [run] = yield* runsOver(movedIds.called)
          assert.strictEqual(run!.status, "completed", JSON.stringify(run!.logs))
          const { fields } = (yield* call("GET", `/v1/record/${record}`)).json
          const valueOf = (slug: string) => fields.find((one: any) => one.external_id === slug)?.values[0].value
          assert.strictEqual(valueOf("driver").user_id, made.member.userId + by["user"]!)
          assert.strictEqual(valueOf("kind").text, "Large")
          assert.strictEqual(valueOf("customer").title, "Café Größe")

          assert.deepStrictEqual(
            yield* importOrganization(dir, importOptions),
            result,
            "a third time it is there already"
          )
          const twin = yield* importOrganization(dir, { again: true, title: "Twin" })
          const names = yield* sql<{ name: string }>`SELECT name FROM organizations ORDER BY org_id`
          assert.deepStrictEqual(
            names.map(({ name }) => name),
            ["Harbor Works", "Twin"]
          )
          assert.isTrue(Object.entries(twin.ids_moved_by).every(([kind, n]) => n > by[kind]!))
        }).pipe(Effect.provideContext(target))
      }).pipe(Effect.scoped),
    300_000
  )
})
