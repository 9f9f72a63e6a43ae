// What Temporal's SDK and its native core have to say, as lines of our own log; no more than warnings, since every failed workflow and
// lost connection is one already.
import { type ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common"
import type { Logger as SdkLogger } from "@temporalio/worker"
import { Cause, type Context, Effect } from "effect"

/**
 * What tenants have defined has failed: their endpoint, their script (bridge.ts, workflows/run.ts). Their run tells them; here it is a
 * line for operators who count, without a stack, which would be ours.
 */
const isTenants = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  (error as ApplicationFailure).category === ApplicationFailureCategory.BENIGN

/** The outside worker carries activities alone, on purpose. */
const expected = (message: string) => message.startsWith("No workflows registered")

type Meta = Readonly<Record<string, unknown>>

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

/** Ids and names; what else there is may hold anything. */
const shown = (meta: Meta) => Object.fromEntries(Object.entries(meta).filter(([, value]) => isPlain(value)))

export const sdkLogger = (context: Context.Context<never>): SdkLogger => {
  const tell = (log: typeof Effect.logWarning, message: string, { error, ...meta }: Meta = {}) => {
    const cause = error instanceof Error ? [Cause.fail(error)] : []
    Effect.runForkWith(context)(Effect.annotateLogs(log(message, ...cause), shown(meta)))
  }
  const warn = (message: string, meta?: Meta) => {
    if (expected(message)) return
    if (!isTenants(meta?.["error"])) return tell(Effect.logWarning, message, meta)
    const { error: _, ...ids } = meta!
    tell(Effect.logInfo, message, ids)
  }
  const error = (message: string, meta?: Meta) => tell(Effect.logError, message, meta)
  const silent = () => undefined
  return {
    trace: silent,
    debug: silent,
    info: silent,
    warn,
    error,
    log: (level, message, meta) => {
      if (level === "WARN") warn(message, meta)
      if (level === "ERROR") error(message, meta)
    }
  }
}
