// Sends mail (developer-api.md 6, 7.6 send_email; decisions P3, A19).
//
// `send` resolves when the server took the mail (or the mail was kept, where no server is configured). It fails with `ValidationError` (no
// valid recipient, attachments over 20 MB), `NotFound` (no such SMTP account), `TooManyRequests` (the organization's rolling 24 h quota) or
// `MailTransportError` (`temporary` tells whether a retry can help). A `messageId` that was sent before is not sent again: a repeat returns
// the first result.
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { SendMailOptions } from "nodemailer"
import { AppConfig } from "../config/Config.ts"
import { makeSlotMetrics } from "../fairness/slotMetrics.ts"
import { histogram } from "../metrics/instruments.ts"
import { timed } from "../metrics/timed.ts"
import { Outbound } from "../outbound/Outbound.ts"
import { type NotFound, type TooManyRequests, ValidationError } from "../primitives/errors.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { readableText } from "../text/clean.ts"
import { fileName } from "../text/fileName.ts"
import { headerLine, type Mailbox, mailboxes } from "./addresses.ts"
import { letterOf, postable } from "./compose.ts"
import { attachedAs, mailboxLine, subjectLine } from "./lines.ts"
import { keptOf, type MailMessage, makeMailRows, type SentMail } from "./mailRows.ts"
import { SmtpAccounts } from "./SmtpAccounts.ts"
import { CONNECTIONS, type MailTransportError, RESERVED, type SmtpTarget } from "./smtpTransport.ts"
import { MailRoute, makeTransports } from "./transports.ts"

export type MailFailure = ValidationError | NotFound | TooManyRequests | MailTransportError

const durations = histogram("millrace.mail.duration")
/**
 * Result of `send`. `withheld`: sent by the installation's server, since the organization's default account is not for the app's workspace.
 */
type DispatchedMail = SentMail & { readonly withheld?: true }

const measureDispatch = timed<DispatchedMail>(
  (seconds, outcome) => durations.observe(seconds, outcome),
  ({ status }) => status
)

const ATTACHMENTS_MAX = 20 * 1024 * 1024
/** Most characters of a mail's HTML, and of its text. */
const TEXT_MAX = 5_000_000
const INSTALLATION = "installation"

export class Mail extends Context.Service<
  Mail,
  { readonly send: (message: MailMessage) => Effect.Effect<DispatchedMail, MailFailure> }
