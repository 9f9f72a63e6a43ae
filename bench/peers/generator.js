// The load generator, a process of its own: autocannon with a list of requests of which every connection has its part. (With the whole list each,
// hundreds of connections took it seconds to prepare, while the measurement ran.)
// A body may contain `[<id>]`, for which each request has a text of its own.
// Takes a file with { url, connections, seconds, requests }, prints { rate, p50, p99, failed }. With `urls` each of them gets so many
// connections, and the percentiles are the worst one's.
import { readFileSync } from "node:fs"
import autocannon from "autocannon"

const { connections, requests, seconds, url, urls = [url] } = JSON.parse(readFileSync(process.argv[2], "utf8"))
let next = 0
const connectionCount = connections * urls.length
const results = await Promise.all(
  urls.map((url) =>
    autocannon({
      url,
      connections,
      duration: seconds,
      idReplacement: requests.some(({ body = "" }) => body.includes("[<id>]")),
      setupClient: (client) => {
        const clientIndex = next++
        const [from, to] = [clientIndex, clientIndex + 1].map((at) =>
          Math.floor((at * requests.length) / connectionCount)
        )
        client.setRequests(requests.slice(from, Math.max(to, from + 1)))
      }
    })
  )
)
const sum = (of) => results.reduce((total, result) => total + of(result), 0)
const worst = (of) => Math.max(...results.map(of))
console.log(
  JSON.stringify({
    rate: sum((result) => result["2xx"] / result.duration),
    p50: worst((result) => result.latency.p50),
    p99: worst((result) => result.latency.p99),
    failed: sum((result) => result.non2xx + result.errors + result.timeouts)
  })
)
