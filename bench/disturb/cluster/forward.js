// A proxy for machines without HAProxy (proxy.ts): round robin over processes that say they are ready. A request goes on to the next one
// only while nothing of it has been sent; one whose process goes away is answered 502.
import { readFileSync } from "node:fs"
import { createServer, get, request } from "node:http"
import { connect } from "node:net"

const LOOK_MILLIS = 500
const CHECK_MILLIS = 3000
const FALL = 2

/** @param {number} port @returns {Promise<boolean>} */
const checkReady = (port) =>
  new Promise((resolve) => {
    const readyRequest = get({ host: "127.0.0.1", port, path: "/health/ready", timeout: CHECK_MILLIS }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    readyRequest.once("timeout", () => readyRequest.destroy())
    readyRequest.once("error", () => resolve(false))
  })

/** Headers of the message, without those of one connection. @param {import("node:http").IncomingHttpHeaders} headers */
const ofMessage = ({ connection: _, "keep-alive": __, ...headers }) => headers

/** @param {{ port: number, behind: number[] }} front */
const serve = ({ behind, port }) => {
  const failures = new Map(behind.map((at) => [at, FALL]))
  for (const servicePort of behind) {
    const checkPort = async () => {
      failures.set(servicePort, (await checkReady(servicePort)) ? 0 : (failures.get(servicePort) ?? 0) + 1)
      setTimeout(checkPort, LOOK_MILLIS)
    }
    checkPort()
  }
  let requestCount = 0
  /** @param {number[]} left @returns {Promise<import("node:net").Socket | undefined>} */
  const reach = ([at, ...left]) =>
    at === undefined
      ? Promise.resolve(undefined)
      : new Promise((resolve) => {
          const socket = connect({ host: "127.0.0.1", port: at })
          socket.once("connect", () => resolve(socket))
          socket.once("error", () => resolve(reach(left)))
        })
  createServer(async (asked, answer) => {
    const readyPorts = behind.filter((at) => (failures.get(at) ?? 0) < FALL)
    const from = requestCount++ % Math.max(1, readyPorts.length)
    const socket = await reach([...readyPorts.slice(from), ...readyPorts.slice(0, from)])
    if (socket === undefined) {
      answer.writeHead(503).end("nobody is ready")
      return
    }
    const { headers, method, url } = asked
    // No agent: each request has a connection of its own.
    const forwardedRequest = request({ createConnection: () => socket, method, path: url, headers: ofMessage(headers) })
    const fail = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end("no answer"))
    forwardedRequest.once("error", fail)
    forwardedRequest.once("response", (got) => {
      answer.writeHead(got.statusCode ?? 502, ofMessage(got.headers))
      got.once("error", fail)
      got.pipe(answer)
    })
    answer.once("close", () => forwardedRequest.destroy())
    asked.pipe(forwardedRequest)
  }).listen(port, "127.0.0.1")
}

for (const front of JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))) serve(front)
