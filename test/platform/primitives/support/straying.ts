// A program of a thread that does its work, breaks when it is told to, whatever it is about, and says that it is gone.
import { BroadcastChannel } from "node:worker_threads"
import { serve } from "../../../../src/platform/primitives/workerThreadJobs.ts"

const channel = new BroadcastChannel("straying")
channel.onmessage = () => {
  setImmediate(() => {
    throw new Error("a stray error")
  })
}
process.on("exit", () => channel.postMessage("gone"))

serve((input: string) => input)
