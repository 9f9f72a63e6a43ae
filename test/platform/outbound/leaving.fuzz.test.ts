// Receivers that say anything and leave at any moment (decisions W9, P8): every request ends with an answer or an error of its own, also one that is given up
// itself, and nothing else comes of it.
import { createServer, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { OutboundError } from "../../../src/platform/outbound/OutboundError.ts"
import { policies } from "../../../src/platform/outbound/policies.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"

/** Requests of a draw. */
const DRAWN = 1_000
const SEED = seedOf("FUZZ_SEED")
const AT_A_TIME = 12

const timeouts = { headers: Duration.seconds(1), body: Duration.seconds(1), whole: Duration.seconds(2) }
const uses = [
  policies.webhook,
  policies.httpCall,
  { ...policies.httpCallRedirects, redirects: 3 },
  policies.metadataDocument
].map((policy) => ({ ...policy, ...timeouts, secure: false }))

const pieces = [
  ...[
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 204 No Content\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: /on\r\n"
  ],
  ...[
    "HTTP/1.0 200 OK\r\n",
    "HTTP/1.1 999 ?\r\n",
    "HTTP/2 200\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n"
  ],
  ...[
    "Content-Length: 5\r\n",
    "Content-Length: x\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "Keep-Alive: timeout=1\r\n"
  ],
  ...["\r\n", "hello", "5\r\nhello\r\n", "0\r\n\r\n", "ffffffffff\r\n", "\u0000\u0001", "x".repeat(5000)]
]
const validAnswer = ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "\r\n", "hello"]
const answer = fc.record({
  said: fc.oneof(
    fc.constant(validAnswer),
    fc.constantFrom(1, 2, 3).map((most) => validAnswer.slice(0, most)),
    fc.array(fc.constantFrom(...pieces), { maxLength: 7 })
  ),
  /** At once, or piece by piece. */
  slowly: fc.boolean(),
  parting: fc.constantFrom("stays", "stays", "ends", "destroys", "resets"),
  after: fc.integer({ min: 0, max: 8 }),
  givenUp: fc.constantFrom<number | undefined>(undefined, undefined, 0, 1, 3, 8),
  use: fc.nat(uses.length - 1),
  body: fc.constantFrom("", "{}", "x".repeat(200_000))
})
type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never
type Answer = Drawn<typeof answer>

const part = {
  stays: () => {},
  ends: (s: Socket) => s.end(),
  destroys: (s: Socket) => s.destroy(),
  resets: (s: Socket) => s.resetAndDestroy()
}

/** Answers each request as its path's number says. */
const receiver = (answers: ReadonlyArray<Answer>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => {}).on("close", () => sockets.delete(socket))
        socket.on("data", async (data) => {
          const match = /^\w+ \/(\d+)/.exec(String(data))
          if (match === null) return
          const { after, parting, said, slowly } = answers[Number(match[1])]!
          const pause = () => new Promise((resolve) => setTimeout(resolve, after / 4))
          for (const piece of slowly ? said : [said.join("")]) {
            if (!socket.writable) return
            socket.write(piece)
            if (slowly) await pause()
          }
          await pause()
          part[parting](socket)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, sockets, hostPort: `127.0.0.1:${(server.address() as { port: number }).port}` }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )

it.live("every request to them ends, and takes nothing else with it", () =>
  Effect.gen(function* () {
    const endCounts = { answered: 0, failed: 0, givenUp: 0 }
    for (let draw = 0; draw < DEPTH; draw++) {
      const answers = fc.sample(answer, { seed: SEED + draw, numRuns: DRAWN })
      const { hostPort } = yield* receiver(answers)
      const sendRequest = Effect.fnUntraced(function* (number: number) {
        const { body, givenUp, use } = answers[number]!
        const outbound = yield* Outbound
        const url = `http://${hostPort}/${number}`
        const fiber = yield* Effect.forkChild(outbound.request({ method: "POST", url, body, policy: uses[use]! }))
        if (givenUp !== undefined) {
          yield* Effect.sleep(givenUp)
          yield* Fiber.interrupt(fiber)
        }
        const exit = yield* Fiber.await(fiber)
        if (Exit.isSuccess(exit)) return void endCounts.answered++
        if (Exit.hasInterrupts(exit)) return void endCounts.givenUp++
        assert.isTrue(
          exit.cause.reasons.every((reason) => reason._tag === "Fail" && reason.error instanceof OutboundError),
          `seed ${SEED + draw}, ${number}: ${exit.cause}`
        )
        endCounts.failed++
      })
      yield* Effect.forEach(answers.keys(), sendRequest, { concurrency: AT_A_TIME, discard: true }).pipe(
        Effect.provide(Outbound.layerWith({ allow: new Set([hostPort]) }))
      )
    }
    for (const [how, times] of Object.entries(endCounts)) assert.isAbove(times, 0, how)
  }).pipe(Effect.scoped)
)
