// The whole message as it would go out (RFC 5322).
import type { SendMailOptions } from "nodemailer"
import MailComposer from "nodemailer/lib/mail-composer"

/** The message with its Bcc header, for mail that is kept instead of sent. */
export const rawMessage = (options: SendMailOptions): Promise<Uint8Array> => {
  const composed = new MailComposer(options).compile()
  composed.keepBcc = true
  return composed.build()
}
