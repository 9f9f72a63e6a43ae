// Workflow that receives a signal, runs one activity, and ends.
import { defineSignal, proxyActivities, setHandler } from "@temporalio/workflow"

const { touch } = proxyActivities({ startToCloseTimeout: "1 minute" })

export const bare = async () => {
  setHandler(defineSignal("nudge"), () => undefined)
  await touch()
}
