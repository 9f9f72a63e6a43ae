// Bare Temporal beside our rows: 40 activities in sequence.
import { fileURLToPath } from "node:url"
import { Client, Connection } from "@temporalio/client"
import { NativeConnection, Runtime, Worker } from "@temporalio/worker"
import { serve } from "./serve.js"

const address = process.env.TEMPORAL_ADDRESS
const namespace = process.env.TEMPORAL_NAMESPACE
const taskQueue = "peer"
Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} } })
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL("./temporal.workflows.js", import.meta.url)),
  activities: {
    light: async (n) => n
  }
})
worker.run()
const client = new Client({ connection: await Connection.connect({ address }), namespace })
let runs = 0

const works = {
  light: async (count) => {
    const startMillis = performance.now()
    await client.workflow.execute("steps", { taskQueue, workflowId: `peer/steps/${runs++}`, args: [count] })
    return { seconds: (performance.now() - startMillis) / 1000 }
  }
}

serve(works)
