// Runs a housekeeping job now, without waiting for its schedule.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { Housekeeping } from "../../domain/housekeeping/Housekeeping.ts"
import { type JobName, jobNames } from "../../domain/housekeeping/jobs.ts"
import { json, oneOf, print } from "./output.ts"

const housekeeping = Command.make(
  "housekeeping",
  { job: oneOf("job", jobNames as ReadonlyArray<JobName>), json },
  ({ job, json }) =>
    Effect.flatMap(
      Housekeeping.use((service) => service.run(job)),
      (gone) => print(json, gone)
    ).pipe(Effect.provide(Housekeeping.layer))
).pipe(Command.withDescription("Run one round of a housekeeping job now; prints how many rows went"))

export const housekeepingCommands = [housekeeping] as const
