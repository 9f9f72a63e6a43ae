// The examples of the description: every operation called (exampleFlow.ts), the last call of each kept. What is kept is held against the
// schemas in the suite (test/api/examples.test.ts); `npm run contract -- --examples` keeps the calls of now.
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { startSmtp } from "../test/platform/mail/smtp.ts"
import { App, seedOrganization } from "../test/support/app.ts"
import { eventually } from "../test/support/eventually.ts"
import { connect, registerClient, signedIn } from "../test/support/oauth.ts"
import { answers, type Receiver, receiver } from "../test/support/receiver.ts"
import { spineLayer } from "../test/support/spine.ts"
import { type Call, exampleFlow, type Stage } from "./exampleFlow.ts"
import { asExample } from "./exampleForm.ts"

type Json = Record<string, any>

class Address extends Context.Service<Address, Receiver>()("contract/Address") {}
class MailServer extends Context.Service<MailServer, Stage["mailServer"]>()("contract/MailServer") {}

const stage = Layer.unwrap(
  Effect.map(Effect.all([receiver(), startSmtp({ closeTimeout: 10 })]), ([one, { port }]) =>
    Layer.mergeAll(
      spineLayer({ OUTBOUND_ALLOW: `${one.hostPort},127.0.0.1:${port}` }),
      Layer.succeed(Address, one),
      Layer.succeed(MailServer, { host: "127.0.0.1", port })
    )
  )
)

const file = fileURLToPath(new URL("../src/api/description/examples.json", import.meta.url))

layer(stage, { excludeTestServices: true })("examples of the description", (it) => {
  it.effect("every operation is called as its example shows", () =>
    Effect.gen(function* () {
      const app = yield* App
      const address = yield* Address
      address.on("/token", answers.status(200, {}, '{"access_token":"EXAMPLE","expires_in":3600}'))
      const { owner } = yield* seedOrganization("Harbor Works")
      const spec: Json = (yield* app.call("GET", "/openapi.json")).json
      const operations = new Map<string, { readonly method: string; readonly path: string }>()
      for (const [path, item] of Object.entries<Json>(spec["paths"]))
        for (const [method, { operationId }] of Object.entries<Json>(item))
          operations.set(operationId, { method: method.toUpperCase(), path })
      const examples: Record<string, unknown> = {}
      const keep = (operation: string, request: unknown, status: number, answer: unknown) => {
        examples[operation] = asExample(operation, { request, status, answer }, address.origin)
      }

      const callAs = (token: string): Call =>
        Effect.fnUntraced(function* (operation, params = {}, { body, query } = {}) {
          const found = operations.get(operation)
          if (found === undefined) return yield* Effect.fail(new Error(`${operation} is not described`))
          const path = found.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
          const options = { token, ...(body === undefined ? {} : { body }) }
          const { json, status, text } = yield* app.call(
            found.method,
            query === undefined ? path : `${path}?${query}`,
            options
          )
          if (status >= 300) return yield* Effect.fail(new Error(`${operation}: ${status} ${text}`))
          keep(operation, body, status, json)
          return json
        })
      const call = callAs(owner.key)
      const cookie = yield* signedIn(owner.personId)
      const origin = "http://127.0.0.1:8080"
      const { json: given } = yield* app.call("POST", "/console/token", { headers: { cookie, origin } })
      for (let n = 0; n < 2; n++) yield* signedIn(owner.personId)
      const uploaded = Effect.fnUntraced(function* (content: string, type: string, name: string) {
        const form = new FormData()
        form.append("file", new Blob([content], { type }), name)
        const headers = { authorization: `Bearer ${owner.key}` }
        const url = "http://127.0.0.1:8080/v1/file/upload"
        const response = yield* app.fetch(new Request(url, { method: "POST", headers, body: form }))
        const answer = yield* Effect.promise(() => response.json() as Promise<Json>)
        keep("files.upload", undefined, response.status, answer)
        return answer
      })
      const uploadRows = (csv: string) => uploaded(csv, "text/csv", "deliveries.csv")
      const sentCode = Effect.map(
        eventually(
          "the code",
          Effect.sync(() => address.of("/hooks")[0]),
          (one) => one !== undefined
        ),
        (one): string => JSON.parse(one!.body).code
      )
      const clientId = yield* registerClient()
      const actors: Stage = {
        call,
        page: callAs(given.access_token),
        until: (wanted, ...asked) => eventually(asked[0], call(...asked), wanted),
        upload: uploaded("Bill of lading", "text/plain", "bill.txt"),
        uploadRows,
        connected: Effect.as(connect(owner, clientId), clientId),
        hookUrl: `${address.origin}/hooks`,
        tokenUrl: `${address.origin}/token`,
        mailServer: yield* MailServer,
        sentCode
      }
      yield* exampleFlow(actors)

      // Bytes, and a stream that goes on.
      const outside = ["files.content", "events.stream"]
      assert.deepStrictEqual(
        [...operations.keys()].filter((operation) => !(operation in examples) && !outside.includes(operation)),
        []
      )
      if (process.env["RECORD_EXAMPLES"] !== undefined) {
        const ordered = [...operations.keys()].flatMap((name) => (name in examples ? [[name, examples[name]]] : []))
        writeFileSync(file, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`)
      }
    })
  )
})
