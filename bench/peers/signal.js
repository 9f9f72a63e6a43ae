// The peer of a sleeping actor: a bare workflow with one activity, started by a signal. Measures from the call to the activity's
// first line, again and again, each execution ended before the next begins.
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { Client } from "@temporalio/client"
import { NativeConnection, Worker } from "@temporalio/worker"

const taskQueue = process.env.TEMPORAL_QUEUE
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS })
const namespace = process.env.TEMPORAL_NAMESPACE
let entered = () => {}
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL("./signal-workflow.js", import.meta.url)),
  activities: { touch: async () => entered(performance.now()) }
})
worker.run()
const client = new Client({ connection, namespace })

const measureOnce = async () => {
  const firstEntry = new Promise((resolve) => {
    entered = resolve
  })
  const began = performance.now()
  const handle = await client.workflow.signalWithStart("bare", {
    workflowId: "bare",
    taskQueue,
    signal: "nudge",
    signalArgs: []
  })
  const latency = (await firstEntry) - began
  await handle.result()
  return latency
}

const measure = async (seconds, pause) => {
  const latencies = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    latencies.push(await measureOnce())
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  latencies.sort((a, b) => a - b)
  return { p50: latencies[Math.floor(latencies.length / 2)], samples: latencies.length }
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://127.0.0.1")
  if (url.pathname !== "/measure") return response.end("ready")
  response.end(
    JSON.stringify(await measure(Number(url.searchParams.get("seconds")), Number(url.searchParams.get("pause"))))
  )
}).listen(Number(process.env.PORT), "127.0.0.1")
