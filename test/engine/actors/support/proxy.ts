// A server that is not there until it is: a TCP port of one's own in front of another.
import { createServer, connect as dial, type Server, type Socket } from "node:net"
import { Effect } from "effect"

const listen = (server: Server, port: number) =>
  Effect.callback<void>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })

/** `up` starts forwarding, `down` cuts every connection and refuses new ones. */
export const makeProxy = Effect.fnUntraced(function* (target: string) {
  const [host, targetPort] = target.split(":") as [string, string]
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    return socket
  }
  let server = createServer()
  yield* listen(server, 0)
  const port = (server.address() as { port: number }).port
  const down = Effect.callback<void>((resume) => {
    for (const socket of sockets) socket.destroy()
    server.close(() => resume(Effect.void))
  })
  yield* down
  const up = Effect.suspend(() => {
    server = createServer((near) => {
      const far = track(dial(Number(targetPort), host))
      track(near).pipe(far).pipe(near)
    })
    return listen(server, port)
  })
  yield* Effect.addFinalizer(() => down)
  return { address: `127.0.0.1:${port}`, up, down }
})
