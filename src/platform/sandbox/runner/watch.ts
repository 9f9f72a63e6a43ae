// Enforces the limits of developer-api.md 8.3 on CPU time, wall time and the memory of the process around the isolate.
import type { Limits } from "../../config/sandboxLimits.ts"
import type { Which } from "../protocol.ts"

const TICK = 10

export interface Watch {
  readonly stop: () => void
  readonly spent: () => { readonly cpuMillis: number; readonly wallMillis: number }
}

const cpuMillis = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Calls `over` once, when a limit is exceeded. Scripts run on threads of their own, so this timer always fires. */
export const watch = (limits: Limits, over: (which: Which) => void): Watch => {
  const cpu = cpuMillis()
  const wall = performance.now()
  const memory = process.memoryUsage.rss()
  const spent = () => ({ cpuMillis: cpuMillis() - cpu, wallMillis: performance.now() - wall })
  const timer = setInterval(() => {
    const usage = spent()
    const grown = (process.memoryUsage.rss() - memory) / (1024 * 1024)
    const which =
      grown > 3 * limits.memoryMiB + 64
        ? "memory"
        : usage.cpuMillis > limits.cpuMillis
          ? "cpu"
          : usage.wallMillis > limits.wallMillis
            ? "wall"
            : undefined
    if (which === undefined) return
    clearInterval(timer)
    over(which)
  }, TICK)
  return { stop: () => clearInterval(timer), spent }
}
