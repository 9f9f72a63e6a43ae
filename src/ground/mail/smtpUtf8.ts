// Addresses whose local part is not ASCII (RFC 6531): only a server with SMTPUTF8 takes them. Domains need none, they have a spelling in
// ASCII (RFC 5891). nodemailer's pools do not tell what their server can do, so it is asked over a connection of its own.
import { Effect } from "effect"
import type { SMTPPoolOptions } from "nodemailer"
import SMTPConnection from "nodemailer/lib/smtp-connection"

const ascii = /^[\x20-\x7e]*$/

/** True if the address needs a server with SMTPUTF8. */
export const isInternational = (address: string): boolean => !ascii.test(address.slice(0, address.lastIndexOf("@")))

/** @param options as a transport takes them, their socket opened */
export const asksForUtf8 = <E>(options: SMTPPoolOptions, failed: (cause: unknown) => E): Effect.Effect<boolean, E> =>
  Effect.callback((resume) => {
    const connection = new SMTPConnection(options)
    connection.on("error", (cause: unknown) => resume(Effect.fail(failed(cause))))
    connection.connect(() => {
      const { _supportedExtensions: extensions } = connection as unknown as {
        readonly _supportedExtensions: ReadonlyArray<string>
      }
      connection.quit()
      resume(Effect.succeed(extensions.includes("SMTPUTF8")))
    })
    return Effect.sync(() => connection.close())
  })
