// The activity of the housekeeping workflow.
import { Housekeeping } from "../src/domain/housekeeping/Housekeeping.ts"
import type { ActivityAttempt } from "../src/engine/temporal/bridge.ts"

export const housekeepingActivities = <R>(attempt: ActivityAttempt<R | Housekeeping>) => ({
  housekeep: attempt((job: string) => Housekeeping.use((service) => service.run(job)))
})

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
