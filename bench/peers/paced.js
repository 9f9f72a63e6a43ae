// The load generator of the freeze check: one GET of each address every so many milliseconds, whether the ones before have been
// answered or not, so that a server that stands still is late for all of them. Takes a file with
// { url, seconds, everyMillis, requests: [{ name, path, headers }] }, prints p50, p99 and the longest of each in ms by its name.
import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"

const { everyMillis, requests, seconds, url } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const agent = new Agent({ keepAlive: true })
const result = { failed: 0 }

const read = ({ headers, path }) =>
  new Promise((resolve, reject) => {
    get(new URL(path, url), { agent, headers }, (response) => {
      response.on("data", () => undefined)
      response.on("end", () => resolve(response.statusCode))
    }).on("error", reject)
  })

const paced = async (request) => {
  const times = []
  const inFlight = []
  const from = performance.now()
  for (let count = 0; count * everyMillis < seconds * 1000; count++) {
    const due = from + count * everyMillis
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
    inFlight.push(
      read(request)
        .then((status) => {
          times.push(performance.now() - due)
          if (status !== 200) result.failed += 1
        })
        .catch(() => {
          result.failed += 1
        })
    )
  }
  await Promise.all(inFlight)
  times.sort((a, b) => a - b)
  const percentileOf = (part) => times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)]
  result[`${request.name} p50`] = percentileOf(0.5)
  result[`${request.name} p99`] = percentileOf(0.99)
  result[`${request.name} longest`] = times.at(-1)
}

await Promise.all(requests.map(paced))
agent.destroy()
console.log(JSON.stringify(result))
