// Bare Temporal beside our rows: 40 activities in sequence, and the time from a signalWithStart to an activity's first line.
import { fileURLToPath } from "node:url"
import { Client, Connection } from "@temporalio/client"
import { NativeConnection, Runtime, Worker } from "@temporalio/worker"
import { serve } from "./serve.js"

const address = process.env.TEMPORAL_ADDRESS
const namespace = process.env.TEMPORAL_NAMESPACE
const taskQueue = "peer"
const begun = new Map()
Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} } })
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL("./temporal.workflows.js", import.meta.url)),
  activities: {
    light: async (n) => n,
    first: async (id) => begun.get(id)?.(performance.now())
  }
})
worker.run()
const client = new Client({ connection: await Connection.connect({ address }), namespace })
let runs = 0

const works = {
  light: async (count) => {
    const before = performance.now()
    await client.workflow.execute("steps", { taskQueue, workflowId: `peer/steps/${runs++}`, args: [count] })
    return { seconds: (performance.now() - before) / 1000 }
  },
  signal: async (count) => {
    const found = []
    for (let i = 0; i < count; i++) {
      const workflowId = `peer/signal/${runs++}`
      const ended = new Promise((resolve) => begun.set(workflowId, resolve))
      const before = performance.now()
      await client.workflow.signalWithStart("signalled", { taskQueue, workflowId, args: [workflowId], signal: "nudge" })
      found.push((await ended) - before)
    }
    found.sort((a, b) => a - b)
    return { p50: found[Math.floor(found.length / 2)] }
  }
}

serve(works)
