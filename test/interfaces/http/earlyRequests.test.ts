// A start loses no request: one that comes between the opening of the socket and the routes is answered by them.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import { keepEarlyRequests } from "../../../src/interfaces/http/earlyRequests.ts"

it("a request that comes before anybody listens for requests is answered once somebody does, and later ones as ever", async () => {
  const server = keepEarlyRequests(createServer())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const come = new Promise<void>((resolve) => server.prependOnceListener("connection", () => resolve()))
    const early = fetch(origin, { method: "POST", body: "early", signal: AbortSignal.timeout(10_000) })
    await come
    // Two turns of the loop: the request has been read, and nobody was there.
    for (let iteration = 0; iteration < 2; iteration++) await new Promise((resolve) => setTimeout(resolve, 20))
    const bodies: Array<string> = []
    server.on("request", async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      bodies.push(body)
      response.end("answered")
    })
    assert.strictEqual(await (await early).text(), "answered")
    assert.strictEqual(await (await fetch(origin, { method: "POST", body: "later" })).text(), "answered")
    assert.deepStrictEqual(bodies, ["early", "later"])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
