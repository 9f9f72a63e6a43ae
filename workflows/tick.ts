// Workflow of a schedule's tick: looks for due work of one automation (decisions A4).
import { proxyActivities } from "@temporalio/workflow"
import type { SegmentActivities } from "../activities/runs.ts"

const { tick } = proxyActivities<SegmentActivities>({
  startToCloseTimeout: "30 seconds",
  retry: { initialInterval: "1 second", maximumInterval: "30 seconds" }
})

export const automationTick = (automationId: number): Promise<string> => tick(automationId)
