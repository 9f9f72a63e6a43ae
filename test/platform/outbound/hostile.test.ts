// Receivers whose answers have no end (decisions P8, W9; issue "safe among strangers" 2.4): total bytes, headers, interim answers and
// chunks are bounded, and so is what thirty of them at once take of the loop. Which headers go out, and where they go on (5.5).
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { type Policy, policies } from "../../../src/platform/outbound/policies.ts"
import { refusedHeader } from "../../../src/platform/outbound/requestHeaders.ts"
import type { OutboundRequest } from "../../../src/platform/outbound/requests.ts"
import { hostilePaths, hostileReceiver } from "../../support/hostileReceiver.ts"
import { receiver } from "../../support/receiver.ts"
import { leastTurnOf } from "../../support/turns.ts"

const timeouts = { headers: Duration.seconds(3), body: Duration.seconds(3) }
const uses: Record<string, Policy> = {
  webhook: { ...policies.webhook, ...timeouts },
  metadataDocument: { ...policies.metadataDocument, ...timeouts },
  httpCall: { ...policies.httpCall, ...timeouts, whole: Duration.seconds(3) },
  image: { ...policies.image, ...timeouts, secure: false }
}

const outcome = (url: string, policy: Policy) =>
  Effect.gen(function* () {
    const outbound = yield* Outbound
    return yield* outbound.request({ method: "POST", url, body: "{}", policy }).pipe(
      Effect.match({
        onFailure: (error) => error.reason as string,
        onSuccess: (answer) => (answer.truncated ? "truncated" : "answered")
      })
    )
  })

describe("receivers whose answers have no end (P8)", () => {
  it.live.each(Object.entries(uses))("are cut off, or their answer is cut, for %s", ([name, policy]) =>
    Effect.gen(function* () {
      const target = yield* hostileReceiver
      const outcomes = yield* Effect.forEach(hostilePaths, (path) => outcome(`${target.origin}${path}`, policy)).pipe(
        Effect.provide(Outbound.layerWith({ allow: new Set([target.hostPort]) }))
      )
      const outcomeByPath = Object.fromEntries(hostilePaths.map((path, index) => [path, outcomes[index]]))
      // Behind a status, a webhook's answer counts whatever its body does (W1).
      const cut = (reason: string) => (name === "webhook" ? "truncated" : reason)
      assert.deepStrictEqual(outcomeByPath, {
        "/interim": "protocol_error",
        "/interim-headers": "protocol_error",
        "/extension": cut("too_large"),
        "/size": cut("too_large"),
        "/bytes": cut(name === "metadataDocument" ? outcomeByPath["/bytes"]! : "protocol_error"),
        "/headers": "protocol_error",
        "/header": "protocol_error",
        "/trailers": outcomeByPath["/trailers"],
        "/words": "too_large",
        "/blank": "too_large",
        "/long": cut("too_large"),
        "/drip": cut("timeout")
      })
      assert.include(["truncated", "protocol_error", "too_large"], outcomeByPath["/trailers"])
    })
  )

  it.live("what is no body of an answer is read up to its own limit, however large the body may be", () =>
    Effect.gen(function* () {
      const target = yield* hostileReceiver
      const error = yield* Outbound.use((outbound) =>
        outbound.request({ method: "GET", url: `${target.origin}/extension`, policy: policies.httpCall })
      ).pipe(Effect.flip, Effect.provide(Outbound.layerWith({ allow: new Set([target.hostPort]) })))
      assert.match(error.message, /takes more than 131072 bytes beside its body$/)
    })
  )

  it.live("attack: thirty of them at once leave the loop free, and an ordinary exchange beside them succeeds", () =>
    Effect.gen(function* () {
      const target = yield* hostileReceiver
      const hostile = hostilePaths.filter((path) => path !== "/drip")
      const policy: Policy = { ...policies.httpCall, whole: Duration.seconds(30) }
      yield* Effect.gen(function* () {
        yield* outcome(`${target.origin}/fine`, policy)
        const both = Effect.gen(function* () {
          const hostileCalls = yield* Effect.forkChild(
            Effect.forEach(
              Array.from({ length: 30 }, (_, index) => hostile[index % hostile.length]!),
              (path, index) => outcome(`${target.origin}${path}?${index}`, policy),
              { concurrency: "unbounded" }
            )
          )
          for (let i = 0; i < 5; i++)
            assert.strictEqual(yield* outcome(`${target.origin}/fine?${i}`, policy), "answered")
          for (const result of yield* Fiber.join(hostileCalls)) assert.notStrictEqual(result, "answered")
        })
        const [, longest] = yield* leastTurnOf(both)
        assert.isBelow(longest, 200)
      }).pipe(Effect.provide(Outbound.layerWith({ allow: new Set([target.hostPort]) })))
    })
  )
})

describe("headers of requests (5.5)", () => {
  const send = (request: Omit<OutboundRequest, "policy">, allow: ReadonlyArray<string>) =>
    Outbound.use((outbound) => outbound.request({ ...request, policy: policies.httpCallRedirects })).pipe(
      Effect.provide(Outbound.layerWith({ allow: new Set(allow) }))
    )

  it.live("attack: where a request goes and how it is framed is nobody's to say, in any spelling", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      for (const name of [
        ...[
          "Host",
          "HOST",
          " host",
          "Content-Length",
          "Transfer-Encoding",
          "Connection",
          "Keep-Alive",
          "Upgrade",
          "TE"
        ],
        ...["Trailer", "Expect", "Proxy-Authorization", "proxy-connection", "HTTP2-Settings"]
      ]) {
        const error = yield* Effect.flip(
          send({ method: "GET", url: `${target.origin}/`, headers: { [name]: "internal.example" } }, [target.hostPort])
        )
        assert.strictEqual(error.reason, "invalid_request")
        assert.strictEqual(error.message, `The header ${name} cannot be set.`)
      }
      assert.lengthOf(target.received, 0)
      assert.isUndefined(refusedHeader({ "x-host": "a", authorization: "b", forwarded: "host=c" }))
    })
  )

  it.live("attack: no header that may be a credential goes on to another origin, or back from there", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* receiver(), yield* receiver()]
      const move = (to: string) => (_: unknown, response: import("node:http").ServerResponse) =>
        void response.writeHead(307, { location: to }).end()
      here.on("/near", move("/end"))
      here.on("/far", move(`${there.origin}/back`))
      there.on("/back", move(`${here.origin}/end`))
      const headers = {
        Authorization: "Bearer a",
        Cookie: "b=c",
        "X-Api-Key": "d",
        "X-Auth": "e",
        Accept: "text/plain",
        "Accept-Language": "de",
        "Content-Type": "text/plain",
        "User-Agent": "one"
      }
      const allow = [here.hostPort, there.hostPort]
      yield* send({ method: "POST", url: `${here.origin}/near`, headers, body: "body" }, allow)
      yield* send({ method: "POST", url: `${here.origin}/far`, headers, body: "body" }, allow)
      const [near, back] = here.of("/end")
      const [far] = there.of("/back")
      for (const name of ["authorization", "cookie", "x-api-key", "x-auth"]) {
        assert.property(near!.headers, name)
        assert.notProperty(far!.headers, name)
        assert.notProperty(back!.headers, name)
      }
      for (const request of [near!, far!, back!]) {
        assert.deepInclude(request.headers, { "user-agent": "one", accept: "text/plain", "accept-language": "de" })
        assert.strictEqual(request.headers["content-type"], "text/plain")
        assert.strictEqual(request.body, "body")
      }
    })
  )
})
