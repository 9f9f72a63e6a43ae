// The script process: one script at a time, each in a fresh context, under the eyes of a watch that ends the process when a
// limit is passed (developer-api.md 8.3, 8.4). Started by Worker.ts with an empty environment, as one bundled program.

import type { FromRunner, ToRunner } from "./protocol.ts"
import { startJob } from "./runner/job.ts"
import { Realms } from "./runner/realms.ts"

const send = (message: FromRunner, sent?: () => void) =>
  void process.send?.(message, undefined, undefined, () => sent?.())

// What a list of processes shows.
process.title = "millrace script"

let realms: Realms | undefined
/** What follows a script, before the next one. */
let tidied: Promise<void> = Promise.resolve()
let onReply: ((reply: Extract<ToRunner, { type: "reply" }>) => void) | undefined

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", async (message: ToRunner) => {
  switch (message.type) {
    case "init": {
      realms = new Realms(message)
      await realms.warm()
      return send({ type: "ready" })
    }
    case "reply":
      return onReply?.(message)
    default: {
      await tidied
      const job = startJob(message, realms!, send)
      onReply = job.onReply
      const done = await job.done
      onReply = undefined
      if (done.ended) return send(done, () => process.kill(process.pid, "SIGKILL"))
      send(done)
      tidied = realms!.tidy()
      return
    }
  }
})
