// A real SMTP server on loopback that keeps every mail it took, parsed.
import { Effect } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

interface Taken {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly user: string | undefined
  readonly mail: Email
  /** As it came. */
  readonly raw: string
}

const failure = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

/** Recipients `refused@…` get 550, `later@…` 451; the password is `secret`. */
export const startSmtp = (options: SMTPServerOptions = {}) =>
  Effect.gen(function* () {
    const acceptedMails: Array<Taken> = []
    let connections = 0
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onConnect: (_session, done) => {
        connections++
        done()
      },
      onAuth: (auth, _session, done) =>
        auth.password === "secret" ? done(null, { user: auth.username! }) : done(failure(535, "Authentication failed")),
      onRcptTo: (address, _session, done) =>
        address.address.startsWith("refused@")
          ? done(failure(550, "No such user"))
          : address.address.startsWith("later@")
            ? done(failure(451, "Try again later"))
            : done(),
      onData: (stream, session, done) => {
        const parts: Array<Buffer> = []
        stream.on("data", (part) => parts.push(part))
        stream.on("end", async () => {
          const raw = Buffer.concat(parts)
          const mail = await PostalMime.parse(raw)
          const envelope = session.envelope
          acceptedMails.push({
            from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            to: envelope.rcptTo.map((r) => r.address),
            user: session.user,
            mail,
            raw: raw.toString("latin1")
          })
          done()
        })
      },
      ...options
    })
    server.on("error", () => {})
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    )
    const { port } = server.server.address() as { port: number }
    // The service mails owners of its own accord, whenever its rounds come: what a test waits for is found by its subject.
    const about = (subject: string) => acceptedMails.filter(({ mail }) => mail.subject === subject)
    return { port, url: `smtp://127.0.0.1:${port}`, taken: acceptedMails, about, connections: () => connections }
  })
