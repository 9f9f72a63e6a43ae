// A real receiver on loopback whose answers a test chooses, by path; it keeps every request that it got.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { Effect } from "effect"

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly at: number
}

export type Answer = (request: Received, response: ServerResponse) => void

export const answers = {
  status:
    (status: number, headers: Record<string, string> = {}, body = ""): Answer =>
    (_request, response) =>
      response.writeHead(status, headers).end(body),
  /** Headers at once, then a byte every 100 ms for ever. */
  slowBody: (_request: Received, response: ServerResponse) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write("."), 100)
    response.on("close", () => clearInterval(timer))
  },
  bigBody:
    (bytes: number): Answer =>
    (_request, response) =>
      response.writeHead(200).end("x".repeat(bytes)),
  /** Announces ten bytes, sends three, resets the connection. */
  resetMidAnswer: (_request: Received, response: ServerResponse) => {
    response.writeHead(200, { "content-length": "10" })
    response.write("abc")
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  },
  resetBeforeAnswer: (_request: Received, response: ServerResponse) => response.socket?.resetAndDestroy(),
  hang: () => {},
  garbage: (_request: Received, response: ServerResponse) => response.socket?.end("this is not HTTP\r\n\r\n"),
  delayed:
    (millis: number, then: Answer): Answer =>
    (request, response) =>
      setTimeout(() => then(request, response), millis)
} satisfies Record<string, unknown>

export interface Receiver {
  /** `http://127.0.0.1:<port>` (or `https://localhost:<port>`). */
  readonly origin: string
  /** The entry that OUTBOUND_ALLOW needs. */
  readonly hostPort: string
  readonly received: Array<Received>
  /** Answers for a path; anything else is a 204. */
  readonly on: (path: string, answer: Answer) => void
  readonly of: (path: string) => ReadonlyArray<Received>
  /** Sockets that are open now. */
  readonly sockets: ReadonlySet<Socket>
}

interface Tls {
  readonly key: string
  readonly cert: string
  /** Only clients that show a certificate of this authority are let in. */
  readonly clientsOf?: string
}

const tlsOptions = ({ cert, clientsOf, key }: Tls) =>
  clientsOf === undefined ? { key, cert } : { key, cert, ca: clientsOf, requestCert: true, rejectUnauthorized: true }

/** Starts a receiver for the enclosing scope; with `tls` it speaks HTTPS as `localhost`. */
export const receiver = (options: { readonly tls?: Tls } = {}) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Receiver & { readonly stop: () => void }>((resolve) => {
          const received: Array<Received> = []
          const sockets = new Set<Socket>()
          const rules = new Map<string, Answer>()
          const listener: RequestListener = (request, response) => {
            const chunks: Array<Uint8Array> = []
            request.on("data", (chunk) => chunks.push(chunk))
            request.on("end", () => {
              const path = request.url ?? "/"
              const arrival: Received = {
                path,
                method: request.method ?? "",
                headers: request.headers,
                body: Buffer.concat(chunks).toString("utf8"),
                at: Date.now()
              }
              received.push(arrival)
              const answer = rules.get(path) ?? answers.status(204)
              answer(arrival, response)
            })
          }
          const server =
            options.tls === undefined ? createServer(listener) : createTlsServer(tlsOptions(options.tls), listener)
          // A connection that the server closes in the moment of its reuse is a failure that no test asks for.
          server.keepAliveTimeout = 300_000
          server.on("connection", (socket: Socket) => {
            sockets.add(socket)
            socket.on("close", () => sockets.delete(socket))
            socket.on("error", () => {})
          })
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            const host = options.tls === undefined ? "127.0.0.1" : "localhost"
            resolve({
              origin: `${options.tls === undefined ? "http" : "https"}://${host}:${port}`,
              hostPort: `${host}:${port}`,
              received,
              on: (path, answer) => void rules.set(path, answer),
              of: (path) => received.filter((one) => one.path === path),
              sockets,
              stop: () => {
                server.close()
                for (const socket of sockets) socket.destroy()
              }
            })
          })
        })
    ),
    (one) => Effect.sync(() => one.stop())
  )
