// Finds out whether a server accepts addresses whose local part is not ASCII (RFC 6531), which needs SMTPUTF8. Domains do not, they have a
// spelling in ASCII (RFC 5891). nodemailer's pools do not tell what their server can do, so a connection of its own asks.
import { Effect } from "effect"
import type { SMTPPoolOptions } from "nodemailer"
import SMTPConnection from "nodemailer/lib/smtp-connection"

const ascii = /^[\x20-\x7e]*$/

/** True if the address needs a server with SMTPUTF8. */
export const isInternational = (address: string): boolean => !ascii.test(address.slice(0, address.lastIndexOf("@")))

/** Asks the server for SMTPUTF8. @param options as a transport takes them, their socket opened */
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
