// The activity of the housekeeping workflow.
import { Housekeeping } from "../src/domain/housekeeping/Housekeeping.ts"
import type { ActivityAttempt } from "../src/engine/temporal/bridge.ts"
import { rootSpan } from "../src/platform/telemetry/traceContext.ts"
import { beating } from "./heartbeats.ts"

export const housekeepingActivities = <R>(attempt: ActivityAttempt<R | Housekeeping>) => ({
  housekeep: attempt((job: string) =>
    beating(Housekeeping.use((service) => service.run(job))).pipe(rootSpan(`housekeeping ${job}`))
  )
})

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
