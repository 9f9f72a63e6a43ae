// Workflows of the bare Temporal peer.
import { proxyActivities } from "@temporalio/workflow"

const { light } = proxyActivities({ startToCloseTimeout: "1 minute" })

export async function steps(count) {
  let sum = 0
  for (let i = 0; i < count; i++) sum += await light(i)
  return sum
}
