// Sends hostile inputs, from a process of its own with a low priority: real senders would be on machines of their own, and would take
// no processor from the service or from the reader that is watched. Talks by messages: { receiver } once it listens, then { kind, target }
// begins volleys and "stop" ends them, answered with { count }.
import { Effect } from "effect"
import { putBehind } from "../../bin/parts/priority.js"
import { type Hostile, kinds, type Target } from "../support/hostile.ts"
import { hostileReceiver } from "../support/hostileReceiver.ts"

/** Between the last answer of a volley and the next volley. */
const PAUSE_MILLIS = 250

putBehind(process.pid, 10)
const tell = (message: object) => process.send?.(message)
let isRunning = false

/** All at once, until told to stop; how often. */
const volleys = async (inputs: ReadonlyArray<Hostile>, target: Target) => {
  let count = 0
  while (isRunning) {
    await Promise.all(inputs.map(({ send }) => send(target)))
    count++
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS))
  }
  tell({ count })
}

process.on("disconnect", () => process.exit(0))
process.on("message", (message: "stop" | { readonly kind: string; readonly target: Target }) => {
  isRunning = message !== "stop"
  if (message !== "stop") void volleys(kinds[message.kind] ?? [], message.target)
})

await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(hostileReceiver, (receiver) => {
      tell({ receiver })
      return Effect.never
    })
  )
)
