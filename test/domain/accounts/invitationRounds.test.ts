// developer-api.md 11.5: invitations as a worker mails them, to a real SMTP server: one that takes them, one address that it never takes,
// one that it takes later.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { InvitationRounds } from "../../../src/domain/accounts/invitations/invitationMails.ts"
import { browser } from "../../interfaces/pages/support.ts"
import { startSmtp } from "../../platform/mail/smtp.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"

describe("11.5: invitations by mail", () => {
  it.live("the link in the mail joins; what the server never takes is told as failed, what it takes later waits", () =>
    Effect.gen(function* () {
      const smtp = yield* startSmtp()
      const context = yield* Layer.build(appLayer({ SMTP_URL: smtp.url }))
      yield* Effect.gen(function* () {
        const { call } = yield* App
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization("Harbor Works")
        const add = Effect.fnUntraced(function* (email: string) {
          const body = { name: "New Person", email, role: "admin" }
          return (yield* call("POST", "/v1/org/user", { token: owner.key, body })).json.user_id as number
        })
        const [taken, refused, later] = [
          yield* add("taken@example.net"),
          yield* add("refused@example.net"),
          yield* add("later@example.net")
        ]
        const tries = (email: string) =>
          Effect.map(
            sql`SELECT 1 FROM mails WHERE ${email} = ANY(recipients) AND status = 'failed'`,
            (rows) => rows.length
          )
        yield* Layer.build(InvitationRounds)
        const states = sql<{ user_id: number; status: string }>`
          SELECT user_id::int, status FROM invitations ORDER BY user_id`
        yield* eventually(
          "two that are settled",
          states,
          (rows) => rows.filter(({ status }) => status !== "queued").length === 2
        )
        yield* eventually("a try of the third", tries("later@example.net"), (count) => count >= 1)
        assert.deepStrictEqual(yield* states, [
          { user_id: taken, status: "sent" },
          { user_id: refused, status: "failed" },
          { user_id: later, status: "queued" }
        ])
        const [mail, ...more] = smtp.taken
        assert.deepStrictEqual([mail!.to, more], [["taken@example.net"], []])
        const link = /http:\/\/127\.0\.0\.1:8080(\/invitation\/[\w-]{43})\n/.exec(
          mail!.mail.text!.replaceAll("\r", "")
        )![1]!
        const rows = yield* sql`SELECT m::text AS all FROM mails m`
        assert.notInclude(JSON.stringify(rows), link.split("/").at(-1)!)
        const b = browser()
        const answer = yield* b.submit(link, { password: "nine dry otters", repeated: "nine dry otters" })
        assert.strictEqual(answer.path, "/console")
        const [row] = yield* sql<{ status: string }>`SELECT status FROM users WHERE user_id = ${taken}`
        assert.strictEqual(row!.status, "active")
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )
})
