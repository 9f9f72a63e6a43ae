// developer-api.md 11.3: what holds calculations over related records in bounds, keeps organizations apart, and lets nobody see a mixture.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import { syncImported } from "../../../../src/domain/records/apps/calculationSources.ts"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { makeRelatedPass } from "../../../../src/domain/records/recalculation/relatedPass.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import * as jobKinds from "../../../../src/jobKinds.ts"
import { appLayer, seedToken } from "../../../support/app.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { calculation, relation, settled, shown } from "../../../support/relatedCalculations.ts"
import { askedBy } from "../../../support/statements.ts"
import { duringTurns } from "../../../support/turns.ts"

const jobsLayer = JobBatches.layer.pipe(Layer.provide(jobKinds.layer), Layer.provideMerge(appLayer()))

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 11.3: related calculations in bounds", (it) => {
  const setup = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const batches = yield* JobBatches
    const pass = yield* makeRelatedPass
    const writer = yield* RecordWriter
    const { owner, workspaceId } = yield* seedWorkspace
    const write = ownWrite(callerOf(owner), defaultSwitches)
    const lines = yield* createApp(owner, workspaceId, [
      field("number", "Price"),
      field("single_category", "Kind", { options: [{ text: "Bulk" }] })
    ])
    const orders = yield* createApp(owner, workspaceId, [
      relation("Lines", lines.app_id),
      calculation("Total", "sum(related(lines).price)", "number"),
      calculation("Kinds", "related(lines).kind.join(', ')", "text")
    ])
    const create = (app: any, inputs: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
      Effect.map(writer.create(write, app.app_id, inputs), (records) => records.map(({ record_id }) => record_id))
    const update = (app: any, id: number, fields: Readonly<Record<string, unknown>>) =>
      writer.update(write, app.app_id, [{ record_id: id, fields }])
    const call = as(owner)
    const values = (id: number) => Effect.map(call("GET", `/v1/record/${id}`), ({ json }) => shown(json))
    const state = (app: any) => Effect.map(call("GET", `/v1/app/${app.app_id}`), ({ json }) => json)
    const totals = Effect.map(
      sql<{ total: number }>`
        SELECT DISTINCT (cells->${String(orders.fields[1].field_id)}::text->>0)::int AS total FROM records WHERE app_id = ${orders.app_id}`,
      (rows) => rows.map(({ total }) => total)
    )
    return {
      batches,
      call,
      create,
      lines,
      orders,
      owner,
      pass,
      sql,
      state,
      totals,
      update,
      values,
      workspaceId,
      write,
      writer
    }
  })

  it.effect("a record that many read is followed in batches, each of which is one transaction", () =>
    Effect.gen(function* () {
      const { create, lines, orders, pass, state, totals, update } = yield* setup
      const [line] = yield* create(lines, [{ price: 1 }])
      yield* create(
        orders,
        Array.from({ length: 250 }, () => ({ lines: [line] }))
      )
      yield* update(lines, line!, { price: 2 })
      assert.strictEqual((yield* state(orders)).calculations_pending, 250)
      // Killed before its transaction has ended: nothing has happened.
      const passStatements = yield* askedBy(pass.work, ({ statement }) =>
        statement.includes("INTO outbox") ? Effect.interrupt : Effect.void
      ).pipe(Effect.exit)
      assert.strictEqual(passStatements._tag, "Failure")
      assert.strictEqual((yield* state(orders)).calculations_pending, 250)
      yield* pass.work
      assert.strictEqual((yield* state(orders)).calculations_pending, 150)
      // A change meanwhile begins anew.
      yield* update(lines, line!, { price: 3 })
      assert.strictEqual((yield* state(orders)).calculations_pending, 250)
      yield* settled(pass)
      assert.deepStrictEqual([yield* totals, (yield* state(orders)).calculations_pending], [[3], 0])
    })
  )

  it.effect("more than 1,000 records of a relation, and long texts, are errors of the calculation", () =>
    Effect.gen(function* () {
      const { call, create, lines, orders, owner, pass, sql, update, workspaceId } = yield* setup
      const ids = yield* create(
        lines,
        Array.from({ length: 1_001 }, () => ({ price: 1 }))
      )
      const [most, more] = yield* create(orders, [{ lines: ids.slice(1) }, { lines: ids.slice(1) }])
      const read = (id: number) => Effect.map(call("GET", `/v1/record/${id}`), ({ json }) => json)
      assert.strictEqual(shown(yield* read(most!))["total"], 1_000)
      // A write may not name more; a record of an import may.
      const cell = { [orders.fields[0].field_id]: ids }
      yield* sql`UPDATE records SET cells = cells || ${JSON.stringify(cell)}::jsonb WHERE record_id = ${more!}`
      yield* update(lines, ids[1]!, { price: 2 })
      yield* settled(pass)
      assert.strictEqual(shown(yield* read(most!))["total"], 1_001)
      const tooMany = yield* read(more!)
      assert.notProperty(shown(tooMany), "total")
      assert.strictEqual(tooMany.calculation_errors[0].message, "related(lines): more than 1000 records")
      const notes = yield* createApp(owner, workspaceId, [field("multi_text", "Body")])
      const folders = yield* createApp(owner, workspaceId, [
        relation("Notes", notes.app_id),
        calculation("All", "related(notes).body.join('')", "text")
      ])
      const [note] = yield* create(notes, [{ body: "x".repeat(20_000) }])
      const [folder] = yield* create(folders, [{ notes: [note] }])
      const long = yield* read(folder!)
      assert.strictEqual(
        long.calculation_errors[0].message,
        "body: more than 10000 bytes would be read of a related record"
      )
    })
  )

  it.effect("the relations of a record are read up to 5,000 records together, those of a batch in groups", () =>
    Effect.gen(function* () {
      const { call, create, lines, owner, sql, workspaceId } = yield* setup
      const ids = yield* create(
        lines,
        Array.from({ length: 1_000 }, () => ({ price: 1 }))
      )
      const names = ["a", "b", "c", "d", "e", "f"]
      const wide = yield* createApp(owner, workspaceId, [
        ...names.map((name) => relation(name, lines.app_id)),
        ...names.map((name) => calculation(`Sum ${name}`, `sum(related(${name}).price)`, "number"))
      ])
      const keyOf = (index: number) => String(wide.fields[index].field_id)
      const [most, more] = yield* create(wide, [{}, {}])
      const cells = (count: number) => Object.fromEntries(names.slice(0, count).map((_, index) => [keyOf(index), ids]))
      const link = (id: number, count: number) => sql`
        UPDATE records SET cells = cells || ${JSON.stringify({ ...cells(count) })}::jsonb WHERE record_id = ${id}`
      yield* link(most!, 5)
      yield* link(more!, 6)
      const errorsOf = (id: number) =>
        Effect.map(call("GET", `/v1/record/${id}`), ({ json }) =>
          (json.calculation_errors ?? []).map((one: any) => [one.external_id, one.message])
        )
      assert.deepStrictEqual(yield* errorsOf(most!), [])
      const refusal = "related(f): the relations of the record have more than 5000 records together"
      assert.deepStrictEqual(yield* errorsOf(more!), [[wide.fields[11].external_id, refusal]])
      // Each of the records points to 900: five of them are read together.
      const pointing = Array.from({ length: 12 }, () => ({ a: ids.slice(100) }))
      const { answer: created, asked } = yield* askedBy(create(wide, pointing))
      assert.lengthOf(created, 12)
      assert.lengthOf(
        asked.filter(({ statement }) => statement.includes("octet_length(cell::text)")),
        3
      )
      const [sums] = yield* sql<{ all: ReadonlyArray<number> }>`
        SELECT array_agg(DISTINCT (cells->${keyOf(6)}::text->>0)::int) AS all FROM records WHERE record_id = ANY(${created.map(String)}::bigint[])`
      assert.deepStrictEqual(sums!.all, [900])
    })
  )

  it.effect(
    "of a related record so much is read in all, its short cells first, and what goes leaves it to the others",
    () =>
      Effect.gen(function* () {
        const { batches, call, create, owner, state, workspaceId } = yield* setup
        const notes = yield* createApp(owner, workspaceId, [field("multi_text", "Body"), field("multi_text", "More")])
        const folders = yield* createApp(owner, workspaceId, [
          relation("Notes", notes.app_id),
          calculation("Bodies", "related(notes)[0].body.length", "number"),
          calculation("Mores", "related(notes)[0].more.length", "number")
        ])
        const [note] = yield* create(notes, [{ body: "x".repeat(9_000), more: "x".repeat(8_000) }])
        const [folder] = yield* create(folders, [{ notes: [note] }])
        const read = Effect.map(call("GET", `/v1/record/${folder}`), ({ json }) => json)
        const both = yield* read
        assert.deepInclude(shown(both), { mores: 8_000 })
        assert.notProperty(shown(both), "bodies")
        assert.deepStrictEqual(
          both.calculation_errors.map(({ message }: any) => message),
          ["body: more than 10000 bytes would be read of a related record"]
        )
        const changed = yield* call("PUT", `/v1/app/${folders.app_id}`, {
          fields_to_delete: [{ field_id: folders.fields[2].field_id }]
        })
        assert.strictEqual(changed.status, 200, changed.text)
        yield* batches.carryOut((yield* state(folders)).calculations_job_id, 1)
        assert.deepInclude(shown(yield* read), { bodies: 9_000 })
      })
  )

  it.effect("chains over more than ten relations are refused, shorter ones settle", () =>
    Effect.gen(function* () {
      const { call, create, lines, owner, pass, update, values, workspaceId } = yield* setup
      const [line] = yield* create(lines, [{ price: 1 }])
      let below = { app: lines, slug: "price", record: line! }
      for (let step = 1; step <= 10; step++) {
        const app = yield* createApp(owner, workspaceId, [
          relation("Below", below.app.app_id),
          calculation("Sum", `sum(related(below).${below.slug})`, "number")
        ])
        const [record] = yield* create(app, [{ below: [below.record] }])
        below = { app, slug: "sum", record: record! }
      }
      yield* update(lines, line!, { price: 7 })
      yield* settled(pass)
      assert.strictEqual((yield* values(below.record))["sum"], 7)
      const refusal = yield* call("POST", "/v1/app", {
        ...{ workspace_id: workspaceId, name: "Eleventh" },
        fields: [relation("Below", below.app.app_id), calculation("Sum", "sum(related(below).sum)", "number")]
      })
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(
        refusal.json.error_message,
        "fields[1].config.expression: reads over more than 10 relations: eleventh.sum → "
      )
    })
  )

  it.effect("organizations take turns, and a batch that fails does not hold up the others", () =>
    Effect.gen(function* () {
      const firstOrg = yield* setup
      const other = yield* setup
      const seeded = Effect.fnUntraced(function* ({ create, lines, orders }: typeof firstOrg, count: number) {
        const ids = yield* create(
          lines,
          Array.from({ length: count }, () => ({ price: 1 }))
        )
        yield* create(
          orders,
          ids.flatMap((id) => Array.from({ length: 120 }, () => ({ lines: [id] })))
        )
        return ids
      })
      const ids = yield* seeded(firstOrg, 2)
      const [line] = yield* seeded(other, 1)
      for (const id of ids) yield* firstOrg.update(firstOrg.lines, id, { price: 2 })
      yield* other.update(other.lines, line!, { price: 2 })
      yield* firstOrg.pass.work
      yield* firstOrg.pass.work
      assert.strictEqual((yield* other.state(other.orders)).calculations_pending, 20)
      assert.isAbove((yield* firstOrg.state(firstOrg.orders)).calculations_pending, 100)
      yield* settled(firstOrg.pass)
      assert.deepStrictEqual(yield* firstOrg.totals, [2])
      // One of them cannot be written for a while.
      const { sql } = firstOrg
      const ofOne = sql`app_id = ${firstOrg.orders.app_id}`
      yield* sql`UPDATE records SET revision = 2147483647 WHERE ${ofOne}`
      yield* firstOrg.update(firstOrg.lines, ids[0]!, { price: 5 })
      yield* other.update(other.lines, line!, { price: 5 })
      yield* settled(firstOrg.pass)
      assert.deepStrictEqual([yield* firstOrg.totals, yield* other.totals], [[2], [5]])
      yield* sql`UPDATE records SET revision = 9 WHERE ${ofOne}`
      yield* sql`UPDATE calculation_changes SET due_on = now() - interval '1 second'`
      yield* settled(firstOrg.pass)
      assert.sameMembers([...(yield* firstOrg.totals)], [2, 5])
    })
  )

  it.effect("nobody sees a result of former and new values", () =>
    Effect.gen(function* () {
      const { create, lines, orders, pass, totals, write, writer } = yield* setup
      const [one, two] = yield* create(lines, [{ price: 50 }, { price: 50 }])
      yield* create(
        orders,
        Array.from({ length: 30 }, () => ({ lines: [one, two] }))
      )
      // What one line loses the other one gets, in one write: the sum is 100 at any time.
      const move = (price: number) =>
        writer.update(write, lines.app_id, [
          { record_id: one!, fields: { price } },
          { record_id: two!, fields: { price: 100 - price } }
        ])
      for (let price = 0; price < 20; price++) {
        const [, , seen] = yield* Effect.all([move(price), pass.work, totals], { concurrency: "unbounded" })
        assert.deepStrictEqual(seen, [100])
      }
      yield* settled(pass)
      assert.deepStrictEqual(yield* totals, [100])
    })
  )

  it.effect("who writes an expression has to see what it reads; who sees the record sees the result", () =>
    Effect.gen(function* () {
      const { create, lines, orders, owner } = yield* setup
      const [line] = yield* create(lines, [{ price: 4 }])
      const [order] = yield* create(orders, [{ lines: [line] }])
      const key = yield* seedToken(owner.userId, ["apps:edit", "apps:read", "records:read"], {
        appIds: [orders.app_id]
      })
      const call = as({ key })
      const total = orders.fields[1].field_id
      const refusal = yield* call("PUT", `/v1/app/${orders.app_id}`, {
        fields: [{ field_id: total, config: { label: "Total", expression: "sum(related(lines).price) * 2" } }]
      })
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(
        refusal.json.error_message,
        `fields[0].config.expression: there is no app ${lines.app_id}, to which lines refers`
      )
      // What reads nothing else is theirs to change.
      const renamed = yield* call("PUT", `/v1/app/${orders.app_id}`, {
        fields: [{ field_id: total, config: { label: "Sum" } }, field("number", "Own")]
      })
      assert.strictEqual(renamed.status, 200, renamed.text)
      const { json } = yield* call("GET", `/v1/record/${order}`)
      assert.strictEqual(shown(json)["total"], 4)
    })
  )

  it.effect(
    "settings of a field that is read begin a job of the app that reads it; an app that goes takes its values along",
    () =>
      Effect.gen(function* () {
        const { batches, call, create, lines, orders, pass, state, totals, values } = yield* setup
        const option = lines.fields[1].config.settings.options[0]
        const [line] = yield* create(lines, [{ price: 4, kind: option.id }])
        const [order] = yield* create(orders, [{ lines: [line] }])
        assert.deepInclude(yield* values(order!), { kinds: "Bulk", total: 4 })
        const version = yield* call("PUT", `/v1/app/${lines.app_id}`, {
          fields: [
            {
              field_id: lines.fields[1].field_id,
              config: { label: "Kind", settings: { options: [{ id: option.id, text: "Loose" }] } }
            }
          ]
        })
        assert.strictEqual(version.status, 200)
        const { calculations_job_id } = yield* state(orders)
        yield* batches.carryOut(calculations_job_id, 1)
        assert.deepInclude(yield* values(order!), { kinds: "Loose" })
        assert.strictEqual((yield* call("DELETE", `/v1/app/${lines.app_id}`)).status, 200)
        yield* settled(pass)
        assert.deepStrictEqual(yield* totals, [0])
        assert.strictEqual((yield* state(orders)).calculations_pending, 0)
        // Its own fields go on.
        const ownChange = yield* call("PUT", `/v1/app/${orders.app_id}`, { fields: [field("number", "Own")] })
        assert.strictEqual(ownChange.status, 200, ownChange.text)
        assert.deepInclude(yield* values(order!), { total: 0 })
      })
  )

  it.effect("the job of an app that its caller may not change is not theirs to see or cancel", () =>
    Effect.gen(function* () {
      const { batches, create, lines, orders, owner, sql, state, values } = yield* setup
      const option = lines.fields[1].config.settings.options[0]
      const [line] = yield* create(lines, [{ kind: option.id }])
      const [order] = yield* create(orders, [{ lines: [line] }])
      const key = yield* seedToken(owner.userId, ["apps:edit", "apps:read", "records:read"], {
        appIds: [lines.app_id]
      })
      const call = as({ key })
      const renamed = yield* call("PUT", `/v1/app/${lines.app_id}`, {
        fields: [
          {
            field_id: lines.fields[1].field_id,
            config: { label: "Kind", settings: { options: [{ id: option.id, text: "Loose" }] } }
          }
        ]
      })
      assert.strictEqual(renamed.status, 200, renamed.text)
      const { calculations_job_id } = yield* state(orders)
      assert.deepStrictEqual((yield* call("GET", "/v1/job")).json.jobs, [])
      assert.strictEqual((yield* call("POST", `/v1/job/${calculations_job_id}/cancel`)).status, 404)
      const [job] = yield* sql<{ completed_on: Date | null }>`
        SELECT completed_on FROM jobs WHERE job_id = ${calculations_job_id}`
      assert.isNull(job!.completed_on)
      yield* batches.carryOut(calculations_job_id, 1)
      assert.deepInclude(yield* values(order!), { kinds: "Loose" })
    })
  )

  it.effect("a batch of costly calculations lets other work have its turns", () =>
    Effect.gen(function* () {
      const { create, lines, owner, pass, state, update, workspaceId } = yield* setup
      const ids = yield* create(
        lines,
        Array.from({ length: 140 }, () => ({ price: 1 }))
      )
      const costly = "related(lines).map((one) => related(lines).map((other) => other.price / 3).length).length"
      const orders = yield* createApp(owner, workspaceId, [
        relation("Lines", lines.app_id),
        ...Array.from({ length: 12 }, (_, index) => calculation(`Costly ${index}`, costly, "number")),
        calculation("Total", "sum(related(lines).price)", "number")
      ])
      const recordCount = 40
      /** Number of records that a turn of the event loop calculates, by its share of the processor's time; none takes most of it. */
      const recordsInTurn = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.map(duringTurns(work), ([, { longest, meanOver, total }]) => {
          assert.isBelow(longest / total, 0.4)
          const oneRecord = total / recordCount
          return meanOver(oneRecord) / oneRecord
        })
      const inCreation = yield* recordsInTurn(
        create(
          orders,
          Array.from({ length: recordCount }, () => ({ lines: ids }))
        )
      )
      assert.isBelow(inCreation, 2.5)
      yield* update(lines, ids[0]!, { price: 2 })
      // A batch of the pass takes five of them.
      const inPass = yield* recordsInTurn(settled(pass))
      assert.isBelow(inPass, 2.5)
      assert.strictEqual((yield* state(orders)).calculations_pending, 0)
    })
  )

  it.effect("a batch ends after so many steps, so that a definition does not wait for long", () =>
    Effect.gen(function* () {
      const { batches, call, create, lines, owner, pass, sql, state, update, workspaceId } = yield* setup
      const ids = yield* create(
        lines,
        Array.from({ length: 100 }, () => ({ price: 1 }))
      )
      const costly = "related(lines).map((one) => related(lines).map((other) => other.price / 3).length).length"
      const calculations = Array.from({ length: 7 }, (_, index) => calculation(`Costly ${index}`, costly, "number"))
      const orders = yield* createApp(owner, workspaceId, [relation("Lines", lines.app_id), ...calculations])
      yield* create(
        orders,
        Array.from({ length: 12 }, () => ({ lines: ids }))
      )
      yield* update(lines, ids[0]!, { price: 2 })
      const pending = Effect.map(state(orders), ({ calculations_pending }) => calculations_pending)
      const pendingCounts = [yield* pending]
      while (pendingCounts.at(-1)! > 0 && pendingCounts.length < 9) {
        yield* pass.work
        pendingCounts.push(yield* pending)
      }
      // Each record takes the 100,000 steps that it has.
      assert.deepStrictEqual([...new Set(pendingCounts)], [12, 7, 2, 0])
      yield* call("PUT", `/v1/app/${orders.app_id}`, { fields: [calculation("Number", "lines.length", "number")] })
      const jobId = (yield* state(orders)).calculations_job_id
      const steps = yield* askedBy(batches.carryOut(jobId, 1))
      const locking = steps.asked.filter(
        ({ statement }) => statement.includes("FOR NO KEY UPDATE") && statement.includes("LIMIT")
      )
      assert.isAtLeast(locking.length, 3)
      const [job] = yield* sql<{ done: number }>`SELECT done::int FROM jobs WHERE job_id = ${jobId}`
      assert.strictEqual(job!.done, 12)
    })
  )

  it.effect("an imported organization knows what its apps read, and calculates it", () =>
    Effect.gen(function* () {
      const { batches, create, lines, orders, owner, pass, sql, state, totals, update } = yield* setup
      const [line] = yield* create(lines, [{ price: 4 }])
      yield* create(orders, [{ lines: [line] }])
      const relations = sql`SELECT relation_id, read_app_id, members FROM calculation_relations WHERE app_id = ${orders.app_id}`
      const formerRelations = yield* relations
      assert.strictEqual(formerRelations.length, 1)
      // Rows of an import are written without them.
      yield* sql`DELETE FROM calculation_relations WHERE app_id = ${orders.app_id}`
      yield* sql`UPDATE records SET cells = cells - ${String(orders.fields[1].field_id)}::text WHERE app_id = ${orders.app_id}`
      yield* sql.withTransaction(syncImported(owner.orgId))
      assert.deepStrictEqual(yield* relations, formerRelations)
      yield* batches.carryOut((yield* state(orders)).calculations_job_id, 1)
      assert.deepStrictEqual(yield* totals, [4])
      yield* update(lines, line!, { price: 5 })
      yield* settled(pass)
      assert.deepStrictEqual(yield* totals, [5])
    })
  )
})
