// A loop of outside steps beside as many activities of one workflow in the same Temporal (design: what fast means).
import { Effect } from "effect"
import { makeBed } from "../support/bed.ts"
import { called, peerOf } from "../support/measures.ts"
import type { Row } from "../support/Row.ts"
import { startBenchReceiver } from "../support/receiver.ts"

const ITEMS = 1_000

const loop = Effect.gen(function* () {
  const receiver = yield* startBenchReceiver
  const bed = yield* makeBed("bench-outside", {
    env: { OUTBOUND_ALLOW: receiver.hostPort, HTTP_CALL_PORTS: `80,443,${receiver.port}` }
  })
  const app = yield* bed.app("Looped")
  const label = "Items"
  const ours = yield* called(bed, app, [
    {
      type: "custom_variable",
      config: {
        assignment_code: [`Array.from({ length: ${ITEMS} }, (_, i) => i)`],
        custom_variable_defs: [{ custom_type: "any", label }]
      }
    },
    {
      type: "for_loop",
      config: {
        iterable: { kind: "variable", source: "custom", custom_type: "any", label },
        action_rows: [
          { type: "http_call", config: { http_call_type: "get", http_call_url: [`http://${receiver.hostPort}/`] } }
        ]
      }
    }
  ])
  const peer = yield* peerOf(bed, "temporal.js", "temporal")
  return { ours, peer: peer("light", () => ITEMS) }
})

export const outsideRows: ReadonlyArray<Row> = [
  {
    name: "automation-outside-loop",
    work: `for_loop over ${ITEMS} items, an http_call each; the peer ${ITEMS} bare Temporal activities, one after another`,
    peer: "Temporal",
    measure: "seconds",
    unit: "s",
    more: false,
    aim: 1.5,
    prepare: loop
  }
]
