// A request of which an error is never nobody's (decisions P6): Node tells a request whose sender has left so a moment later, when whoever read its
// body may have stopped listening, and an error that nobody listens for ends the process.
import { IncomingMessage } from "node:http"

export class HeardRequest extends IncomingMessage {
  constructor(...given: ConstructorParameters<typeof IncomingMessage>) {
    super(...given)
    // Whoever reads it listens as well, and is told.
    this.on("error", () => undefined)
  }
}