>()("millrace/mail/Mail") {
  static readonly layerNoDeps = Layer.effect(
    Mail,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const { finish, reserve } = yield* makeMailRows
      const accounts = yield* SmtpAccounts
      const { mailServers } = yield* Outbound
      const [own = { name: "", address: "no-reply@localhost" }] = mailboxes(config.mailFrom)
      const domain = new URL(config.baseUrl).hostname
      const { deliver, notTaken } = yield* makeTransports(mailServers)
      /** Shares the connections to the installation's server fairly between organizations (decisions A22). */
      const shared = yield* makeSlotMetrics("mail", { places: CONNECTIONS, reserve: RESERVED })

      /** Picks server and sender of a mail: a custom sender only through an organization's own account. */
      const route = Effect.fnUntraced(function* (message: MailMessage) {
        const by = message.appId === undefined ? "organization" : { appId: message.appId }
        const picked = message.orgId === null ? undefined : yield* accounts.pick(message.orgId, message.accountId, by)
        // Falls back to the installation's server if the default account is not for this workspace.
        const withheld = picked === "withheld"
        const account = withheld ? undefined : picked
        const [wanted] = mailboxes(message.from?.address)
        const name = headerLine(message.from?.name ?? wanted?.name ?? "")
        const replyTo = mailboxes(message.replyTo)
        if (account !== undefined) {
          const from = { name: name || (account.from_name ?? ""), address: wanted?.address ?? account.from_address }
          const key = `${account.smtp_account_id}/${account.version}`
          return { target: account as SmtpTarget, key, from, replyTo, withheld }
        }
        const target = Option.getOrUndefined(config.smtpUrl)
        const answers = replyTo.length > 0 || wanted === undefined ? replyTo : [wanted]
        const from = { name: name || own.name, address: own.address }
        return { target, key: INSTALLATION, from, replyTo: answers, withheld }
      })

      const send = Effect.fn("Mail.send")(function* (message: MailMessage) {
        const [to, cc, bcc] = [mailboxes(message.to), mailboxes(message.cc), mailboxes(message.bcc)]
        const recipients = [...new Set([...to, ...cc, ...bcc].map((box) => box.address))]
        if (recipients.length === 0) return yield* new ValidationError({ message: "The mail has no valid recipient." })
        const attachments = message.attachments ?? []
        if (attachments.reduce((sum, file) => sum + file.content.byteLength, 0) > ATTACHMENTS_MAX)
          return yield* new ValidationError({ message: "The attachments are larger than 20 MB together." })
        if (Math.max(message.html?.length ?? 0, message.text?.length ?? 0) > TEXT_MAX)
          return yield* new ValidationError({ message: `The mail's text is longer than ${TEXT_MAX} characters.` })
        const way = yield* route(message)
        const kept = keptOf(message)
        const messageId = `<${message.messageId.replace(/[^\w.+=/-]/g, "_")}@${domain}>`
        const reserved = yield* reserve(message, messageId, way.from.address, recipients)
        if (reserved.known !== undefined) return reserved.known
        const failed = ({ message }: { readonly message: string }) =>
          finish(reserved.mailId, "failed", { error: kept(message) })
        const transport = way.target === undefined ? undefined : new MailRoute(way.key, way.target)
        const answers = way.replyTo.map(({ address }) => address)
        const refusedAddresses =
          transport === undefined
            ? []
            : yield* Effect.tapError(notTaken(transport, way.from.address, recipients, answers), failed)
        const withoutRefused = (boxes: ReadonlyArray<Mailbox>) =>
          boxes.filter(({ address }) => !refusedAddresses.includes(address))
        const sentAt = DateTime.toDate(yield* DateTime.now)
        const text =
          message.text ??
          (yield* readableText(message.html ?? "").pipe(
            Effect.catchTag("TextRefused", ({ message }) => new ValidationError({ message })),
            Effect.tapError(failed)
          ))
        const options: SendMailOptions = {
          messageId,
          date: sentAt,
          from: mailboxLine(way.from),
          to: withoutRefused(to).map(mailboxLine),
          cc: withoutRefused(cc).map(mailboxLine),
          bcc: withoutRefused(bcc).map(mailboxLine),
          replyTo: withoutRefused(way.replyTo).map(mailboxLine),
          subject: subjectLine(message.subject),
          html: message.html ?? undefined,
          text,
          attachments: attachments.map(({ content, filename, mimetype }) => ({
            filename: fileName(filename),
            content: Buffer.from(content),
            contentType: attachedAs(mimetype, content)
          })),
          headers: message.system === true ? { "Auto-Submitted": "auto-generated" } : {},
          disableFileAccess: true,
          disableUrlAccess: true
        }
        if (transport === undefined) {
          const letter = { ...options, subject: subjectLine(kept(message.subject)), text: kept(text) }
          const html = message.html === undefined ? {} : { html: kept(message.html) }
          const raw = yield* Effect.tapError(letterOf({ ...letter, ...html }), failed)
          const row = yield* finish(reserved.mailId, "kept", { raw })
          yield* Effect.logInfo(`Mail kept, no SMTP server is configured: ${kept(headerLine(message.subject))}`).pipe(
            Effect.annotateLogs({ mail_id: row.mail_id, to: recipients.join(", ") })
          )
          return way.withheld ? { ...row, withheld: true as const } : row
        }
        const delivery = deliver(transport, yield* Effect.tapError(postable(options), failed))
        const info = yield* (
          way.key === INSTALLATION ? shared.use(message.orgId ?? INSTALLATION)(delivery) : delivery
        ).pipe(Effect.tapError(failed))
        const rejected = [...refusedAddresses, ...(info.rejected ?? []).map(String)]
        const row = yield* finish(reserved.mailId, "sent", { rejected })
        return way.withheld ? { ...row, withheld: true as const } : row
      }, orSqlDefect)
      return Mail.of({ send: (message) => measureDispatch(send(message)) })
    })
  )
}
