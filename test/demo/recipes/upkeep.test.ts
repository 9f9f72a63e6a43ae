// Recipes that keep systems in step and in order (docs/recipes 06, 08, 09, 10), run from end to end against a server outside.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runsOf, runsOver } from "../../domain/automations/runSupport.ts"
import { App } from "../../support/app.ts"
import { eventually } from "../../support/spine.ts"
import { due, json, Outside, ran, Stage } from "../stage.ts"
import { recipes, secretOf, typed } from "./recipeStage.ts"

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

layer(recipes(/^(06|08|09|10)/), { excludeTestServices: true })("recipes of upkeep", (it) => {
  it.effect("no recipe of upkeep is warned of", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* Stage).warnings, [])
    })
  )

  it.effect("06: contacts come over all pages and are not sent back; new and changed ones go to the CRM", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { changed, id, made, read, records, token } = yield* Stage
      const { receiver } = yield* Outside
      const contact = (n: number) => ({ id: n, name: `Person ${n}`, mail: `p${n}@example.com` })
      const page = (from: number, count: number, next: string | null) =>
        json({ contacts: Array.from({ length: count }, (_, i) => contact(from + i)), next })
      receiver.on("/contacts?limit=50", page(1, 50, "c2"))
      receiver.on("/contacts?limit=50&cursor=c2", page(51, 50, "c3"))
      receiver.on("/contacts?limit=50&cursor=c3", page(101, 7, null))
      yield* due("06a-pull-contacts")
      yield* ran("06a-pull-contacts")
      const { json: listing } = yield* app.call("GET", `/v1/record/app/${id("contacts")}?limit=1`, { token })
      assert.strictEqual(listing.total, 107)
      for (const { headers } of receiver.received)
        assert.strictEqual(headers["authorization"], `Bearer ${secretOf("crm_key")}`)
      // Again: nothing doubled, and what has changed there has changed here.
      receiver.on(
        "/contacts?limit=50&cursor=c3",
        json({ contacts: [{ ...contact(107), name: "Renamed" }], next: null })
      )
      yield* typed("06-two-way-sync", { AUTOMATION: `${id("06a-pull-contacts")}` })
      yield* ran("06a-pull-contacts", 2)
      const pulled = yield* records("contacts")
      assert.deepInclude(pulled, { name: "Renamed", mail: "p107@example.com", crm_id: "107" })
      receiver.on("/contacts", json({ id: 500 }, 201))
      receiver.on("/contacts/500", json({}))
      const ann = yield* made("contacts", { name: 'Ann "A"', mail: ["ann@example.com"] })
      yield* eventually("known there", read(ann), ({ crm_id }) => crm_id === "500")
      yield* changed(ann, { name: "Ann B" })
      yield* ran("06c-push-changed-contact")
      yield* ran("06b-push-new-contact")
      const posts = receiver.of("/contacts").map(({ body, method }) => [method, JSON.parse(body)])
      assert.deepStrictEqual(posts, [["POST", { name: 'Ann "A"', mail: "ann@example.com" }]])
      const puts = receiver.of("/contacts/500").map(({ body, method }) => [method, JSON.parse(body)])
      assert.deepStrictEqual(puts, [["PUT", { name: "Ann B", mail: "ann@example.com" }]])
    })
  )

  it.effect("08: a carrier that is away for a moment books once; one that stays away raises an alarm", () =>
    Effect.gen(function* () {
      const { id, mails, made, read, records } = yield* Stage
      const { receiver } = yield* Outside
      const tries = new Map<string, number>()
      receiver.on("/shipments", (request, response) => {
        const { number } = JSON.parse(request.body)
        const count = (tries.get(number) ?? 0) + 1
        tries.set(number, count)
        const isUp = number !== "S-2" && count > 1
        return (isUp ? json({ tracking: `T-${number}` }, 201) : json({ why: "away" }, 503))(request, response)
      })
      const patient = yield* made("shipments", { number: "S-1", destination: 'Vienna, "Ring" 1' })
      const lost = yield* made("shipments", { number: "S-2", destination: "Graz" })
      const runs = yield* runsOver(id("08b-book-shipment"), 2)
      assert.deepStrictEqual(runs.map(({ status }) => status).toSorted(), ["completed", "failed"])
      assert.deepInclude(yield* read(patient), { tracking: "T-S-1", destination: 'Vienna, "Ring" 1' })
      assert.isUndefined((yield* read(lost))["tracking"])
      assert.deepStrictEqual([...tries.values()].toSorted(), [2, 4])
      const keysOf = (number: string) =>
        new Set(
          receiver
            .of("/shipments")
            .filter(({ body }) => JSON.parse(body).number === number)
            .map(({ headers }) => headers["idempotency-key"])
        )
      assert.deepStrictEqual([keysOf("S-1").size, keysOf("S-2").size], [1, 1])
      yield* ran("08a-alarm")
      const failed = runs.find(({ status }) => status === "failed")!
      const [alarm] = yield* records("alarms")
      assert.deepInclude(alarm, { step: "Ask the carrier", run: failed.run_id })
      assert.match(alarm!["cause"], /503/)
      assert.strictEqual((yield* mails("oncall@example.com"))[0]!.mail.subject, "No label for shipment S-2")
      yield* typed("08-retry-and-alarm", { APP: `${id("shipments")}` })
      yield* eventually("booked", records("shipments"), (all) => all.some(({ tracking }) => tracking === "T-S-100"))
    })
  )

  it.effect("09: visits of more than 30 days are deleted in batches, younger ones stay", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, titles, token } = yield* Stage
      const path = `/v1/record/app/batch/${id("visits")}`
      const old = (count: number) =>
        Array.from({ length: count }, () => ({ fields: { page: "/", day: { start: dayBefore(40) } } }))
      const recent = [
        { fields: { page: "/new", day: { start: dayBefore(10) } } },
        { fields: { page: "/without a day" } }
      ]
      for (const inputs of [old(50), old(50), [...old(13), ...recent]]) {
        const reply = yield* app.call("POST", path, { token, body: { inputs } })
        assert.strictEqual(reply.status, 200, reply.text)
      }
      yield* due("09-clean-up")
      yield* ran("09-clean-up")
      const { json: trash } = yield* app.call("GET", `/v1/record/app/${id("visits")}/trash?limit=1`, { token })
      assert.strictEqual(trash.total, 113)
      assert.deepStrictEqual([...(yield* titles("visits"))].toSorted(), ["/new", "/without a day"])
      // Nothing is left to do.
      yield* typed("09-clean-up", { AUTOMATION: `${id("09-clean-up")}` })
      yield* ran("09-clean-up", 2)
      assert.lengthOf(yield* titles("visits"), 2)
    })
  )

  it.effect("10: a new quote calls the price, which calls the discount; each waits for the next", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, mails, made, read, token } = yield* Stage
      const quote = yield* made("quotes", { customer: "Harbor", pieces: 200, price: 2.5 })
      for (const file of ["10a-discount", "10b-price", "10c-new-quote"]) yield* ran(file)
      assert.deepInclude(yield* read(quote), { total: 450 })
      assert.strictEqual((yield* mails("sales@example.com"))[0]!.mail.subject, "Quote for Harbor: 450.00")
      const chain = yield* Effect.forEach(["10c-new-quote", "10b-price", "10a-discount"], (file) =>
        Effect.flatMap(runsOf(id(file)), ([run]) => app.call("GET", `/v1/automation-run/${run!.run_id}`, { token }))
      )
      const [first, second, third] = chain.map((reply) => reply.json.automation_run)
      assert.deepStrictEqual(
        [second.caused_by_run_id, third.caused_by_run_id, third.chain_run_id],
        [first.id, second.id, first.id]
      )
      yield* typed("10-chain", { APP: `${id("quotes")}` })
      yield* ran("10c-new-quote", 2)
    })
  )
})
