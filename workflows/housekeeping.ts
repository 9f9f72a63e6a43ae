// `housekeeping/<job>`: one round of a recurring job, started by its schedule. Its result tells how many rows went.
import { proxyActivities, setCurrentDetails } from "@temporalio/workflow"
import type { HousekeepingActivities } from "../activities/housekeeping.ts"
import { HEARTBEAT_TIMEOUT } from "./heartbeats.ts"

const { housekeep } = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: "30 minutes",
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: "10 seconds", maximumInterval: "5 minutes", maximumAttempts: 20 }
})

export async function housekeeping(job: string): Promise<Readonly<Record<string, number>>> {
  const deletedRows = await housekeep.executeWithOptions({ summary: job }, [job])
  setCurrentDetails(
    Object.entries(deletedRows)
      .map(([kind, rows]) => `- ${kind}: ${rows}`)
      .join("\n")
  )
  return deletedRows
}
