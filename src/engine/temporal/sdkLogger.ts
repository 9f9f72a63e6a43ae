// Writes the messages of Temporal's SDK and its native core to our own log. No more than warnings, since every failed workflow and lost
// connection is one already.
import type { Logger as SdkLogger } from "@temporalio/worker"
import { Cause, type Context, Effect } from "effect"

/**
 * True if a run failed because of what its author defined: an endpoint of theirs, their script (workflows/run.ts throws nothing else of
 * this class). The run reports it; here it is a line for operators who count, without a stack, which would be ours. An error comes from the
 * workflow's thread as a copy that has its class in its stack alone.
 */
const isOfRun = (message: string, error: unknown): boolean =>
  message === "Workflow failed" && error instanceof Error && error.stack?.startsWith("ApplicationFailure:") === true

/** True for the SDK's note on the outside worker, which has no workflows on purpose. */
const expected = (message: string) => message.startsWith("No workflows registered")

type Meta = Readonly<Record<string, unknown>>

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

/** Keeps ids and names; other members may hold anything. */
const pickPlain = (meta: Meta) => Object.fromEntries(Object.entries(meta).filter(([, value]) => isPlain(value)))

export const sdkLogger = (context: Context.Context<never>): SdkLogger => {
  const tell = (log: typeof Effect.logWarning, message: string, { error, ...meta }: Meta = {}) => {
    const cause = error instanceof Error ? [Cause.fail(error)] : []
    Effect.runForkWith(context)(Effect.annotateLogs(log(message, ...cause), pickPlain(meta)))
  }
  const warn = (message: string, meta?: Meta) => {
    if (expected(message)) return
    if (!isOfRun(message, meta?.["error"])) return tell(Effect.logWarning, message, meta)
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
