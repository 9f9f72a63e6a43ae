// The peer of the webhook rows: graphile-worker as fast as it goes (local queue, completes and failures in batches), posting
// the body of each job over kept-alive connections. What it does not do: sign, keep a log of attempts, share fairly, keep an order.
import { createServer } from "node:http"
import { Logger, run } from "graphile-worker"
import { Agent, request } from "undici"

const agent = new Agent({ connections: 128, pipelining: 1 })

await run({
  preset: {
    worker: {
      connectionString: process.env.DATABASE_URL,
      maxPoolSize: Number(process.env.DATABASE_POOL_WORKER ?? 12),
      concurrentJobs: 128,
      pollInterval: 1000,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0
    }
  },
  logger: new Logger(() => () => undefined),
  noHandleSignals: true,
  taskList: {
    post: async ({ body, url }) => {
      const { body: answer, statusCode } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        dispatcher: agent
      })
      await answer.dump()
      if (statusCode < 200 || statusCode > 299) throw new Error(`status ${statusCode}`)
    }
  }
})

createServer((_, response) => response.end("ready")).listen(Number(process.env.PORT), "127.0.0.1")
