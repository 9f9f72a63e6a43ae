// What the rows of the tests do to the process that works on them.
import { Effect } from "effect"
import type { Behaviour } from "./testKind.ts"

/** `slow N`: takes N ms; `defect`: dies; `crash`: ends the process; `freeze`: stops it, once, if FREEZE is set. */
export const behaviour: Behaviour = {
  work: ({ behaviour: what }) => {
    const [verb, millis] = what.split(" ")
    switch (verb) {
      case "slow":
        return Effect.sleep(Number(millis))
      case "defect":
        return Effect.die(new Error("a bug in the work"))
      case "crash":
        return Effect.sync(() => process.kill(process.pid, "SIGKILL"))
      case "freeze":
        return Effect.sync(() => {
          if (process.env["FREEZE"] !== undefined) process.kill(process.pid, "SIGSTOP")
        })
      default:
        return Effect.sleep("1 millis")
    }
  },
  fanOutFails: (type) => type === "app.update"
}
