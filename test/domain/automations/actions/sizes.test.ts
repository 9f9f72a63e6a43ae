// What strangers answer and steps compose has a largest size, and what is larger is told by the step, once (developer-api.md 7.6, 7.11;
// decisions P7, P8).
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { spineLayer } from "../../../support/spine.ts"
import { completed, order, runSteps, seedWorld } from "./support.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/sizes/Receiver"
) {}

const spine = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

const any = (label: string) => ({ custom_type: "any", label })
const messagesOf = ({ messages }: any): string => JSON.stringify(messages)

layer(spine, { excludeTestServices: true })("what has a largest size", (it) => {
  it.effect(
    "http_call: an answer that nests deeply, or holds very many values, is kept as text, after one request (7.6)",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver
        const w = yield* seedWorld
        const id = yield* order(w)
        const deep = "[".repeat(5_000) + "]".repeat(5_000)
        const many = `[${"0,".repeat(250_000)}0]`
        const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n])))
        const cases = [
          ["deep", deep, /nests deeper than 200 levels/],
          ["many", many, /holds more than 200000 values/],
          ["wide", wide, /holds an object of more than 10000 keys/]
        ] as const
        for (const [name, body, why] of cases) {
          receiver.on(`/${name}`, answers.status(200, {}, body))
          for (const defs of [[], [any("answer")]]) {
            const before = receiver.of(`/${name}`).length
            const config = {
              http_call_type: "post",
              http_call_url: [`${receiver.origin}/${name}`],
              custom_variable_defs: defs
            }
            const run = yield* runSteps(w, id, [{ type: "http_call", config }])
            completed(run)
            assert.strictEqual(receiver.of(`/${name}`).length, before + 1)
            assert.match(messagesOf(run.steps[0]), why)
            assert.isBelow(JSON.stringify(run.steps[0].detail.outputs).length, 5_000)
            if (defs.length > 0) assert.strictEqual(run.variables["answer"].data, body)
          }
        }
      })
  )
})
