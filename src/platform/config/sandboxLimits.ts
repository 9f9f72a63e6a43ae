// Limits of developer-api.md 8.3, all configuration.
import { Config } from "effect"
import { int } from "./settingTypes.ts"

const KIB = 1024
const MIB = 1024 * 1024

export interface Limits {
  readonly cpuMillis: number
  readonly wallMillis: number
  readonly memoryMiB: number
  /** Most bytes of each variable, as JSON in UTF-8. */
  readonly resultBytes: number
  readonly logBytes: number
  readonly sourceBytes: number
  readonly httpCalls: number
  readonly apiCalls: number
  /** Calls of each kind in flight at once. */
  readonly concurrentCalls: number
  readonly httpResponseBytes: number
}

export const syncLimits: Limits = {
  cpuMillis: 250,
  wallMillis: 1000,
  memoryMiB: 32,
  resultBytes: 256 * KIB,
  logBytes: 16 * KIB,
  sourceBytes: 64 * KIB,
  httpCalls: 0,
  apiCalls: 0,
  concurrentCalls: 0,
  httpResponseBytes: 0
}

export const asyncLimits: Limits = {
  cpuMillis: 10_000,
  wallMillis: 60_000,
  memoryMiB: 128,
  resultBytes: MIB,
  logBytes: 64 * KIB,
  sourceBytes: 256 * KIB,
  httpCalls: 50,
  apiCalls: 200,
  concurrentCalls: 5,
  httpResponseBytes: 5 * MIB
}

const limits = (prefix: string, defaults: Limits) =>
  Config.all({
    cpuMillis: int(`${prefix}_CPU_MILLIS`, defaults.cpuMillis),
    wallMillis: int(`${prefix}_WALL_MILLIS`, defaults.wallMillis),
    memoryMiB: int(`${prefix}_MEMORY_MIB`, defaults.memoryMiB),
    resultBytes: int(`${prefix}_RESULT_BYTES`, defaults.resultBytes),
    logBytes: int(`${prefix}_LOG_BYTES`, defaults.logBytes, 0),
    sourceBytes: int(`${prefix}_SOURCE_BYTES`, defaults.sourceBytes),
    httpCalls: int(`${prefix}_HTTP_CALLS`, defaults.httpCalls, 0),
    apiCalls: int(`${prefix}_API_CALLS`, defaults.apiCalls, 0),
    concurrentCalls: int(`${prefix}_CONCURRENT_CALLS`, defaults.concurrentCalls, 0),
    httpResponseBytes: int(`${prefix}_HTTP_RESPONSE_BYTES`, defaults.httpResponseBytes, 0)
  })

/** Read with the rest of the environment (src/platform/config/Config.ts). */
export const sandboxConfigs = {
  scriptSync: limits("SCRIPT_SYNC", syncLimits),
  scriptAsync: limits("SCRIPT_ASYNC", asyncLimits),
  /** Expressions and custom_code of one organization that may run at once; half as many again are for others. */
  scriptSyncProcesses: int("SCRIPT_SYNC_PROCESSES", 2),
  scriptAsyncProcesses: int("SCRIPT_ASYNC_PROCESSES", 8),
  /** Processes of each kind kept ready for an organization whose scripts have none. */
  scriptSpareProcesses: int("SCRIPT_SPARE_PROCESSES", 1, 0, 1),
  /** Confinement mode (decisions P9): whether scripts may start without what confines them, or with nothing of it. */
  scriptConfinement: Config.Literals(["auto", "required", "off"], "SCRIPT_CONFINEMENT").pipe(
    Config.withDefault("auto" as const)
  )
}
