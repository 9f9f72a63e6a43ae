// Answers that are ready in one turn of the event loop leave one after another at its end: their readers are woken while there is
// more for them, and not once for each.
import { Buffer } from "node:buffer"
import { type IncomingMessage, ServerResponse } from "node:http"

let readyAnswers: Array<() => void> = []

/** Sends them now, where the end of the turn is too late. */
export const sendReady = (): void => {
  const answers = readyAnswers
  readyAnswers = []
  for (const leave of answers) leave()
}

/** Bytes of a body that is written together with its headers, as one text of single bytes, which is one piece for the socket. */
const SMALL = 4096

type End = ReadonlyArray<unknown>

const inOnePiece = (given: End): End => {
  const [body, ...rest] = given
  return body instanceof Uint8Array && body.byteLength <= SMALL
    ? [Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), "latin1", ...rest]
    : given
}

export class AnswerTogether<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  constructor(...given: ConstructorParameters<typeof ServerResponse<R>>) {
    super(...given)
    this.on("error", (defect) => this.fail(defect))
  }

  /** Handles an answer that cannot be sent as it was begun: ends its connection and warns. No caller waits who could catch the error. */
  private fail(defect: unknown): void {
    this.destroy()
    process.emitWarning(defect instanceof Error ? defect : String(defect))
  }

  override end(...given: End): this {
    const leave = () => {
      // Its reader may have gone since: Node counts no byte of what is not sent, and throws over the length that was promised.
      if (this.destroyed) return
      try {
        super.end(...(inOnePiece(given) as []))
      } catch (defect) {
        this.fail(defect)
      }
    }
    if (readyAnswers.push(leave) === 1) setImmediate(sendReady)
    return this
  }
}
