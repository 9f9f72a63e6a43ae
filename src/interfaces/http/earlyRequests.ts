// A request that arrives while the routes are still being put together waits for them: the socket is open before they are, and Node drops
// a request that nobody listens for, so that its sender would wait for ever.
import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Hands what came early to the first that listens for requests. */
export const keepEarlyRequests = (server: Server): Server => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const keep = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response])
  const replayRequests = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", replayRequests)
    server.off("request", keep)
    // The new listener is registered only after this event.
    queueMicrotask(() => {
      for (const [request, response] of early.splice(0)) server.emit("request", request, response)
    })
  }
  return server.on("request", keep).on("newListener", replayRequests)
}
