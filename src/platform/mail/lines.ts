// Keeps the lines of a mail within 998 characters (RFC 5322 2.1.1). Headers are folded between words: one that cannot be folded is encoded
// or cut. A mail within the mail, which is sent as it is, is wrapped.
import { encodeWord } from "nodemailer/lib/mime-funcs"
import { headerLine, type Mailbox } from "./addresses.ts"

/** Longest word of a subject: it fits on the first line, behind the header's name. */
const WORD_AT_MOST = 900
/** Length of an encoded word, as RFC 2047 requires. */
const ENCODED_WORD = 52
/** Longest name of a sender or recipient: with its address it fits on a line. */
const NAME_AT_MOST = 256
const LINE_AT_MOST = 998

const longestWord = (text: string): number =>
  text.split(" ").reduce((longest, { length }) => Math.max(longest, length), 0)

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Subject that can be folded; one beyond ASCII is encoded by the composer, word by word. */
export const subjectLine = (text: string): string => {
  const subject = headerLine(text)
  return isAscii(subject) && longestWord(subject) > WORD_AT_MOST ? encodeWord(subject, "Q", ENCODED_WORD) : subject
}

export const mailboxLine = ({ address, name }: Mailbox) =>
  name === "" ? address : { name: name.slice(0, NAME_AT_MOST).toWellFormed(), address }

const hasLongLine = (bytes: Uint8Array): boolean => {
  for (let lineStart = 0; lineStart < bytes.length; ) {
    const end = bytes.indexOf(10, lineStart)
    if ((end < 0 ? bytes.length : end) - lineStart > LINE_AT_MOST) return true
    if (end < 0) break
    lineStart = end + 1
  }
  return false
}

/** Content type under which a file is attached: a mail is attached line by line, so one with too long lines becomes plain bytes. */
export const attachedAs = (mimetype: string | undefined, content: Uint8Array): string | undefined =>
  mimetype !== undefined && /^message\//i.test(mimetype) && hasLongLine(content) ? "application/octet-stream" : mimetype
