// The parts of a mail that are made, not given: the text beside the HTML, and the whole message as it would go out (RFC 5322).
import { decodeHTML } from "entities"
import type { SendMailOptions } from "nodemailer"
import MailComposer from "nodemailer/lib/mail-composer"
import sanitizeHtml from "sanitize-html"

/** A readable text version of an HTML body. */
export const plainText = (html: string): string => {
  const lines = html.replace(/<(br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*>/gi, "$&\n")
  const stripped = sanitizeHtml(lines, { allowedTags: [], allowedAttributes: {} })
  return decodeHTML(stripped)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/** The message with its Bcc header, for mail that is kept instead of sent. */
export const rawMessage = (options: SendMailOptions): Promise<Uint8Array> => {
  const composed = new MailComposer(options).compile()
  composed.keepBcc = true
  return composed.build()
}
