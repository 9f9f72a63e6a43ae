// What goes out to servers as they are (RFC 5321, 5322, 6531): addresses beyond ASCII, lines, images, against real servers.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import type { MailMessage } from "../../../src/platform/mail/mailRows.ts"
import { SmtpAccounts } from "../../../src/platform/mail/SmtpAccounts.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"
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

const message = (rest: Partial<MailMessage>): MailMessage => ({
  orgId: null,
  to: "owner@example.com",
  subject: "Hello",
  html: "<p>Hi</p>",
  messageId: `l-${Math.random()}`,
  ...rest
})

type Smtp = Effect.Success<ReturnType<typeof startSmtp>>
const withSmtp = <A, E>(
  test: (smtp: Smtp, send: (rest: Partial<MailMessage>) => ReturnType<Mail["Service"]["send"]>) => Effect.Effect<A, E>,
  options: Parameters<typeof startSmtp>[0] = {}
) =>
  Effect.gen(function* () {
    const smtp = yield* startSmtp(options)
    return yield* Effect.gen(function* () {
      const mail = yield* Mail
      return yield* test(smtp, (rest) => mail.send(message(rest)))
    }).pipe(Effect.provide(services({ SMTP_URL: smtp.url })))
  })

const longest = (raw: string) => Math.max(...raw.split("\r\n").map(({ length }) => length))

describe("letters", () => {
  it.effect("an address beyond ASCII goes to a server with SMTPUTF8; a domain in its ASCII spelling to any", () =>
    withSmtp((smtp, send) =>
      Effect.gen(function* () {
        const sentMail = yield* send({ to: "müller@example.com, ok@exämple.com" })
        assert.deepStrictEqual(sentMail.rejected, [])
        // The server shows domains as people write them.
        assert.sameMembers([...smtp.taken[0]!.to], ["müller@example.com", "ok@exämple.com"])
        assert.include(smtp.taken[0]!.raw, "ok@xn--exmple-cua.com")
      })
    )
  )

  it.effect(
    "without SMTPUTF8 it is left out and told, and nothing in the mail holds it; a mail to nobody else fails",
    () =>
      withSmtp(
        (smtp, send) =>
          Effect.gen(function* () {
            const sentMail = yield* send({
              to: "ok@exämple.com, müller@example.com",
              cc: "zoë@example.com",
              replyTo: "jürgen@example.com"
            })
            assert.sameMembers([...sentMail.rejected], ["müller@example.com", "zoë@example.com", "jürgen@example.com"])
            const [taken] = smtp.taken
            assert.deepStrictEqual(taken!.to, ["ok@exämple.com"])
            assert.notMatch(taken!.raw, /[^\t\r\n -~]/)
            const error = yield* Effect.flip(send({ to: "müller@example.com" }))
            assert.match(error.message, /SMTPUTF8.*müller@example\.com/)
            assert.strictEqual(smtp.taken.length, 1)
            // The server was asked once.
            assert.isAtMost(smtp.connections(), 3)
          }),
        { hideSMTPUTF8: true } as object
      )
  )

  it.effect("no line is longer than 998 characters, whatever stands in headers, names and attached mails", () =>
    withSmtp((smtp, send) =>
      Effect.gen(function* () {
        const subject = "x".repeat(998)
        const eml = `Subject: inner\r\n\r\n${"y".repeat(3_000)}\r\n`
        yield* send({
          subject,
          to: `${"n".repeat(900)} <owner@example.com>`,
          attachments: [
            { filename: `${"f".repeat(240)}.eml`, content: Buffer.from(eml), mimetype: "message/rfc822" },
            { filename: "short.eml", content: Buffer.from("Subject: a\r\n\r\nb\r\n"), mimetype: "message/rfc822" }
          ]
        })
        yield* send({ subject: "ü".repeat(998), html: `<p>${"z".repeat(2_000)}</p>` })
        yield* send({ subject: "words ".repeat(150), html: `<p>${"z".repeat(60_000)}</p>` })
        const [ascii, letters, large] = smtp.taken
        assert.strictEqual(ascii!.mail.subject, subject)
        assert.strictEqual(letters!.mail.subject, "ü".repeat(998))
        for (const { raw } of [ascii!, letters!, large!]) assert.isAtMost(longest(raw), 998)
        const attached = ascii!.mail.attachments.find(({ filename }) => filename?.startsWith("fff"))!
        assert.strictEqual(Buffer.from(attached.content as ArrayBuffer).toString(), eml)
      })
    )
  )

  it.effect("images of the HTML are parts of the mail that it names, in small mails and in large ones", () =>
    withSmtp((smtp, send) =>
      Effect.gen(function* () {
        const image = '<img src="data:image/png;base64,iVBORw0KGgo=">'
        yield* send({ html: `<p>hi ${image}</p>` })
        yield* send({ html: `<p>hi ${image}${"w ".repeat(40_000)}</p>` })
        for (const { mail, raw } of smtp.taken) {
          const [part] = mail.attachments
          assert.strictEqual(part?.mimeType, "image/png")
          assert.include(mail.html, `cid:${part!.contentId!.replaceAll(/[<>]/g, "")}`)
          assert.notInclude(raw.replaceAll("=\r\n", ""), "data:image")
        }
        assert.strictEqual(smtp.taken.length, 2)
      })
    )
  )
})
