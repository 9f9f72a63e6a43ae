// Who asks and leaves, at whatever moment, ends their own requests and nothing else (decisions P6): neither an answer that is ready when its
// reader has gone nor the rest of a body that never comes may end the process.
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { seedOrganization } from "../support/app.ts"
import { freshDatabaseUrl, layerOn } from "../support/database.ts"
import { startService } from "../support/processes.ts"
import { answers } from "./answering.ts"

const AT_A_TIME = 16
const ROUNDS = 60
/** By then all of a round have been answered, as far as they can be. */
const MOST_MILLIS = 60
const BODY = "[".repeat(40_000)

const post = (key: string, sent: string, length = sent.length) =>
  `POST /v1/app HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${sent}`

const attacks: Readonly<Record<string, (key: string) => string>> = {
  // It waits for a turn of the event loop, so that its answer is ready between two looks at the sockets.
  "a large body": (key) => post(key, BODY),
  // The answer that it waits behind has no end.
  "a body that has begun, behind a request that is not answered yet": (key) =>
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n${post(key, "{", 100)}`
}

/** Asks, and is gone so many milliseconds later: by a reset, or without one. */
const requestAndLeave = (port: number, request: string, millis: number, resets: boolean) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(request)
      const end = performance.now() + millis
      // A timer has no parts of a millisecond.
      const tick = () => {
        if (performance.now() < end) setImmediate(tick)
        else if (resets) socket.resetAndDestroy()
        else socket.destroy()
      }
      tick()
    })
    socket.on("error", () => {}).on("close", () => resolve())
  })

for (const [what, requestOf] of Object.entries(attacks))
  it.live(`the process goes on, whenever who sent ${what} has left`, () =>
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      const { child, origin } = yield* startService(url, { RATE_BUDGET: "1000000" })
      const { owner } = yield* Effect.provide(seedOrganization("Harbor Works"), layerOn(url, 2))
      const port = Number(new URL(origin).port)
      const request = requestOf(owner.key)
      for (let round = 0; round < ROUNDS && child.exitCode === null; round++)
        yield* Effect.promise(() =>
          Promise.all(
            Array.from({ length: AT_A_TIME }, (_, i) => {
              const fraction = (i * ROUNDS + round) / (AT_A_TIME * ROUNDS)
              return requestAndLeave(port, request, MOST_MILLIS * fraction, i % 2 === 0)
            })
          )
        )
      assert.strictEqual(child.exitCode, null)
      yield* answers(`${origin}/v1/automation/org`, owner.key)
    }).pipe(Effect.scoped)
  )
