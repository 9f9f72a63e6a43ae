// Mail through a real SMTP server (developer-api.md 6, 7.6 send_email; decisions P3, A19).
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import PostalMime from "postal-mime"
import { letterOf } from "../../../src/platform/mail/compose.ts"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import type { MailMessage } from "../../../src/platform/mail/mailRows.ts"
import { SmtpAccounts } from "../../../src/platform/mail/SmtpAccounts.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"
import { cpuMillis, leastTurnOf } from "../../support/turns.ts"
import { startSmtp } from "./smtp.ts"

const services = (env: Record<string, string>) =>
  Mail.layerNoDeps.pipe(
    Layer.provideMerge(SmtpAccounts.layer),
    Layer.provide(Outbound.layer),
    Layer.provideMerge(Secrets.layer),
    Layer.provideMerge(
      Layer.mergeAll(configLayer({ MAIL_FROM: "Millrace <service@example.com>", ...env }), layerDatabase)
    )
  )

const organization = (limits: Record<string, number> = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ org_id: number }>`
      INSERT INTO organizations (name, slug, limits, created_on)
      VALUES ('Example', ${`org-${Math.random()}`}, ${JSON.stringify(limits)}::jsonb, now()) RETURNING org_id`
    return row!.org_id
  })

const message = (orgId: number | null, rest: Partial<MailMessage> = {}): MailMessage => ({
  orgId,
  to: "owner@example.com",
  subject: "Hello",
  html: "<p>Hi &amp; bye</p><p>Second</p>",
  messageId: `m-${Math.random()}`,
  ...rest
})

const withSmtp = <A, E>(
  test: (
    smtp: Effect.Success<ReturnType<typeof startSmtp>>
  ) => Effect.Effect<A, E, Mail | SmtpAccounts | SqlClient.SqlClient>,
  env: Record<string, string> = {}
) =>
  Effect.gen(function* () {
    const smtp = yield* startSmtp()
    const context = yield* Layer.build(services({ SMTP_URL: smtp.url, ...env }))
    return yield* Effect.provide(test(smtp), context as Context.Context<Mail | SmtpAccounts | SqlClient.SqlClient>)
  })

const send = (m: MailMessage) => Effect.flatMap(Mail, (mail) => mail.send(m))

