// Composes the complete message as it is sent (RFC 5322).
import type { SendMailOptions } from "nodemailer"
import MailComposer from "nodemailer/lib/mail-composer"
import { withInlineImages } from "./inlineImages.ts"

export interface Letter {
  readonly options: SendMailOptions
  /** Includes the Bcc header: for mail that is kept instead of sent. */
  readonly kept: boolean
}

export const composed = ({ kept, options }: Letter): Promise<Uint8Array> => {
  const message = new MailComposer(withInlineImages(options)).compile()
  message.keepBcc = kept
  return message.build()
}
