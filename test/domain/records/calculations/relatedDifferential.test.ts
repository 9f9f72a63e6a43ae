// developer-api.md 11.3: after drawn changes in three apps that read one another, made beside passes and jobs that are killed at drawn
// statements, every stored result is what a calculation from nothing gives.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { makeRelatedPass } from "../../../../src/domain/records/recalculation/relatedPass.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import * as jobKinds from "../../../../src/jobKinds.ts"
import { appLayer } from "../../../support/app.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { calculation, relation, settled } from "../../../support/relatedCalculations.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"
import { askedBy } from "../../../support/statements.ts"
import { amounts, Model, totals } from "./relatedModel.ts"

const jobsLayer = JobBatches.layer.pipe(Layer.provide(jobKinds.layer), Layer.provideMerge(appLayer()))
const CHANGES = 300 * DEPTH
const seed = seedOf("related calculations")

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as Array<K>
const value = fc.option(fc.integer({ min: -20, max: 20 }))
const type = <T extends string>(name: T) => fc.constant(name)
const positions = fc.array(fc.nat(), { maxLength: 4 })

const single = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: type("line"), price: value, quantity: value }) },
  { weight: 2, arbitrary: fc.record({ type: type("order"), lines: positions, discount: value }) },
  { weight: 1, arbitrary: fc.record({ type: type("customer"), orders: positions }) },
  { weight: 8, arbitrary: fc.record({ type: type("price"), at: fc.nat(), price: value }) },
  { weight: 4, arbitrary: fc.record({ type: type("quantity"), at: fc.nat(), quantity: value }) },
  { weight: 3, arbitrary: fc.record({ type: type("discount"), at: fc.nat(), discount: value }) },
  { weight: 4, arbitrary: fc.record({ type: type("relink"), at: fc.nat(), lines: positions }) },
  { weight: 2, arbitrary: fc.record({ type: type("reorder"), at: fc.nat(), orders: positions }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: type("turn"), of: fc.constantFrom("lines", "orders", "customers"), at: fc.nat() })
  },
  { weight: 1, arbitrary: fc.record({ type: type("destroy"), of: fc.constantFrom("lines", "orders"), at: fc.nat() }) }
)
type Single = typeof single extends fc.Arbitrary<infer A> ? A : never

