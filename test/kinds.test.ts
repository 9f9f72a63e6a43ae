// The kinds of actors of an installation beside each other (docs/architecture.md): each takes what concerns it.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { automate, createRecord, runsOver, setText, settled } from "./domain/automations/runSupport.ts"
import { makeApp, seedApp } from "./domain/automations/support.ts"
import { App } from "./support/app.ts"
import { receiver as startReceiver } from "./support/receiver.ts"
import { eventually, spineLayer } from "./support/spine.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()("test/Receiver") {}

const world = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

/** Of record.create, verified over HTTP as its owner does it. */
const verifiedHook = Effect.fnUntraced(function* (token: string, appId: number) {
  const { call } = yield* App
  const receiver = yield* Receiver
  const url = `${receiver.origin}/hook`
  const { hook_id } = (yield* call("POST", `/v1/hook/app/${appId}`, { token, body: { type: "record.create", url } }))
    .json
  yield* call("POST", `/v1/hook/${hook_id}/verify/request`, { token })
  const [request] = yield* eventually(
    "the code",
    Effect.sync(() => receiver.of("/hook")),
    (all) => all.length === 1
  )
  const { code } = JSON.parse(request!.body)
  const { json } = yield* call("POST", `/v1/hook/${hook_id}/verify/validate`, { token, body: { code } })
  assert.strictEqual(json.status, "active")
})

layer(world, { excludeTestServices: true })("events of two apps in turn", (it) => {
  it.effect("go to the hooks of one and to the automations of the other, and neither takes the other's", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      const fields = [
        { field_type: "single_text", config: { label: "Name" } },
        { field_type: "single_text", config: { label: "Note" } }
      ]
      const fired = yield* seedApp(fields)
      const { token } = fired
      const hookApp = yield* makeApp(token, fired.workspaceId, fields)
      yield* verifiedHook(token, hookApp.appId)
      const id = yield* automate(token, fired.appId, {
        trigger: { type: "record_created", config: {} },
        actions: [setText(fired.fields["note"]!, "seen")]
      })
      for (let round = 1; round <= 5; round++) {
        yield* createRecord(token, hookApp.appId, { name: `told ${round}` })
        yield* eventually(
          "it is sent",
          Effect.sync(() => receiver.of("/hook")),
          (all) => all.length === 1 + round
        )
        yield* createRecord(token, fired.appId, { name: `fired ${round}` })
        yield* runsOver(id, round)
        yield* settled(fired.appId)
      }
    })
  )
})
