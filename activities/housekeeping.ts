// The activity of the housekeeping workflow.
import { Housekeeping } from "../src/domain/housekeeping/Housekeeping.ts"
import type { Attempt } from "../src/engine/temporal/bridge.ts"

export const housekeepingActivities = <R>(attempt: Attempt<R | Housekeeping>) => ({
  housekeep: attempt((job: string) => Housekeeping.use((service) => service.run(job)))
})

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
