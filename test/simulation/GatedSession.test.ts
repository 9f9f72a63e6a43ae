// A client of a schedule hears each answer of the server whole (docs/engine.md, "Simulated schedules").
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { GatedSession } from "./GatedSession.ts"

const message = (kind: string, text: string) => {
  const bytes = Buffer.from(`${kind}\0\0\0\0${text}`)
  bytes.writeUInt32BE(bytes.length - kind.length, kind.length)
  return bytes
}

it("an answer that comes in pieces is heard whole", async () => {
  const pieces = [message("E", "SERROR\0"), message("Z", "I")]
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(message("Z", "I"))
      socket.once("data", () => socket.write(pieces[0]!))
    })
    sendLast = () => socket.write(pieces[1]!)
  })
  let sendLast = () => false
  await once(server.listen(0, "127.0.0.1"), "listening")
  let arrive = () => {}
  const nextArrival = () =>
    new Promise<void>((resolve) => {
      arrive = resolve
    })
  const changes = { changed: () => arrive(), answered: () => arrive(), ended: () => undefined }
  const session = new GatedSession(
    "client",
    { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    changes
  )
  session.write(message("", "\0\x03\0\0user\0ada\0\0"))
  const comesTo = async (state: typeof session.state) => {
    while (session.state !== state) await nextArrival()
  }
  await comesTo("greeted")
  session.hear()
  session.read()
  session.write(message("Q", "SELECT\0"))
  session.release()
  const socket = session["socket"]!
  await once(socket, "data")
  await nextTurn()
  sendLast()
  await comesTo("answered")
  session.hear()
  assert.deepStrictEqual(session.read(), Buffer.concat(pieces))
  session.destroy()
  server.close()
})
