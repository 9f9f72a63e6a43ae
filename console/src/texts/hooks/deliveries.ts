// Texts of a webhook's deliveries, attempts and replays.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const attemptRows = {
  when: "When",
  answer: "Answer",
  took: "Took",
  whatItSaid: "What it said",
  nextTime: (time: ReactNode) => nodes`next ${time}`,
  none: "none",
  milliseconds: (latencyMs: number) => `${latencyMs} ms`
} as const

export const deliveryTable = {
  noAttemptYet: "No attempt yet.",
  attemptsOfDeliveryId: (deliveryId: string) => `Attempts of ${deliveryId}`,
  sendNow: "Send now",
  sendAgain: "Send again",
  itWasNotSentAgain: "It was not sent again.",
  detailsOfDeliveryId: (deliveryId: string) => `Details of ${deliveryId}`,
  nextTime: (time: ReactNode) => nodes`next ${time}`,
  deliveries: "Deliveries",
  status: "Status",
  event: "Event",
  record: "Record",
  when: "When",
  attempts: "Attempts",
  action: "Action",
  loadingTheAttemptsFailed: "Loading the attempts failed."
} as const

export const hookDeliveries = {
  latestDeliveries: (small: ReactNode) => nodes`Latest deliveries ${small}`,
  allDeliveries: "All deliveries",
  nothingWasSentYet: "Nothing was sent yet.",
  noDeliveryOfThisWebhook: (deliveryId: string) => `No delivery of this webhook has the id ${deliveryId}.`,
  noneOfThese: "None of these.",
  totalDeliveries: (total: ReactNode) => nodes`${total} deliveries`,
  deliveries: "Deliveries",
  recordIdOrWebhookId: "Record id or webhook-id",
  whichDeliveries: "Which deliveries",
  everyStatus: "Every status",
  recordIsFound: "A record is found by its id, a delivery by its webhook-id, such as msg_1_m.",
  loadingTheDeliveriesFailed: "Loading the deliveries failed.",
  loadingTheDeliveryFailed: "Loading the delivery failed.",
  showEarlierOnes: "Show earlier ones",
  loadingEarlierOnesFailed: "Loading earlier deliveries failed."
} as const

export const hookReplays = {
  finishedCountOfReplayed: (finishedCount: number, replayed: number, suffix: string) =>
    `${finishedCount} of ${replayed}${suffix}`,
  orMore: " or more",
  begunTime: (time: ReactNode) => nodes`begun ${time}`,
  cancel: "Cancel",
  replayReplayId: (replayId: number) => `Replay ${replayId}`,
  itWasNotCancelled: "It was not cancelled.",
  since: "Since",
  which: "Which",
  nothingIsSentAgain: "Nothing is sent again.",
  sendThemAgain: "Send them again",
  sendManyAgain: "Send many again",
  underTheSameIds:
    "Under the same ids and in the order of each record. Half of the app's executions stay free for what is new.",
  verifyTheAddressFirst: "Verify the address first.",
  loadingTheReplaysFailed: "Loading the replays failed."
} as const
