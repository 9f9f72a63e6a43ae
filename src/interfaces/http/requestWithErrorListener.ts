// A request that always has an error listener (decisions P6). Node reports a sender that disconnected a moment later, when the reader of
// the body may have stopped listening, and an `error` event without a listener ends the process.
import { IncomingMessage } from "node:http"

export class RequestWithErrorListener extends IncomingMessage {
  constructor(...given: ConstructorParameters<typeof IncomingMessage>) {
    super(...given)
    // A reader of the body adds its own listener and gets the error too.
    this.on("error", () => undefined)
  }
}
