// Texts of webhooks: the table, a new one, its verification, numbers, settings, secret and tests.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const appChoice = {
  app: "App"
} as const

export const hookNumbers = {
  milliseconds: (value: number) => `${value} ms`,
  lastDay: "The last day",
  attemptsOfTheLastDay: "Attempts of the last day by the hour",
  attempts: "Attempts",
  notDelivered: "Not delivered",
  delivered: "Delivered",
  medianAnswer: "Median answer",
  answersOf99In100Within: "99 of 100 answer within",
  waiting: "Waiting",
  sinceTime: (time: ReactNode) => nodes`since ${time}`,
  loadingTheStatisticsFailed: "Loading the statistics failed."
} as const

export const hookPage = {
  resume: "Resume",
  pause: "Pause",
  nothingWasChanged: "Nothing was changed.",
  delete: "Delete",
  deleteThisWebhook: "Delete this webhook?",
  deleteIt: "Delete it",
  nothingMoreIsSent: "Nothing more is sent. Its log of deliveries goes with it, and what waits is not delivered.",
  itWasNotDeleted: "It was not deleted.",
  toUrl: (url: string) => `to ${url}`,
  partsOfTheWebhook: "Parts of the webhook",
  pausedEventsWaitForSeven: "Paused: events wait, for seven days at most, and go out in order once it is resumed.",
  webhook: "Webhook",
  webhooks: "Webhooks",
  loadingTheWebhookFailed: "Loading the webhook failed.",
  loadingTheSettingsFailed: "Loading the settings failed."
} as const

export const hookSecret = {
  signature: "Signature",
  everyDeliveryIsSigned: (standardWebhooks: ReactNode, howAReceiverVerifies: ReactNode) =>
    nodes`Every delivery is signed as ${standardWebhooks} has it. ${howAReceiverVerifies}.`,
  standardWebhooks: "Standard Webhooks",
  howAReceiverVerifiesIt: "How a receiver verifies it",
  deliveriesCarryItsSignatureAlone: "Deliveries carry its signature alone. Give the receiver the new secret now.",
  for24HoursDeliveriesCarry:
    "For 24 hours deliveries carry both signatures. Give the receiver the new secret meanwhile.",
  secretCannotBeShown: "The secret cannot be shown.",
  secretStaysAsItIs: "The secret stays as it is.",
  showTheSecret: "Show the secret",
  rotateSecret: "Rotate secret",
  rotateTheSecret: "Rotate the secret?",
  presentOneSignsBeside: "The present one signs beside it for 24 hours, and no longer.",
  replaceALeakedOne: "Replace a leaked one",
  replaceTheSecretAtOnce: "Replace the secret at once?",
  replaceIt: "Replace it",
  presentOneAndAllFormer:
    "The present one and all former ones sign nothing more. Receivers refuse deliveries until they have the new one."
} as const

export const hookSettingsForm = {
  filterIsNotJson: "The filter is not JSON.",
  asTheAppHasIt: "As the app has it",
  settings: "Settings",
  description: "Description",
  address: "Address",
  newAddressHasToBeVerified:
    "A new address has to be verified; what happens meanwhile is withheld. On another host, secret headers and authentication have to be set again.",
  executionsAMinute: "Executions a minute",
  atTheSameTime: "At the same time",
  timeoutInMilliseconds: "Timeout in milliseconds",
  filter: "Filter",
  asJsonOverTheRecord: (howFiltersAreWritten: ReactNode) =>
    nodes`As JSON, over the record of the event; empty sends all. ${howFiltersAreWritten}.`,
  howFiltersAreWritten: "How filters are written",
  sendTheRecord: "Send the record with the event, as it was then",
  notEverythingWasSaved: "Not everything was saved.",
  saving: "Saving…",
  saveSettings: "Save settings"
} as const

export const hookTest = {
  sendASample: "Send a sample",
  newestRecordOfTheApp: (webhookTestTrue: ReactNode, howAReceiverTakes: ReactNode) =>
    nodes`The newest record of the app is named. The receiver knows a sample by its header ${webhookTestTrue}; it counts nowhere and is not tried again. ${howAReceiverTakes}.`,
  howAReceiverTakes: "How a receiver takes a webhook",
  event: "Event",
  sentByThisWebhook: "Sent by this webhook",
  otherEvents: "Other events",
  waitingForTheAnswer: "Waiting for the answer…",
  nothingIsSent: "Nothing is sent to an address before it is verified.",
  sampleWasNotSent: "The sample was not sent.",
  afterLatencyMs: (value: string, suffix: string, latencyMs: number) => `${value}${suffix}, after ${latencyMs} ms.`,
  receiverTookIt: "The receiver took it",
  itDidNotArrive: (error: string) => `It did not arrive: ${error}`,
  statusCode: (statusCode: number) => `, status ${statusCode}`,
  itSaid: (code: ReactNode) => nodes`It said: ${code}`,
  loadingTheSampleBodiesFailed: "Loading the sample bodies failed."
} as const

export const newHookPage = {
  newWebhook: "New webhook",
  webhooks: "Webhooks",
  step1Of2: "Step 1 of 2: what is sent, and where to. Then the address proves that it is yours.",
  address: "Address",
  itIsSentAPost: "It is sent a POST with a code; enter that code on the next page.",
  webhookCouldNotBeMade: "The webhook could not be made.",
  saving: "Saving…",
  saveAndSendTheCode: "Save and send the code",
  loadingAppsFailed: "Loading apps failed."
} as const

export const typePicks = {
  events: "Events"
} as const

export const verifyHook = {
  isThisAddressYours: "Is this address yours?",
  urlIsSentAPost: (url: string, hookVerify: ReactNode, code: ReactNode) =>
    nodes`${url} is sent a POST of the type ${hookVerify} with a ${code}. It is valid for 24 hours. Until it is entered nothing else is sent.`,
  code: "Code",
  verify: "Verify",
  sendTheCodeAgain: "Send the code again",
  addressIsNotVerified: "The address is not verified.",
  codeWasNotSent: "The code was not sent.",
  attemptsToBringTheCode: "Attempts to bring the code",
  noneYet: "None yet; it takes a few seconds.",
  loadingTheAttemptsFailed: "Loading the attempts failed."
} as const

export const webhooksPage = {
  noWebhooksYet: "No webhooks yet",
  webhookTellsAnotherProgram: "A webhook tells another program of each change of this app, at once.",
  newWebhook: "New webhook",
  webhooks: "Webhooks",
  webhook: "Webhook",
  event: "Event",
  state: "State",
  whatHappensInAnApp: "What happens in an app, told to other programs as it happens.",
  noAppsOfYours: "No apps of yours",
  webhooksBelongToAnApp: "Webhooks belong to an app, and are for who administers its workspace.",
  loadingTheWebhooksFailed: "Loading the webhooks failed.",
  loadingAppsFailed: "Loading apps failed."
} as const