const drawn = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: type("change"), change: single, killed: fc.nat({ max: 40 }) }) },
  // A line changes while an order begins to point to it, and while the pass works.
  {
    weight: 4,
    arbitrary: fc.record({
      type: type("race"),
      line: fc.nat(),
      order: fc.nat(),
      price: value,
      killed: fc.nat({ max: 40 })
    })
  },
  { weight: 4, arbitrary: fc.record({ type: type("work"), killed: fc.nat({ max: 25 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: type("define"),
      amount: fc.option(fc.constantFrom(...keysOf(amounts))),
      total: fc.constantFrom(...keysOf(totals)),
      killed: fc.nat({ max: 25 })
    })
  }
)

const control = /^(begin|commit|rollback|savepoint|release)/i

/** Ends the effect after so many statements, as that of a process is ended that is killed: its transaction is undone. */
const killedAt = <A, E, R>(self: Effect.Effect<A, E, R>, statement: number) =>
  Effect.suspend(() => {
    let statementsLeft = statement
    return askedBy(self, (asked) =>
      !control.test(asked.statement.trim()) && statementsLeft-- === 0 ? Effect.interrupt : Effect.void
    )
  }).pipe(Effect.exit)

layer(jobsLayer, { excludeTestServices: true })(
  "developer-api.md 11.3: related calculations against recomputation",
  (it) => {
    it.effect(
      "drawn changes over three apps, with kills, leave what a calculation from nothing gives",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const batches = yield* JobBatches
          const writer = yield* RecordWriter
          const pass = yield* makeRelatedPass
          const { owner, workspaceId } = yield* seedWorkspace
          const call = as(owner)
          const write = ownWrite(callerOf(owner), defaultSwitches)
          const model = new Model()
          const lines = yield* createApp(owner, workspaceId, [
            field("number", "Price"),
            field("number", "Quantity"),
            calculation("Amount", model.amount, "number")
          ])
          const orders = yield* createApp(owner, workspaceId, [
            relation("Lines", lines.app_id),
            field("number", "Discount"),
            calculation("Total", model.total, "number"),
            calculation("Count", "related(lines).length", "number")
          ])
          const customers = yield* createApp(owner, workspaceId, [
            relation("Orders", orders.app_id),
            calculation("Spent", "sum(related(orders).total)", "number"),
            calculation("Items", "sum(related(orders).count)", "number"),
            calculation("Twice", "items * 2", "number")
          ])
          const apps = { lines, orders, customers }
          const key = (app: any, slug: string) =>
            String(app.fields.find((one: any) => one.external_id === slug).field_id as number)

          const openJobs = sql<{
            job_id: number
          }>`SELECT job_id::int FROM jobs WHERE completed_on IS NULL ORDER BY job_id`
          const jobs = Effect.flatMap(openJobs, (open) =>
            Effect.forEach(open, ({ job_id }) => batches.carryOut(job_id, 1))
          )
          const work = Effect.andThen(jobs, settled(pass))
          const pick = <A>(list: ReadonlyArray<A>, at: number): A | undefined => list[at % Math.max(1, list.length)]
          const idsAt = (
            list: ReadonlyArray<{ readonly id: number; readonly live: boolean }>,
            at: ReadonlyArray<number>
          ) => {
            const live = list.filter((one) => one.live)
            return [...new Set(at.flatMap((place) => pick(live, place)?.id ?? []))]
          }
          const create = (app: any, fields: object) =>
            Effect.map(writer.create(write, app.app_id, [fields as any]), ([record]) => record!.record_id)
          const update = <A extends { readonly id: number; readonly live: boolean }>(
            app: any,
            record: A | undefined,
            fields: Partial<A>
          ) =>
            record === undefined || !record.live
              ? Effect.void
              : Effect.map(
                  writer.update(write, app.app_id, [{ record_id: record.id, fields: fields as any }]),
                  () => void Object.assign(record, fields)
                )

          const change = Effect.fnUntraced(function* (one: Single) {
            if (one.type === "line") {
              const { price, quantity } = one
              model.lines.push({ id: yield* create(lines, { price, quantity }), price, quantity, live: true })
            } else if (one.type === "order") {
              const fields = { lines: idsAt(model.lines, one.lines), discount: one.discount }
              model.orders.push({ id: yield* create(orders, fields), ...fields, live: true })
            } else if (one.type === "customer") {
              const fields = { orders: idsAt(model.orders, one.orders) }
              model.customers.push({ id: yield* create(customers, fields), ...fields, live: true })
            } else if (one.type === "price") yield* update(lines, pick(model.lines, one.at), { price: one.price })
            else if (one.type === "quantity")
              yield* update(lines, pick(model.lines, one.at), { quantity: one.quantity })
            else if (one.type === "discount")
              yield* update(orders, pick(model.orders, one.at), { discount: one.discount })
            else if (one.type === "relink")
              yield* update(orders, pick(model.orders, one.at), { lines: idsAt(model.lines, one.lines) })
            else if (one.type === "reorder")
              yield* update(customers, pick(model.customers, one.at), { orders: idsAt(model.orders, one.orders) })
            else {
              const record = pick<{ readonly id: number; live: boolean }>(model[one.of], one.at)
              if (record === undefined) return
              const appId = apps[one.of].app_id
              if (one.type === "turn") {
                if (record.live) yield* writer.remove(write, appId, [record.id], false)
                else yield* writer.restore(write, appId, record.id)
                record.live = !record.live
              } else {
                yield* writer.remove(write, appId, [record.id], true)
                model[one.of].splice(model[one.of].indexOf(record as never), 1)
              }
            }
          })

          const define = Effect.fnUntraced(function* (app: any, slug: string, label: string, expression: string) {
            const { status, text } = yield* call("PUT", `/v1/app/${app.app_id}`, {
              fields: [{ field_id: Number(key(app, slug)), config: { label, expression } }]
            })
            assert.strictEqual(status, 200, text)
          })

          const worked = (killed: number) => killedAt(work, killed)
          for (const drawnChange of fc.sample(drawn, { numRuns: CHANGES, seed })) {
            if (drawnChange.type === "change") {
              // What is drawn above the number of statements is a pass that comes to its end.
              yield* Effect.all(
                [change(drawnChange.change), drawnChange.killed % 3 === 0 ? worked(drawnChange.killed) : Effect.void],
                {
                  concurrency: "unbounded"
                }
              )
            } else if (drawnChange.type === "race") {
              const [line, order] = [pick(model.lines, drawnChange.line), pick(model.orders, drawnChange.order)]
              const links = line?.live === true ? [line.id] : []
              const link = update(orders, order, { lines: links })
              yield* Effect.all([link, update(lines, line, { price: drawnChange.price }), worked(drawnChange.killed)], {
                concurrency: "unbounded"
              })
            } else if (drawnChange.type === "work") yield* worked(drawnChange.killed)
            else {
              if (drawnChange.amount === null) {
                model.total = drawnChange.total
                yield* define(orders, "total", "Total", drawnChange.total)
              } else {
                model.amount = drawnChange.amount
                yield* define(lines, "amount", "Amount", drawnChange.amount)
              }
              yield* worked(drawnChange.killed)
            }
          }
          yield* work
          const storedCells = Effect.fnUntraced(function* (app: any, ...slugs: ReadonlyArray<string>) {
            const keys = slugs.map((slug) => key(app, slug))
            const rows = yield* sql<{ id: number; results: ReadonlyArray<number | null> }>`
          SELECT record_id::int AS id, (SELECT jsonb_agg(cells->k->0 ORDER BY n) FROM unnest(${keys}::text[]) WITH ORDINALITY AS t (k, n)) AS results
          FROM records WHERE app_id = ${app.app_id} AND deleted_on IS NULL ORDER BY record_id`
            return rows.map(({ id, results }) => ({ id, results }))
          })
          const wantedRows = <A extends { readonly id: number; readonly live: boolean }>(
            list: ReadonlyArray<A>,
            results: (one: A) => ReadonlyArray<number | null>
          ) =>
            list
              .filter(({ live }) => live)
              .map((one) => ({ id: one.id, results: results(one) }))
              .sort((a, b) => a.id - b.id)
          const seedText = `seed ${seed}; ${model.amount}; ${model.total}`
          assert.deepStrictEqual(
            yield* storedCells(lines, "amount"),
            wantedRows(model.lines, (line) => [model.amountOf(line)]),
            seedText
          )
          assert.deepStrictEqual(
            yield* storedCells(orders, "total", "count"),
            wantedRows(model.orders, (order) => [model.totalOf(order), model.countOf(order)]),
            seedText
          )
          assert.deepStrictEqual(
            yield* storedCells(customers, "spent", "twice"),
            wantedRows(model.customers, (customer) => [model.spentOf(customer), model.itemsOf(customer)]),
            seedText
          )
          const [left] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM calculation_changes`
          assert.strictEqual(left!.n, 0)
          assert.isAbove(model.customers.length, 0)
        }),
      { timeout: 60_000 * 20 * DEPTH }
    )
  }
)
