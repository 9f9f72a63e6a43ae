// Pools the SMTP connections of each account, and interprets failures (developer-api.md 6 and 7.6).
import { Cause, Effect, Exit, Redacted, Schema } from "effect"
import { createTransport, type SMTPPoolOptions } from "nodemailer"
import { parseConnectionUrl } from "nodemailer/lib/shared"
import type { Outbound } from "../outbound/Outbound.ts"
import { OutboundError } from "../outbound/OutboundError.ts"
import type { SmtpAccount } from "./smtpRows.ts"
import { asksForUtf8 } from "./smtpUtf8.ts"

/** Error of a server that could not be reached or refused the mail; `temporary`: trying again later may help. */
export class MailTransportError extends Schema.TaggedError<MailTransportError>()("MailTransportError", {
  temporary: Schema.Boolean,
  message: Schema.String
}) {}

/** Connections to an account's server, and those of one organization to the installation's server. */
export const CONNECTIONS = 3
/** Further connections to the installation's server, for organizations that use none. */
export const RESERVED = 2

const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

const POOL = {
  ...PATIENCE,
  pool: true,
  maxMessages: 100,
  // Never repeats a mail: if an answer was lost the caller repeats it, under the same Message-ID.
  maxRequeues: 0,
  idleTimeout: 20_000,
  disableFileAccess: true,
  disableUrlAccess: true
} as const

const accountOptions = (account: SmtpAccount & { readonly secret: Redacted.Redacted | null }): SMTPPoolOptions => ({
  host: account.host,
  port: account.port,
  secure: account.security === "tls",
  requireTLS: account.security === "starttls",
  ignoreTLS: account.security === "none",
  ...(account.username === null
    ? {}
    : { auth: { user: account.username, pass: account.secret === null ? "" : Redacted.value(account.secret) } })
})

export type SmtpTarget =
  | (SmtpAccount & { readonly secret: Redacted.Redacted | null })
  /** `SMTP_URL` of the installation. */
  | Redacted.Redacted

type MailServers = Outbound["Service"]["mailServers"]

/** Opens the socket of a guarded account to a vetted address, each time anew. */
const guardedSocket = ({ host, port }: SmtpAccount, servers: MailServers): Pick<SMTPPoolOptions, "getSocket"> => ({
  getSocket: (_options, callback) =>
    Effect.runCallback(servers.open({ host, port }), {
      onExit: (exit) =>
        Exit.isSuccess(exit) ? callback(null, { connection: exit.value }) : callback(Cause.squash(exit.cause) as Error)
    })
})

/** Pool of connections; they close with the scope. */
const opened = (options: SMTPPoolOptions, maxConnections: number) =>
  Effect.acquireRelease(
    Effect.sync(() => createTransport({ ...options, ...POOL, maxConnections } as SMTPPoolOptions & { pool: true })),
    (transporter) => Effect.sync(() => transporter.close())
  )

const installation = (url: Redacted.Redacted) =>
  opened(parseConnectionUrl(Redacted.value(url)) as SMTPPoolOptions, CONNECTIONS + RESERVED)

export const openTransport = (target: SmtpTarget, servers: MailServers) =>
  Redacted.isRedacted(target)
    ? installation(target)
    : opened({ ...accountOptions(target), ...(target.guarded && guardedSocket(target, servers)) }, CONNECTIONS)

/** True if the target's server accepts addresses whose local part is not ASCII (RFC 6531). */
export const takesUtf8 = (target: SmtpTarget, servers: MailServers): Effect.Effect<boolean, MailTransportError> => {
  if (Redacted.isRedacted(target))
    return asksForUtf8(
      { ...(parseConnectionUrl(Redacted.value(target)) as SMTPPoolOptions), ...PATIENCE },
      transportError
    )
  const options = { ...accountOptions(target), ...PATIENCE }
  if (!target.guarded) return asksForUtf8(options, transportError)
  const { host, port } = target
  return Effect.flatMap(Effect.mapError(servers.open({ host, port }), transportError), (connection) =>
    asksForUtf8({ ...options, connection }, transportError)
  )
}

/** Connects to the installation's server and signs in; fails if it cannot. */
export const verifyServer = (url: Redacted.Redacted) =>
  Effect.flatMap(installation(url), (transporter) =>
    Effect.tryPromise({ try: () => transporter.verify(), catch: transportError })
  ).pipe(Effect.scoped)

const PERMANENT_CODES: ReadonlySet<string> = new Set([
  "EAUTH",
  "ENOAUTH",
  "EENVELOPE",
  "EMAXRECIPIENTS",
  "ECONFIG",
  "ETLS"
])

/** Classifies failures: SMTP replies of 4xx and network trouble are temporary, 5xx and refused sign-ins are not (RFC 5321 4.2.1). */
export const transportError = (cause: unknown): MailTransportError => {
  if (cause instanceof OutboundError)
    return new MailTransportError({
      temporary: cause.mayPass,
      message: `The mail server was not reached: ${cause.message}`
    })
  const error = cause as { code?: string; responseCode?: number; response?: string; message?: string }
  const temporary =
    error.responseCode !== undefined
      ? error.responseCode >= 400 && error.responseCode < 500
      : !PERMANENT_CODES.has(error.code ?? "")
  const serverText = error.response ?? error.message ?? "unknown error"
  const what = error.code === "EAUTH" ? "The mail server refused the sign-in" : "The mail server did not take the mail"
  return new MailTransportError({ temporary, message: `${what}: ${serverText.replace(/\s+/g, " ").slice(0, 300)}` })
}
