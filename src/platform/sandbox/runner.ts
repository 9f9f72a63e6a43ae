// Runs the script process: one script at a time, each in a fresh context, under a watch that ends the process when a limit is exceeded
// (developer-api.md 8.3, 8.4). ScriptProcess.ts starts it with an empty environment, as one bundled program; messages go over its fourth
// descriptor.
import { Socket } from "node:net"
import { frame, frameReader } from "../confinement/frames.ts"
import { type FromRunner, type ToRunner, toRunner } from "./protocol.ts"
import { startJob } from "./runner/job.ts"
import { Realms } from "./runner/realms.ts"

const pipe = new Socket({ fd: 3, readable: true, writable: true })
const send = (message: FromRunner, sent?: () => void) => void pipe.write(frame(message), () => sent?.())
const end = () => process.kill(process.pid, "SIGKILL")

// Name in lists of processes.
process.title = "millrace script"

let realms: Realms | undefined
/** Cleanup after a script, before the next one. */
let tidied: Promise<void> = Promise.resolve()
let onReply: ((reply: Extract<ToRunner, { type: "reply" }>) => void) | undefined

const receive = async (message: ToRunner) => {
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
      const scriptDone = await job.done
      onReply = undefined
      if (scriptDone.ended) return send(scriptDone, end)
      send(scriptDone)
      tidied = realms!.tidy()
      return
    }
  }
}

const MOST = 1024 * 1024 * 1024
const read = frameReader(
  () => MOST,
  (message) => void receive(toRunner(message, "message"))
)
pipe.on("data", (bytes) => {
  try {
    read(bytes)
  } catch {
    end()
  }
})
pipe.on("error", end)
pipe.on("close", end)
