// Processes that share the port (docs/operations.md, "Every core"): each answers at a loopback port of its own as well, and the metrics that one
// of them is asked for are those of all.
import { createServer, type Server } from "node:http"
import { Effect } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { joinedPages, type ProcessPage } from "../../platform/metrics/joinedPages.ts"
import { RequestWithErrorListener } from "./requestWithErrorListener.ts"

/** Asks for the page of the one process that is asked. */
export const ALONE = "alone"

/** Requests at the port go the way of the server's own. */
export const alsoAt = (server: Server, port: number | undefined): Server => {
  if (port === undefined) return server
  const siblingServer = createServer({ IncomingMessage: RequestWithErrorListener }, (request, response) =>
    server.emit("request", request, response)
  )
  siblingServer.on("error", (error) => server.emit("error", error))
  server.once("listening", () => siblingServer.listen(port, "127.0.0.1"))
  server.once("close", () => siblingServer.close().closeAllConnections())
  return server
}

/** The page of all processes, of which this one's is `own`; who does not answer is just being started. */
export const makePageOfAll = Effect.map(AppConfig, ({ processNumber, processPorts }) => {
  const pageOf = (port: number, process: number, accept: string) =>
    Effect.tryPromise(async (signal): Promise<ProcessPage> => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics?${ALONE}`, { headers: { accept }, signal })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return { process, text: await answer.text() }
    }).pipe(
      Effect.timeout("2 seconds"),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`No metrics of process ${process}: ${error.message}`), undefined)
      )
    )
  if (processPorts.length === 0) return undefined
  return (own: string, accept: string) =>
    Effect.map(
      Effect.forEach(
        processPorts,
        (port, index) =>
          index + 1 === processNumber
            ? Effect.succeed({ process: processNumber, text: own })
            : pageOf(port, index + 1, accept),
        { concurrency: "unbounded" }
      ),
      (pages) => joinedPages(pages.filter((page) => page !== undefined))
    )
})
