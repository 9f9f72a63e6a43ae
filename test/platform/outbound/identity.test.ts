// decisions W9, W11: a certificate is presented to the address that it was meant for, over sockets that serve nobody else.
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { TLSSocket } from "node:tls"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { policies } from "../../../src/platform/outbound/policies.ts"

const pem = (name: string) => readFileSync(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
const tls = { key: pem("key"), cert: pem("cert") }

/** Says whose certificate came with each request, or none. */
const server = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly stop: () => void }>((resume) => {
    const tlsServer = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const certificate = (request.socket as TLSSocket).getPeerCertificate()
      response.end(certificate.subject === undefined ? "nobody" : certificate.fingerprint256)
    })
    tlsServer.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          port: (tlsServer.address() as AddressInfo).port,
          stop: () => {
            tlsServer.close()
            tlsServer.closeAllConnections()
          }
        })
      )
    )
  }),
  (one) => Effect.sync(one.stop)
)

it.live("is shown where a request has one, and nowhere else", () =>
  Effect.gen(function* () {
    const { port } = yield* server
    const ask = (identity?: { readonly cert: string; readonly key: string }) =>
      Outbound.use((outbound) =>
        outbound.request({
          method: "POST",
          url: `https://localhost:${port}/in`,
          body: "{}",
          policy: policies.webhook,
          ...(identity === undefined ? {} : { identity })
        })
      ).pipe(Effect.map(({ body }) => Buffer.from(body).toString()))
    const [first, anonymous, second] = yield* Effect.all([ask(tls), ask(), ask(tls)]).pipe(
      Effect.provide(Outbound.layerWith({ allow: new Set([`localhost:${port}`]), ca: tls.cert }))
    )
    assert.match(first, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    assert.deepStrictEqual([anonymous, second], ["nobody", first])
  })
)
