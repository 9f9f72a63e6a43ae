// Formats a log line as JSON: Effect's own members, and those that people search by: the process's role, the trace, the request, the run,
// and the current work.
import { Context, Formatter, Logger, Tracer } from "effect"
import { FiberLabel } from "./FiberLabel.ts"

const runIn = /(?:^run |\/runs\/)(\d{1,19})/

const members = (role: string) =>
  Logger.make((options: Logger.Options<unknown>) => {
    const entry = Logger.formatStructured.log(options)
    const { context } = options.fiber
    const doing = Context.get(context, FiberLabel)
    const span = Context.getOrUndefined(context, Tracer.ParentSpan)
    const traced = span !== undefined && span.traceId !== "noop"
    const { request, ...annotations } = entry.annotations
    return {
      timestamp: entry.timestamp,
      level: entry.level,
      role,
      message: entry.message,
      cause: entry.cause,
      trace_id: traced ? span.traceId : undefined,
      span_id: traced ? span.spanId : undefined,
      request,
      run: annotations["run"] ?? (doing === undefined ? undefined : runIn.exec(doing)?.[1]),
      doing,
      annotations,
      spans: entry.spans,
      fiberId: entry.fiberId
    }
  })

export const jsonLines = (role: string): Logger.Logger<unknown, void> =>
  Logger.withConsoleLog(Logger.map(members(role), Formatter.formatJson))
