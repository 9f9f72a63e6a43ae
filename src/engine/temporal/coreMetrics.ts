// Collects the metrics of Temporal's own client and workers. Its native core serves a page on a free loopback port, which goes into ours
// (observers.ts). Nothing of it passes through JavaScript before a collection. Where metrics are pushed the core does so itself.
import { createServer } from "node:net"
import type { MetricsExporterConfig } from "@temporalio/worker"
import { Context, Effect, Layer } from "effect"
import { adoptPage } from "../../platform/metrics/observers.ts"

/** Endpoint that the metrics are pushed to. */
export interface CorePush {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly millis: number
}

/** Set in a process that is asked for its metrics; commands of the operator have none. */
export class CoreMetrics extends Context.Reference<"page" | CorePush | undefined>("millrace/temporal/CoreMetrics", {
  defaultValue: () => undefined
}) {}

/** Port of the core's page, once there is one. */
let port: number | undefined

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Uses names as Prometheus has them: counters end in `_total`, durations are in seconds and say so. */
export const metricsOptions = async (wanted: "page" | CorePush): Promise<MetricsExporterConfig> => {
  if (wanted !== "page") {
    const { headers, millis, url } = wanted
    return { otel: { url, http: true, headers, metricsExportInterval: millis, useSecondsForDurations: true } }
  }
  port = await freePort()
  return {
    prometheus: {
      bindAddress: `127.0.0.1:${port}`,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true
    }
  }
}

/** True if the port was taken meanwhile: the next attempt needs another one. */
export const isTaken = (message: string): boolean => message.includes("metrics exporter")

/** Page of the core's metrics; empty until the core has a runtime. */
const fetched = Effect.tryPromise(async (signal) => {
  if (port === undefined) return ""
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal })
  return answer.ok ? await answer.text() : ""
})

export const CorePage = Layer.effectDiscard(adoptPage("Temporal", fetched))
