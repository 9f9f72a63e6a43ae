// Metrics of the process itself: processors, memory, garbage collection, the event loop's share (OpenTelemetry's conventions for processes,
// Node.js and V8). LoopWatch.ts measures the loop's delay.
import { readdir } from "node:fs/promises"
import { constants, type EventLoopUtilization, PerformanceObserver, performance } from "node:perf_hooks"
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8"
import { Effect, Layer } from "effect"
import { counter, gauge, histogram } from "./instruments.ts"
import { observing } from "./observers.ts"

const cpu = counter("process.cpu.time")
const memory = gauge("process.memory.usage")
const uptime = gauge("process.uptime")
const files = gauge("process.open_fds")
const heapLimit = gauge("v8js.memory.heap.limit")
const heapUsed = gauge("v8js.memory.heap.used")
const collections = histogram("v8js.gc.duration")
const utilization = gauge("nodejs.eventloop.utilization")

/** CPU time that has been counted already; the counter is the process's, whoever collects. */
let used = { user: 0, system: 0 }

const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb"
}

export const ProcessMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    let looped: EventLoopUtilization = performance.eventLoopUtilization()
    const collectionObserver = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind = 0 } = (entry as { readonly detail?: { readonly kind?: number } }).detail ?? {}
        collections.observe(entry.duration / 1000, kinds[kind] ?? "other")
      }
    })
    collectionObserver.observe({ entryTypes: ["gc"] })
    yield* Effect.addFinalizer(() => Effect.sync(() => collectionObserver.disconnect()))
    yield* observing(
      "the process",
      Effect.gen(function* () {
        const currentUsage = process.cpuUsage()
        cpu.add((currentUsage.user - used.user) / 1e6, "user")
        cpu.add((currentUsage.system - used.system) / 1e6, "system")
        used = currentUsage
        const loop = performance.eventLoopUtilization()
        utilization.set(performance.eventLoopUtilization(loop, looped).utilization)
        looped = loop
        memory.set(process.memoryUsage.rss())
        uptime.set(process.uptime())
        heapLimit.set(getHeapStatistics().heap_size_limit)
        for (const space of getHeapSpaceStatistics()) heapUsed.set(space.space_used_size, space.space_name)
        const openFiles = yield* Effect.option(Effect.tryPromise(() => readdir("/proc/self/fd")))
        if (openFiles._tag === "Some") files.set(openFiles.value.length)
      })
    )
  })
)
