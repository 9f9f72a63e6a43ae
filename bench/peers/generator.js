// The load generator, a process of its own: autocannon with a list of requests that every connection begins at another place.
// Takes a file with { url, connections, seconds, requests }, prints { rate, p50, p99, failed }.
import { readFileSync } from "node:fs"
import autocannon from "autocannon"

const { connections, requests, seconds, url } = JSON.parse(readFileSync(process.argv[2], "utf8"))
let next = 0
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  setupClient: (client) => {
    const from = Math.floor((next++ * requests.length) / connections) % requests.length
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
  }
})
console.log(
  JSON.stringify({
    rate: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts
  })
)
