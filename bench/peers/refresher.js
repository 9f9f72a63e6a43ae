// The load generator of the refresh row: every connection refreshes with the token that its last answer gave. Takes a file with
// { url, path, clientId, seconds, tokens }, prints { rate, p50, p99, failed }, and leaves the tokens it ends with in the file.
import { readFileSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"

const file = process.argv[2]
const work = JSON.parse(readFileSync(file, "utf8"))
const agent = new Agent({ keepAlive: true, maxSockets: work.tokens.length })
const target = new URL(work.path, work.url)
const headers = { "content-type": "application/x-www-form-urlencoded" }

const refresh = (token) =>
  new Promise((resolve, reject) => {
    const body = new URLSearchParams({ grant_type: "refresh_token", client_id: work.clientId, refresh_token: token })
    const clientRequest = request(target, { method: "POST", agent, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode, text }))
    })
    clientRequest.on("error", reject)
    clientRequest.end(body.toString())
  })

const times = []
let failed = 0
const began = performance.now()
const until = began + work.seconds * 1000
await Promise.all(
  work.tokens.map(async (_, i) => {
    while (performance.now() < until) {
      const start = performance.now()
      const { status, text } = await refresh(work.tokens[i])
      if (status !== 200) {
        failed += 1
        console.error(text)
        return
      }
      times.push(performance.now() - start)
      work.tokens[i] = JSON.parse(text).refresh_token
    }
  })
)
const elapsedSeconds = (performance.now() - began) / 1000
times.sort((a, b) => a - b)
const percentileOf = (share) => times[Math.floor(times.length * share)] ?? Number.NaN
writeFileSync(file, JSON.stringify(work))
console.log(
  JSON.stringify({ rate: times.length / elapsedSeconds, p50: percentileOf(0.5), p99: percentileOf(0.99), failed })
)
agent.destroy()
