// Composes mails, large ones outside of the main thread, whether they are kept or sent (decisions P8): composing takes some 40 ms for each
// megabyte, a third of it in one turn of the event loop.
import { Effect } from "effect"
import type { SendMailOptions } from "nodemailer"
import { ValidationError } from "../primitives/errors.ts"
import { makeWorkerThread } from "../primitives/workerThread.ts"
import { composed, type Letter } from "./composed.ts"
import { withInlineImages } from "./inlineImages.ts"

/** Least size of a large mail: bytes of texts and attachments; smaller ones take a few milliseconds. */
const LARGE = 32 * 1024
/** Time-out of composing; the largest mail takes a few seconds. */
const PATIENCE_MILLIS = 60_000

const composeInThread = makeWorkerThread<Letter, Uint8Array>(
  new URL("./composing.ts", import.meta.url),
  PATIENCE_MILLIS
)

const isLarge = ({ attachments = [], html, text }: SendMailOptions): boolean =>
  [html, text, ...attachments.map(({ content }) => content)].reduce(
    (sum, part) => sum + (typeof part === "string" || part instanceof Uint8Array ? part.length : 0),
    0
  ) > LARGE

const composeLetter = (letter: Letter) =>
  composeInThread(letter).pipe(
    Effect.catchTag(
      "NotDone",
      ({ message }) => new ValidationError({ message: `The mail cannot be written: ${message}` })
    )
  )

/** Complete message for the row of a mail that is kept because no server is configured. */
export const letterOf = (options: SendMailOptions): Effect.Effect<Uint8Array, ValidationError> =>
  isLarge(options) ? composeLetter({ options, kept: true }) : Effect.promise(() => composed({ options, kept: true }))

/** Options for the transport: a large mail comes composed, with its envelope. */
export const postable = (options: SendMailOptions): Effect.Effect<SendMailOptions, ValidationError> => {
  if (!isLarge(options)) return Effect.succeed(withInlineImages(options))
  const { attachments: _attachments, html: _html, text: _text, ...envelope } = options
  return Effect.map(composeLetter({ options, kept: false }), (raw) => ({
    ...envelope,
    raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  }))
}
