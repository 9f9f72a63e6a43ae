// Who asks and leaves, at whatever moment, ends their own request and nothing else (decisions P6; service.md 1.1): an answer that is ready when its
// reader has gone is nobody's.
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { seedOrganization } from "../support/app.ts"
import { freshDatabaseUrl, layerOn } from "../support/database.ts"
import { startService } from "../support/processes.ts"

const AT_A_TIME = 16
const ROUNDS = 60
/** By then all of a round have been answered. */
const MOST_MILLIS = 60
/** Large enough to wait for a turn of the event loop: the answer is ready between the loop's looks at its sockets. */
const BODY = "[".repeat(40_000)

/** Asks, and is gone so many milliseconds later: by a reset, or without one. */
const leaves = (port: number, request: string, millis: number, resets: boolean) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(request)
      const end = performance.now() + millis
      // A timer has no parts of a millisecond.
      const turn = () => {
        if (performance.now() < end) setImmediate(turn)
        else if (resets) socket.resetAndDestroy()
        else socket.destroy()
      }
      turn()
    })
    socket.on("error", () => {}).on("close", () => resolve())
  })

it.live("the process goes on, whenever who asked has left", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const { child, origin } = yield* startService(url, { RATE_BUDGET: "1000000" })
    const { owner } = yield* Effect.provide(seedOrganization("Harbor Works"), layerOn(url, 2))
    const port = Number(new URL(origin).port)
    const lines = [
      "Host: a",
      `Authorization: Bearer ${owner.key}`,
      "Content-Type: application/json",
      `Content-Length: ${BODY.length}`
    ]
    const request = `POST /v1/app HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${BODY}`
    for (let round = 0; round < ROUNDS && child.exitCode === null; round++)
      yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: AT_A_TIME }, (_, i) => {
            const at = (i * ROUNDS + round) / (AT_A_TIME * ROUNDS)
            return leaves(port, request, MOST_MILLIS * at, i % 2 === 0)
          })
        )
      )
    assert.strictEqual(child.exitCode, null)
    const headers = { authorization: `Bearer ${owner.key}` }
    const answer = yield* Effect.promise(() => fetch(`${origin}/v1/automation/org`, { headers }))
    assert.strictEqual(answer.status, 200)
  }).pipe(Effect.scoped)
)