describe("mail", () => {
  it.effect(
    "goes out with recipients, reply address, text beside HTML, attachments and a stable Message-ID (A19)",
    () =>
      withSmtp((smtp) =>
        Effect.gen(function* () {
          const orgId = yield* organization()
          const sentMail = yield* send(
            message(orgId, {
              to: 'Owner <owner@example.com>, member@example.com, nobody, "Last, First" <c@example.com>',
              cc: ["other@example.com"],
              bcc: "hidden@example.com",
              replyTo: "answers@example.com",
              subject: "Grüße\r\nBcc: evil@example.com",
              messageId: "run-1/step-2",
              attachments: [{ filename: "a ü.txt", content: Buffer.from("text"), mimetype: "text/plain" }]
            })
          )
          const [taken] = smtp.taken
          assert.deepStrictEqual([...taken!.to].sort(), [
            "c@example.com",
            "hidden@example.com",
            "member@example.com",
            "other@example.com",
            "owner@example.com"
          ])
          const { mail } = taken!
          assert.strictEqual(mail.messageId, "<run-1/step-2@127.0.0.1>")
          assert.strictEqual(sentMail.message_id, mail.messageId)
          assert.strictEqual(mail.subject, "Grüße Bcc: evil@example.com")
          assert.strictEqual(mail.bcc, undefined)
          assert.strictEqual(mail.from?.address, "service@example.com")
          assert.deepStrictEqual(
            mail.replyTo?.map((r) => r.address),
            ["answers@example.com"]
          )
          assert.deepStrictEqual(
            mail.to?.map((r) => r.name),
            ["Owner", "", "Last, First"]
          )
          assert.strictEqual(mail.text?.trim(), "Hi & bye\nSecond")
          assert.match(mail.html ?? "", /<p>Hi &amp; bye<\/p>/)
          assert.strictEqual(mail.attachments[0]?.filename, "a ü.txt")
          assert.strictEqual(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).toString(), "text")
        })
      )
  )

  it.effect("the same message id is sent once", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        const sentMail = yield* send(message(orgId, { messageId: "same" }))
        assert.deepStrictEqual(yield* send(message(orgId, { messageId: "same" })), sentMail)
        assert.strictEqual(smtp.taken.length, 1)
      })
    )
  )

  it.effect("no valid recipient is an error", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        for (const to of ["", "nobody", "a@, @b", "nobody, <>", "@example.com"]) {
          const error = yield* Effect.flip(send(message(orgId, { to })))
          assert.strictEqual(error._tag, "ValidationError", to)
        }
        assert.strictEqual(smtp.taken.length, 0)
      })
    )
  )

  it.effect("attachments are limited to 20 MB together (6)", () =>
    withSmtp(() =>
      Effect.gen(function* () {
        const content = new Uint8Array(11 * 1024 * 1024)
        const attachments = [0, 1].map((n) => ({ filename: `${n}.bin`, content }))
        const error = yield* Effect.flip(send(message(yield* organization(), { attachments })))
        assert.match(error.message, /20 MB/)
      })
    )
  )

  it.effect(
    "an organization's quota of a rolling 24 hours is shared, its own limit wins, system mail is outside (6, P2)",
    () =>
      withSmtp(
        (smtp) =>
          Effect.gen(function* () {
            const [own, other] = [yield* organization({ mail_per_day: 3 }), yield* organization()]
            yield* send(message(own))
            yield* TestClock.adjust("1 hour")
            const burst = yield* Effect.all(
              Array.from({ length: 6 }, () => Effect.result(send(message(own)))),
              { concurrency: "unbounded" }
            )
            assert.strictEqual(burst.filter((r) => r._tag === "Success").length, 2)
            const error = yield* Effect.flip(send(message(own)))
            assert.deepInclude(error, { _tag: "TooManyRequests", retryAfterSeconds: 23 * 3600 })
            yield* send(message(own, { system: true }))
            yield* send(message(other))
            yield* TestClock.adjust("23 hours")
            yield* send(message(own))
            assert.strictEqual((yield* Effect.flip(send(message(own))))._tag, "TooManyRequests")
            assert.strictEqual(smtp.taken.length, 6)
          }),
        { MAIL_PER_DAY: "5" }
      )
  )

  it.effect("temporary and permanent refusals are told apart, and a failed mail does not count", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization({ mail_per_day: 1 })
        const refusal = yield* Effect.flip(send(message(orgId, { to: "refused@example.com" })))
        assert.deepInclude(refusal, { _tag: "MailTransportError", temporary: false })
        assert.match(refusal.message, /No such user/)
        const later = yield* Effect.flip(send(message(orgId, { to: "later@example.com", messageId: "again" })))
        assert.deepInclude(later, { _tag: "MailTransportError", temporary: true })
        const partly = yield* send(message(orgId, { to: "refused@example.com, ok@example.com", messageId: "again" }))
        assert.deepStrictEqual([partly.status, partly.rejected], ["sent", ["refused@example.com"]])
        assert.strictEqual(smtp.taken.length, 1)
      })
    )
  )

  it.effect("a server that is away is a temporary failure", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(services({ SMTP_URL: "smtp://127.0.0.1:1" }))
      const error = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(organization(), (orgId) => send(message(orgId))),
          context
        )
      )
      assert.deepInclude(error, { _tag: "MailTransportError", temporary: true })
    })
  )

  it.effect(
    "an organization's default account sends its mail, the named one when asked, with its own sender (P3)",
    () =>
      withSmtp((smtp) =>
        Effect.gen(function* () {
          const [orgId, other] = [yield* organization(), yield* organization()]
          const accounts = yield* SmtpAccounts
          const account = (name: string, password: string) =>
            accounts.create(orgId, {
              name,
              host: "127.0.0.1",
              port: smtp.port,
              security: "none",
              username: name,
              password: Redacted.make(password),
              from_address: `${name}@example.org`,
              from_name: "Team"
            })
          const firstAccount = yield* account("first", "secret")
          const second = yield* account("second", "secret")
          assert.deepStrictEqual([firstAccount.is_default, second.is_default], [true, false])
          yield* send(message(orgId))
          yield* send(
            message(orgId, { accountId: second.smtp_account_id, from: { address: "me@example.org", name: "Me" } })
          )
          yield* send(message(other, { from: { address: "me@example.org", name: "Me" } }))
          assert.deepStrictEqual(
            smtp.taken.map((t) => [t.user, t.mail.from?.name, t.mail.from?.address, t.mail.replyTo?.[0]?.address]),
            [
              ["first", "Team", "first@example.org", undefined],
              ["second", "Me", "me@example.org", undefined],
              [undefined, "Me", "service@example.com", "me@example.org"]
            ]
          )
          const foreign = yield* Effect.flip(send(message(other, { accountId: firstAccount.smtp_account_id })))
          assert.strictEqual(foreign._tag, "NotFound")
          const wrong = yield* account("third", "wrong")
          const error = yield* Effect.flip(send(message(orgId, { accountId: wrong.smtp_account_id })))
          assert.deepInclude(error, { _tag: "MailTransportError", temporary: false })
          assert.match(error.message, /refused the sign-in/)
          yield* accounts.setDefault(orgId, second.smtp_account_id)
          yield* send(message(orgId))
          assert.strictEqual(smtp.taken.at(-1)?.user, "second")
          yield* accounts.remove(orgId, second.smtp_account_id)
          assert.deepStrictEqual(
            (yield* accounts.list(orgId)).map((a) => a.name),
            ["first", "third"]
          )
        })
      )
  )

  it.effect("passwords are not readable in the database (O9)", () =>
    withSmtp(() =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        yield* (yield* SmtpAccounts).create(orgId, {
          name: "a",
          host: "127.0.0.1",
          port: 25,
          security: "tls",
          username: "u",
          password: Redacted.make("correct horse"),
          from_address: "a@example.org"
        })
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ password: Uint8Array }>`SELECT password FROM smtp_accounts WHERE org_id = ${orgId}`
        assert.notInclude(Buffer.from(row!.password).toString("latin1"), "correct horse")
      })
    )
  )

  it.effect("connections are kept for the next mail", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        for (let i = 0; i < 5; i++) yield* send(message(orgId))
        assert.strictEqual(smtp.connections(), 1)
      })
    )
  )

  it.effect("without an SMTP server the mail is kept in the database", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(services({}))
      const { sent, raw } = yield* Effect.provide(
        Effect.gen(function* () {
          const keptMail = yield* send(message(yield* organization(), { bcc: "hidden@example.com", system: true }))
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ raw: Uint8Array }>`SELECT raw FROM mails WHERE mail_id = ${keptMail.mail_id}`
          return { sent: keptMail, raw: row!.raw }
        }),
        context
      )
      const mail = yield* Effect.promise(() => PostalMime.parse(Buffer.from(raw)))
      assert.strictEqual(sent.status, "kept")
      assert.deepStrictEqual(
        [mail.subject, mail.to?.[0]?.address, mail.bcc?.[0]?.address],
        ["Hello", "owner@example.com", "hidden@example.com"]
      )
      assert.include(
        mail.headers.map((h) => h.key),
        "auto-submitted"
      )
    })
  )

  it.effect(
    "what is kept of a mail's texts is what its sender lets be kept: in the row, and where nobody takes the mail",
    () =>
      Effect.gen(function* () {
        const [subject, html] = ["Code 7f3b", "<p>It is 7f3b, again 7f3b.</p>"]
        const kept = (text: string) => text.replaceAll("7f3b", "•••")
        const storeMail = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const orgId = yield* organization()
          yield* Effect.ignore(send(message(orgId, { subject, html, kept })))
          const [row] = yield* sql<{ raw: Uint8Array | null; subject: string; error: string | null }>`
          SELECT raw, subject, error FROM mails WHERE org_id = ${orgId}`
          return row!
        })
        const { raw, subject: shown } = yield* Effect.provide(storeMail, services({}))
        const letter = yield* Effect.promise(() => PostalMime.parse(Buffer.from(raw!)))
        assert.deepStrictEqual([shown, letter.subject], ["Code •••", "Code •••"])
        assert.strictEqual(letter.html?.trim(), "<p>It is •••, again •••.</p>")
        assert.strictEqual(letter.text?.trim(), "It is •••, again •••.")
        yield* withSmtp((smtp) =>
          Effect.gen(function* () {
            const row = yield* storeMail
            assert.deepStrictEqual([row.subject, row.raw, row.error], ["Code •••", null, null])
            assert.strictEqual(smtp.taken[0]!.mail.subject, subject)
            assert.strictEqual(smtp.taken[0]!.mail.html?.trim(), html)
          })
        )
      })
  )

  it.effect("an attachment or body can name no file or address of the server", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        const html = '<img src="file:///etc/passwd"><img src="data:image/png;base64,AAAA">'
        yield* send(message(orgId, { html }))
        // What stands in the mail itself is a part of it; what is elsewhere stays where it is.
        assert.deepStrictEqual(
          smtp.taken[0]!.mail.attachments.map(({ content, mimeType }) => [
            mimeType,
            (content as ArrayBuffer).byteLength
          ]),
          [["image/png", 3]]
        )
        assert.include(smtp.taken[0]!.mail.html, "file:///etc/passwd")
      })
    )
  )

  const wide = `<p>Grüße</p>${"é<i>a</i>\n".repeat(150_000)}`
  const withBcc = { bcc: "hidden@example.com", html: wide }

  it.live("a large mail holds no turn of the loop while it is composed (P8)", () =>
    Effect.gen(function* () {
      const html = "é<i>a</i>\n".repeat(490_000)
      const options = { from: "a@example.com", to: "b@example.com", subject: "Hello", html, text: html }
      const [raw, longest] = yield* leastTurnOf(letterOf(options))
      // It is copied to the thread that composes it.
      assert.isBelow(longest, 50 + 3 * cpuMillis(() => structuredClone(options)))
      const mail = yield* Effect.promise(() => PostalMime.parse(Buffer.from(raw)))
      assert.strictEqual(mail.html?.trim(), html.trim())
    })
  )

  it.live("a large mail is kept with its Bcc header where no server is configured", () =>
    Effect.gen(function* () {
      const kept = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const sentMail = yield* send(message(yield* organization(), withBcc))
        const [row] = yield* sql<{ raw: Uint8Array }>`SELECT raw FROM mails WHERE mail_id = ${sentMail.mail_id}`
        return yield* Effect.promise(() => PostalMime.parse(Buffer.from(row!.raw)))
      })
      const mail = yield* Effect.provide(kept, services({}))
      assert.strictEqual(mail.bcc?.[0]?.address, "hidden@example.com")
      assert.strictEqual(mail.html?.trim(), wide.trim())
    })
  )

  it.live("a large mail goes out as a small one does: to all recipients, Bcc in no header, with its attachments", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const attachments = [{ filename: "a ü.bin", content: Buffer.alloc(100_000, 7) }]
        const sentMail = yield* send(
          message(yield* organization(), { ...withBcc, attachments, replyTo: "a@example.com" })
        )
        const [taken] = smtp.taken
        assert.deepStrictEqual([...taken!.to].sort(), ["hidden@example.com", "owner@example.com"])
        const { mail } = taken!
        assert.strictEqual(mail.messageId, sentMail.message_id)
        assert.strictEqual(mail.bcc, undefined)
        assert.strictEqual(mail.subject, "Hello")
        assert.strictEqual(mail.replyTo?.[0]?.address, "a@example.com")
        assert.strictEqual(mail.html?.trim(), wide.trim())
        assert.include(mail.text, "Grüße")
        assert.strictEqual(mail.attachments[0]?.filename, "a ü.bin")
        assert.strictEqual((mail.attachments[0]!.content as ArrayBuffer).byteLength, 100_000)
      })
    )
  )

  it.effect("a text of more than five million characters is refused with the reason, and nothing is sent", () =>
    withSmtp((smtp) =>
      Effect.gen(function* () {
        const orgId = yield* organization()
        const error = yield* Effect.flip(send(message(orgId, { html: "x".repeat(5_000_001) })))
        assert.strictEqual(error.message, "The mail's text is longer than 5000000 characters.")
        assert.strictEqual(smtp.taken.length, 0)
      })
    )
  )
})
