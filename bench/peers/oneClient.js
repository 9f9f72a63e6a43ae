// The load generator of rows with one client: one connection, one request after another, in turn. Takes a file with
// { url, seconds, requests: [{ method, path, headers, body }] }, prints { p50, p99, failed } in ms, not rounded.
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"

const { requests, seconds, url } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const targets = requests.map(({ body, path, ...rest }) => ({ target: new URL(path, url), rest, body }))

const send = ({ body, rest, target }) =>
  new Promise((resolve, reject) => {
    const clientRequest = request(target, { ...rest, agent }, (response) => {
      response.on("data", () => undefined)
      response.on("end", () => resolve(response.statusCode))
    })
    clientRequest.on("error", reject)
    clientRequest.end(body)
  })

const times = []
let failed = 0
const until = performance.now() + seconds * 1000
for (let i = 0; performance.now() < until; i++) {
  const start = performance.now()
  const status = await send(targets[i % targets.length])
  times.push(performance.now() - start)
  if (status < 200 || status > 299) failed += 1
}
times.sort((a, b) => a - b)
const percentileOf = (share) => times[Math.floor(times.length * share)] ?? Number.NaN
agent.destroy()
console.log(JSON.stringify({ rate: times.length / seconds, p50: percentileOf(0.5), p99: percentileOf(0.99), failed }))
