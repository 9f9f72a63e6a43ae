// Recipes that others send to (docs/recipes 01, 02, 03, 12), run from end to end: signed as their senders sign, and by the lines of their pages.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../support/app.ts"
import { ORIGIN } from "../../support/oauth.ts"
import { ran, Stage } from "../stage.ts"
import { recipes, secretOf, send, typed } from "./recipeStage.ts"
import { githubSignature, stripeSignature } from "./senders.ts"

const JSON_TYPE = { "content-type": "application/json" }

layer(recipes(/^(01|02|03|12)/), { excludeTestServices: true })("recipes of inbound addresses", (it) => {
  it.effect("no recipe of an inbound address is warned of", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* Stage).warnings, [])
    })
  )

  it.effect("README: a file is applied by the command line and activated; its address is found", () =>
    Effect.gen(function* () {
      const { address, id } = yield* Stage
      const shellOutput = yield* typed("README", { AUTOMATION: `${id("01-github-issue")}` })
      assert.include(shellOutput, yield* address("01-github-issue"))
    })
  )

  it.effect(
    "01: a signed issue of GitHub is one record, however often it is sent; others and unsigned ones are none",
    () =>
      Effect.gen(function* () {
        const { address, records } = yield* Stage
        const key = secretOf("github_webhook")
        const issue = (state: string) =>
          JSON.stringify({
            action: state === "open" ? "opened" : "closed",
            issue: { html_url: "https://github.com/acme/shop/issues/7", title: 'Scale is "off"', state },
            repository: { full_name: "acme/shop" }
          })
        const sendSigned = Effect.fnUntraced(function* (body: string, event: string, signingKey = key) {
          const signature = yield* Effect.promise(() => githubSignature(signingKey, body))
          return yield* send("01-github-issue", body, {
            ...JSON_TYPE,
            "x-github-event": event,
            "x-hub-signature-256": signature
          })
        })
        assert.strictEqual((yield* sendSigned('{"zen":"Keep it logically awesome."}', "ping")).status, 202)
        assert.strictEqual((yield* sendSigned(issue("open"), "issues", "another key")).status, 401)
        for (const state of ["open", "open", "closed"])
          assert.strictEqual((yield* sendSigned(issue(state), "issues")).status, 202)
        yield* ran("01-github-issue", 3)
        assert.deepStrictEqual(yield* records("issues"), [
          {
            address: "https://github.com/acme/shop/issues/7",
            title: 'Scale is "off"',
            repository: "acme/shop",
            state: "closed"
          }
        ])
        yield* typed("01-github-issue", { ADDRESS: yield* address("01-github-issue"), KEY: key })
        yield* ran("01-github-issue", 4)
        assert.lengthOf(yield* records("issues"), 2)
      })
  )

  it.effect("02: events of one payment of Stripe create its record and update it; a stale signature is refused", () =>
    Effect.gen(function* () {
      const { address, records } = yield* Stage
      const key = secretOf("stripe_webhook")
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const event = (type: string, status: string) =>
        JSON.stringify({
          id: `evt_${status}`,
          object: "event",
          type,
          data: { object: { id: "pi_1", object: "payment_intent", amount: 1999, currency: "eur", status } }
        })
      const sendSigned = Effect.fnUntraced(function* (body: string, seconds = nowSeconds) {
        const signature = yield* Effect.promise(() => stripeSignature(key, body, seconds))
        return yield* send("02-stripe-payment", body, { ...JSON_TYPE, "stripe-signature": signature })
      })
      const paid = event("payment_intent.succeeded", "succeeded")
      assert.strictEqual((yield* sendSigned(paid, nowSeconds - 3_600)).status, 401)
      yield* sendSigned(event("payment_intent.created", "requires_payment_method"))
      yield* ran("02-stripe-payment")
      assert.deepStrictEqual(
        (yield* records("payments")).map(({ state }) => state),
        ["requires_payment_method"]
      )
      yield* sendSigned(event("charge.succeeded", "succeeded"))
      yield* sendSigned(paid)
      yield* ran("02-stripe-payment", 2)
      const payment = { payment: "pi_1", amount: 19.99, currency: "eur", state: "succeeded" }
      assert.deepStrictEqual(yield* records("payments"), [payment])
      yield* typed("02-stripe-payment", { ADDRESS: yield* address("02-stripe-payment"), KEY: key })
      yield* ran("02-stripe-payment", 3)
      assert.lengthOf(yield* records("payments"), 2)
    })
  )

  it.effect(
    "03: a form with a file is a record with the file, and the browser is led on; without an address it is none",
    () =>
      Effect.gen(function* () {
        const { fetch } = yield* App
        const { address, records } = yield* Stage
        const url = yield* address("03-form-with-file")
        const post = Effect.fnUntraced(function* (mail: string) {
          const form = new FormData()
          form.set("name", "Ann Müller")
          form.set("mail", mail)
          form.append("papers", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "Lebenslauf – Ann.pdf")
          const target = `${ORIGIN}${new URL(url).pathname}`
          return yield* fetch(new Request(target, { method: "POST", body: form, redirect: "manual" }))
        })
        assert.strictEqual((yield* post("none")).status, 204)
        const answer = yield* post("ann@example.com")
        assert.deepStrictEqual(
          [answer.status, answer.headers.get("location")],
          [303, "https://www.example.com/thank-you"]
        )
        yield* ran("03-form-with-file")
        assert.deepStrictEqual(yield* records("applications"), [
          { name: "Ann Müller", mail: "ann@example.com", papers: "Lebenslauf – Ann.pdf" }
        ])
        const shellOutput = yield* typed("03-form-with-file", { ADDRESS: url })
        assert.include(shellOutput, "303 https://www.example.com/thank-you")
        assert.lengthOf(yield* records("applications"), 2)
      })
  )

  it.effect("12: a CSV file creates and updates records, and is refused as a whole where a row is wrong", () =>
    Effect.gen(function* () {
      const { address, records } = yield* Stage
      const headers = { "content-type": "text/csv", authorization: `Bearer ${secretOf("csv_key")}` }
      const post = (body: string) => send("12-csv-stock", body, headers)
      assert.strictEqual((yield* send("12-csv-stock", "sku,pieces", { "content-type": "text/csv" })).status, 401)
      const csv = '\ufeffSKU;Name;Pieces\r\nB-7;"Bolts; 3/8"" long";100\r\n\r\nN-1;Nuts;7\r\n'
      const answer = yield* post(csv)
      assert.deepStrictEqual([answer.status, answer.json], [200, { created: 2, updated: 0 }])
      const many = Array.from({ length: 59 }, (_, i) => `X-${i},Screw ${i},${i}`)
      const second = yield* post(["sku,name,pieces", "B-7,Bolts,90", ...many].join("\n"))
      assert.deepStrictEqual([second.status, second.json], [200, { created: 59, updated: 1 }])
      const wrong = yield* post("sku,name,pieces\nB-7,Bolts,10\nB-8,Rings,many\n,Nothing,1")
      assert.deepStrictEqual(
        [wrong.status, wrong.json],
        [422, { error: "Each row needs sku and pieces.", rows: [2, 3] }]
      )
      const broken = yield* post('sku,name,pieces\nB-7,Bolts,10\nB-8,"Rings" 3,4\n')
      assert.deepStrictEqual([broken.status, broken.json.rows], [422, [2]])
      const stock = yield* records("stock")
      assert.deepInclude(stock, { sku: "B-7", name: "Bolts", pieces: 90 })
      assert.isFalse(stock.some(({ sku }) => sku === "B-8"))
      const shellOutput = yield* typed("12-csv-stock", {
        ADDRESS: yield* address("12-csv-stock"),
        KEY: secretOf("csv_key")
      })
      assert.include(shellOutput, '{"created":2,"updated":0}')
    })
  )
})
