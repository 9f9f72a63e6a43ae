// An app's callback address as a server, for browsers that come back from the consent screen.
import { readFileSync } from "node:fs"
import { createServer as createHttp } from "node:http"
import { createServer as createHttps } from "node:https"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

const pem = (name: string) => readFileSync(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")

/** Requests that arrived, and how it answers. */
export interface Callback {
  port: number
  readonly arrived: Array<URL>
  /** Where it sends the browser on to; nowhere by default. */
  onward: string | undefined
}

/** Opens one, with a certificate where it is secure; closed with the scope. */
export const callback = Effect.fnUntraced(function* (secure: boolean) {
  const state: Callback = { port: 0, arrived: [], onward: undefined }
  const server = secure ? createHttps({ key: pem("key"), cert: pem("cert") }) : createHttp()
  server.on("request", (request, response) => {
    if (request.url === undefined || !request.url.startsWith("/callback")) return response.writeHead(204).end()
    state.arrived.push(new URL(request.url, `http${secure ? "s" : ""}://${request.headers.host}`))
    if (state.onward !== undefined) return response.writeHead(302, { location: state.onward }).end()
    return response
      .writeHead(200, { "content-type": "text/html" })
      .end("<title>Arrived</title><link rel=icon href='data:,'><p>Arrived")
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  state.port = (server.address() as AddressInfo).port
  return state
})
