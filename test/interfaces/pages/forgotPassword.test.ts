// decisions O12: where mail is configured, Forgot password sends a one-time link, with the same answer for unknown addresses.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { startSmtp } from "../../platform/mail/smtp.ts"
import { appLayer } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { browser, seedPerson } from "./support.ts"

const until = (what: string, holds: () => boolean) => eventually(what, Effect.sync(holds), (it) => it)

const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "")

describe("O12: forgot password", () => {
  it.live(
    "O12: the link comes by mail, once, from this service's own address; unknown addresses get the same answer",
    () =>
      Effect.gen(function* () {
        const smtp = yield* startSmtp()
        const context = yield* Layer.build(appLayer({ SMTP_URL: smtp.url }))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { email } = yield* seedPerson()
          const b = browser()
          const ask = (address: string) => b.submit("/account/forgot-password", { email: address })
          const unknown = yield* ask("nobody@example.com")
          const knownReply = yield* ask(email.toUpperCase())
          assert.strictEqual(knownReply.status, 200)
          assert.strictEqual(withoutNonce(knownReply.text), withoutNonce(unknown.text))
          yield* until("one mail", () => smtp.taken.length === 1)
          const [taken] = smtp.taken
          assert.deepStrictEqual(taken!.to, [email])
          const link = /http:\/\/127\.0\.0\.1:8080(\/account\/password\/[\w-]+)/.exec(taken!.mail.text ?? "")![1]!
          const set = yield* b.submit(link, { password: "nine dry otters", repeated: "nine dry otters" })
          assert.include(set.text, "The password is set.")
          assert.strictEqual((yield* b.signIn(email, "nine dry otters")).path, "/")
          assert.strictEqual((yield* browser().get(link)).status, 400)
          const kept = yield* sql<{ text: string }>`SELECT m::text AS text FROM mails m`
          assert.notInclude(JSON.stringify(kept), link.split("/").at(-1)!)

          // Three an hour for an account, and nobody can tell; thirty for an address.
          const other = yield* seedPerson()
          for (let i = 0; i < 5; i++)
            assert.strictEqual(withoutNonce((yield* ask(other.email)).text), withoutNonce(knownReply.text))
          yield* until("three mails more", () => smtp.taken.length === 4)
          for (let i = 0; i < 23; i++) yield* ask("nobody@example.com")
          assert.strictEqual((yield* ask(other.email)).status, 429)
          assert.strictEqual(smtp.taken.length, 4)
        }).pipe(Effect.provide(context))
      }).pipe(Effect.scoped)
  )
})
