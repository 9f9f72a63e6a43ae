// The load generator of the meta row: one client with one connection, one request after another, each address for a part of the
// time. Takes a file with { url, seconds, requests: [{ name, path, headers }] }, prints the p50 of each in ms by its name, and
// the largest of them as p50.
import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"

const { requests, seconds, url } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const read = (path, headers) =>
  new Promise((resolve, reject) => {
    get(new URL(path, url), { agent, headers }, (response) => {
      response.on("data", () => undefined)
      response.on("end", () => resolve(response.statusCode))
    }).on("error", reject)
  })

const result = { p50: 0, failed: 0 }
for (const { headers, name, path } of requests) {
  const until = performance.now() + (seconds * 1000) / requests.length
  const times = []
  while (performance.now() < until) {
    const start = performance.now()
    if ((await read(path, headers)) !== 200) result.failed += 1
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  result[name] = times[Math.floor(times.length / 2)]
  result.p50 = Math.max(result.p50, result[name])
}
agent.destroy()
console.log(JSON.stringify(result))
