// A server that answers without end: interim answers, chunk extensions, chunks of one byte.

import type { AddressInfo } from "node:net"
import { createServer, type Socket } from "node:net"
import { Effect } from "effect"

const HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
const pieces: Readonly<Record<string, readonly [head: string, piece: string]>> = {
  "/interim": ["", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)],
  "/extensions": [`${HEAD}1`, ";a=b".repeat(16_000)],
  "/bytes": [HEAD, "1\r\na\r\n".repeat(10_000)]
}

/** Writes as long as the other side takes it. */
const pour = (socket: Socket, piece: string) => {
  const write = () => {
    while (!socket.destroyed) if (!socket.write(piece)) return void socket.once("drain", write)
  }
  write()
}

/** Its `host:port`, on the loopback address for as long as the scope lasts. */
export const hostileReceiver = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly hostPort: string; readonly stop: () => void }>((resolve) => {
          const sockets = new Set<Socket>()
          const server = createServer((socket) => {
            sockets.add(socket)
            socket.on("close", () => sockets.delete(socket))
            socket.on("error", () => undefined)
            socket.once("data", (request) => {
              const path = /^GET (\/\w*)/.exec(String(request))?.[1] ?? "/bytes"
              const [head, piece] = pieces[path] ?? pieces["/bytes"]!
              socket.write(head)
              pour(socket, piece)
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const stop = () => {
              server.close()
              for (const socket of sockets) socket.destroy()
            }
            resolve({ hostPort: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop })
          })
        })
    ),
    ({ stop }) => Effect.sync(stop)
  ),
  ({ hostPort }) => hostPort
)
