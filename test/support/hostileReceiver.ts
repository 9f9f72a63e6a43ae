// A receiver on loopback, in a thread of its own, whose answers have no end: what it sends is chosen by the path. `/fine` answers as
// one should.
import { Worker } from "node:worker_threads"
import { Effect } from "effect"

const source = `
const { createServer } = require("node:net")
const { parentPort } = require("node:worker_threads")
const chunked = "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
/** What is sent first, and what is sent for ever after it. */
const hostile = {
  "/interim": ["", "HTTP/1.1 103 Early Hints\\r\\n\\r\\n"],
  "/interim-headers": ["", "HTTP/1.1 103 Early Hints\\r\\n" + "link: </a>\\r\\n".repeat(50) + "\\r\\n"],
  "/extension": [chunked + "5;", "extension"],
  "/size": [chunked, "0"],
  "/bytes": [chunked, "1\\r\\nx\\r\\n"],
  "/headers": ["HTTP/1.1 200 OK\\r\\n", "a: b\\r\\n"],
  "/header": ["HTTP/1.1 200 OK\\r\\na: ", "b"],
  "/trailers": [chunked + "2\\r\\nok\\r\\n0\\r\\n", "a: b\\r\\n"],
  "/words": ["HTTP/1.1 200 ", "O"],
  "/blank": ["", "\\r\\n"],
  "/long": ["HTTP/1.1 200 OK\\r\\n\\r\\n", "x"]
}
const server = createServer((socket) => {
  socket.on("error", () => {})
  socket.once("data", (data) => {
    const path = String(data).split(" ")[1].split("?")[0]
    if (path === "/drip") {
      socket.write(chunked)
      const timer = setInterval(() => socket.write("1\\r\\nx\\r\\n"), 20)
      return socket.on("close", () => clearInterval(timer))
    }
    const answer = hostile[path]
    if (answer === undefined) return socket.end("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
    const piece = Buffer.from(answer[1].repeat(Math.ceil(65536 / answer[1].length)))
    socket.write(answer[0])
    const more = () => { while (!socket.destroyed && socket.write(piece)); }
    socket.on("drain", more)
    more()
  })
})
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
`

export const hostilePaths = [
  ...["/interim", "/interim-headers", "/extension", "/size", "/bytes", "/headers", "/header"],
  ...["/trailers", "/words", "/blank", "/long", "/drip"]
] as const

/** Runs for the enclosing scope. */
export const hostileReceiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const worker = new Worker(source, { eval: true })
    const port = await new Promise<number>((resolve) => worker.once("message", resolve))
    return { worker, origin: `http://127.0.0.1:${port}`, hostPort: `127.0.0.1:${port}` }
  }),
  ({ worker }) => Effect.promise(() => worker.terminate())
)
