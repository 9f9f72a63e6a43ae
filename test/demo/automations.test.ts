// The automations of demo/automations, each applied as `automation apply` does it and run from end to end: over HTTP, with SMTP, with
// Chromium, against a server outside.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { runsOver } from "../domain/automations/runSupport.ts"
import { readPdf } from "../platform/pdf/read.ts"
import { App } from "../support/app.ts"
import { eventually, spineLayer } from "../support/spine.ts"
import { due, json, Outside, outsideSettings, plainValue, ran, Stage } from "./stage.ts"

const SHOP_KEY = "key-of-the-shop"

const world = Stage.layerOf({ folder: "automations", secrets: () => ({ shop_key: SHOP_KEY }) }).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(outsideSettings, (settings) => spineLayer(settings)))),
  Layer.provideMerge(Outside.layer)
)

layer(world, { excludeTestServices: true })("demo/automations", (it) => {
  it.effect("02: a lead is looked up, tried again after 503, and goes to its team", () =>
    Effect.gen(function* () {
      const { id, mails, made, read } = yield* Stage
      const { receiver } = yield* Outside
      let searchCount = 0
      receiver.on("/companies/search", (request, response) => {
        searchCount++
        const { company } = JSON.parse(request.body)
        return (searchCount === 1 ? json({}, 503) : json({ employees: company === 'Big "Data" Ltd' ? 400 : 3 }))(
          request,
          response
        )
      })
      const big = yield* made("leads", { name: "Ann", company: 'Big "Data" Ltd' })
      yield* ran("02-lead-routing")
      const small = yield* made("leads", { name: "Ben", company: "Corner Shop" })
      yield* ran("02-lead-routing", 2)
      assert.deepInclude(yield* read(big), { score: 400 })
      const teams = yield* Effect.forEach([big, small], (record) => Effect.map(read(record), ({ team }) => team))
      assert.deepStrictEqual(teams, ["Enterprise", "Small business"])
      assert.strictEqual((yield* mails("enterprise@example.com"))[0]!.mail.subject, 'Lead: Big "Data" Ltd')
      assert.strictEqual(searchCount, 3)
      assert.isAbove(id("leads"), 0)
    })
  )

  it.effect(
    "06, 05: an order from the shop makes customer, order and lines, and takes from the stock; a deleted line gives back",
    () =>
      Effect.gen(function* () {
        const { id, made, read, titles, token } = yield* Stage
        const { receiver } = yield* Outside
        receiver.on("/shop/products", json({ id: "p-1" }, 201))
        const app = yield* App
        const bolts = yield* made("products", { name: "Bolts", sku: "B-7", stock: 100 })
        const path = `/v1/automation/${id("06-inbound-order")}`
        const { json: shown } = yield* app.call("GET", path, { token })
        const order = (number: string, pieces: number) =>
          app.call("POST", new URL(shown.automation.trigger.config.webhook_url).pathname, {
            body: {
              number,
              name: "Ann",
              mail: "ann@example.com",
              lines: [{ name: "Bolts", sku: "B-7", pieces, price: 2.5 }]
            }
          })
        const firstOrder = yield* order("S-1", 10)
        assert.strictEqual(firstOrder.status, 200, firstOrder.text)
        yield* order("S-2", 5)
        yield* ran("06-inbound-order", 2)
        yield* ran("05a-take-from-stock", 2)
        assert.deepStrictEqual(yield* titles("customers"), ["Ann"])
        assert.deepStrictEqual([...(yield* titles("orders"))].sort(), ["S-1", "S-2"])
        assert.deepInclude(yield* read(firstOrder.json.order_id), { number: "S-1", total: 25 })
        assert.deepInclude(yield* read(bolts), { stock: 85 })
        const { json: lines } = yield* app.call("GET", `/v1/record/app/${id("lines")}`, { token })
        const ten = lines.records.find((line: any) =>
          line.fields.some((field: any) => plainValue(field.values[0]) === 10)
        )
        yield* app.call("DELETE", `/v1/record/${ten.record_id}`, { token })
        yield* ran("05b-back-to-stock")
        assert.deepInclude(yield* read(bolts), { stock: 95 })
      })
  )

  it.effect("no automation of the demo is warned of", () =>
    Effect.gen(function* () {
      const { warnings } = yield* Stage
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect("03, 01: a large order is approved by a weblink, once, and invoiced with a PDF by mail", () =>
    Effect.gen(function* () {
      const { id, mails, made, read } = yield* Stage
      const app = yield* App
      const ann = yield* made("customers", { name: "Ann <b>", mail: ["ann@example.com"] })
      const state = id("orders.state.New")
      const order = yield* made("orders", { number: "L-1", customer: ann, state, total: 1200 })
      yield* made("lines", { name: "Nuts & bolts", order, pieces: 480, price: 2.5 })
      yield* ran("03c-ask-for-approval")
      const [asked] = yield* mails("boss@example.com")
      const [approve] = [...asked!.mail.html!.matchAll(/href="([^"]+)"/g)].map(([, link]) => new URL(link!).pathname)
      const page = yield* app.call("GET", approve!)
      assert.include(page.text, "Order L-1 is approved")
      yield* ran("03a-approve")
      yield* ran("01-invoice")
      const [invoice] = yield* mails("ann@example.com")
      assert.strictEqual(invoice!.mail.subject, "Your invoice L-1")
      const [file] = invoice!.mail.attachments
      assert.strictEqual(file!.filename, "Invoice L-1.pdf")
      const [paper] = yield* readPdf(Buffer.from(file!.content as ArrayBuffer))
      for (const part of ["Invoice L-1", "Ann <b>", "Nuts & bolts", "1200.00"]) assert.include(paper!.text, part)
      const approvedOrder = yield* read(order)
      assert.deepInclude(approvedOrder, { invoice: "Invoice L-1.pdf", state: "Approved", total: 1200 })
      assert.strictEqual((yield* app.call("GET", approve!)).status, 410)
      const other = yield* made("orders", { number: "L-2", customer: ann, state, total: 5000 })
      yield* ran("03c-ask-for-approval", 2)
      const bossMails = yield* mails("boss@example.com")
      const links = bossMails
        .find(({ mail }) => mail.subject === "Order L-2 waits for you")!
        .mail.html!.matchAll(/href="([^"]+)"/g)
      assert.include((yield* app.call("GET", new URL([...links][1]![1]!).pathname)).text, "The order is rejected")
      yield* ran("03b-reject")
      assert.deepInclude(yield* read(other), { state: "Rejected" })
    })
  )

  it.effect("04: the report of the night counts what is open", () =>
    Effect.gen(function* () {
      const { id, mails, read, titles, token } = yield* Stage
      const app = yield* App
      yield* due("04-nightly-report")
      yield* ran("04-nightly-report")
      const [day] = yield* titles("reports")
      const { json: reports } = yield* app.call("GET", `/v1/record/app/${id("reports")}`, { token })
      assert.deepInclude(yield* read(reports.records[0].record_id), { open_orders: 3, worth: 1237.5 })
      const bossSubjects = (yield* mails("boss@example.com")).map(({ mail }) => mail.subject)
      assert.include(bossSubjects, `Open orders on ${day}`)
    })
  )

  it.effect("07: three days before an order is due the store is told, unless it is shipped", () =>
    Effect.gen(function* () {
      const { id, mails, made } = yield* Stage
      const soon = new Date(Date.now() + 3 * 86_400_000 + 10_000).toISOString().slice(0, 19).replace("T", " ")
      yield* made("orders", { number: "R-1", state: id("orders.state.Shipped"), due: { start: soon } })
      yield* made("orders", { number: "R-2", state: id("orders.state.New"), due: { start: soon } })
      yield* ran("07-reminder")
      const storeSubjects = (yield* mails("store@example.com")).map(({ mail }) => mail.subject)
      assert.deepStrictEqual(storeSubjects, [`Order R-2 is due on ${soon.slice(0, 10)}`])
    })
  )

  it.effect("08: a shelf that cannot be reserved makes an incident, and somebody is told", () =>
    Effect.gen(function* () {
      const { id, mails, made, read, token } = yield* Stage
      const { receiver } = yield* Outside
      const app = yield* App
      receiver.on("/warehouse/shelves", json({ why: "full" }, 503))
      yield* made("products", { name: "Washers", sku: "W-1", stock: 3 })
      yield* ran("08a-escalate")
      assert.lengthOf(
        receiver.of("/warehouse/shelves").filter(({ body }) => JSON.parse(body).product === "Washers"),
        2
      )
      const { json: incidents } = yield* app.call("GET", `/v1/record/app/${id("incidents")}`, { token })
      const incident = yield* read(incidents.records[0].record_id)
      assert.strictEqual(incident["what"], "Ask the warehouse: Washers")
      assert.match(incident["why"], /503/)
      assert.strictEqual((yield* mails("oncall@example.com"))[0]!.mail.subject, "Look after product Washers")
    })
  )

  it.effect("09: old orders that are shipped are archived with a comment, others stay", () =>
    Effect.gen(function* () {
      const { id, made, titles } = yield* Stage
      const sql = yield* SqlClient.SqlClient
      const [old, young] = [100, 10].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
      const shipped = id("orders.state.Shipped")
      const archivedId = yield* made("orders", { number: "A-1", state: shipped, due: { start: old } })
      yield* made("orders", { number: "A-2", state: shipped, due: { start: old } })
      yield* made("orders", { number: "A-3", state: shipped, due: { start: young } })
      yield* made("orders", { number: "A-4", state: id("orders.state.New"), due: { start: old } })
      yield* due("09b-clean-up")
      yield* ran("09b-clean-up")
      yield* ran("09a-archive-order", 2)
      const remainingTitles = (yield* titles("orders")).filter((title) => title.startsWith("A-"))
      assert.deepStrictEqual(remainingTitles.toSorted(), ["A-3", "A-4"])
      const comments = yield* sql<{ value: string }>`SELECT value FROM comments WHERE record_id = ${archivedId}`
      assert.match(comments[0]!.value, /^Archived/)
    })
  )

  it.effect("10: the shop learns of a product and of its changes", () =>
    Effect.gen(function* () {
      const { changed, id, made, read } = yield* Stage
      const { receiver } = yield* Outside
      receiver.on("/shop/products", json({ id: "p-2" }, 201))
      receiver.on("/shop/products/p-2", json({}))
      const nuts = yield* made("products", { name: 'Nuts 3/8"', sku: "N-1", stock: 7 })
      yield* changed(nuts, { stock: 6 })
      yield* eventually("known in the shop", read(nuts), ({ shop_id }) => shop_id === "p-2")
      yield* changed(nuts, { stock: 5 })
      yield* eventually(
        "changed in the shop",
        Effect.sync(() => receiver.of("/shop/products/p-2")),
        (it) => it.length === 1
      )
      const [change] = receiver.of("/shop/products/p-2")
      assert.strictEqual(change!.headers["authorization"], `Bearer ${SHOP_KEY}`)
      const runsText = JSON.stringify(yield* runsOver(id("10-sync-with-shop")))
      assert.include(runsText, "/shop/products/p-2")
      assert.notInclude(runsText, SHOP_KEY)
      assert.deepStrictEqual(
        [change!.method, JSON.parse(change!.body)],
        ["PUT", { name: 'Nuts 3/8"', sku: "N-1", stock: 5 }]
      )
    })
  )

  it.effect("06: an order without an address, and lines without a product, take nobody else's", () =>
    Effect.gen(function* () {
      const { id, made, read, token } = yield* Stage
      const app = yield* App
      yield* made("customers", { name: "Stranger", mail: ["stranger@example.com"] })
      yield* made("products", { name: "Nuts", sku: "N-1", stock: 7 })
      const { json: shown } = yield* app.call("GET", `/v1/automation/${id("06-inbound-order")}`, { token })
      const body = { number: "S-9", lines: [{ name: "Something", pieces: 1, price: 1 }] }
      const path = new URL(shown.automation.trigger.config.webhook_url).pathname
      const { json, status, text } = yield* app.call("POST", path, { body })
      assert.strictEqual(status, 200, text)
      assert.isUndefined((yield* read(json.order_id))["customer"])
      const { json: lines } = yield* app.call("GET", `/v1/record/app/${id("lines")}`, { token })
      const unnamedLine = lines.records.find(({ title }: any) => title === "Something")
      assert.isFalse(unnamedLine.fields.some(({ external_id }: any) => external_id === "product"))
    })
  )
})
