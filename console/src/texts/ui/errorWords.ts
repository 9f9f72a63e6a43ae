// Texts of the console: what happened to a request that failed, and what to do.
import { plural } from "../../../../src/platform/text/plural.ts"

/** Parts of a request as people call them, by the last word of the path that the API names. */
const labels = {
  allowed: "Allowed for",
  app_id: "App",
  app_ids: "Apps",
  at_once: "At the same time",
  authorize_url: "Authorization URL",
  client_id: "Client ID",
  current: "Current password",
  field_type: "Type",
  file_id: "File",
  filters: "Conditions",
  from_address: "Sender's address",
  from_name: "Sender's name",
  host: "Server",
  item_name: "Name of a record",
  items: "Entries",
  per_minute: "Executions a minute",
  private: "Private view",
  security: "Encryption",
  timeout_millis: "Timeout in milliseconds",
  timezone: "Time zone",
  token_url: "Token URL",
  types: "Events",
  unique: "No two records may have the same value",
  url: "Address",
  user_id: "Person",
  workspace_id: "Workspace",
  workspace_ids: "Workspaces"
} as const

const waitOf = (seconds: number) => plural(seconds, { one: "Wait a second", other: `Wait ${seconds} seconds` })

export const errorWords = {
  labels,
  isGone: "It was deleted, or you have no access to it. Ask an admin of its workspace if you need it.",
  isInTheTrash: "The record is in the trash. Restore it from there first.",
  mayNot: (message: string) => `You may not do this. ${message}`,
  askForAccess: "Ask an admin of the workspace for more access.",
  roleDoesNotAllow: "Your role does not allow this. Ask an admin of the organization.",
  changedMeanwhile: "Somebody else changed it meanwhile. Reload the page, then make your change again.",
  valueIsTaken: (label: string) =>
    `Another record has the same value of ${label}, which has to be unique. Choose another value.`,
  anotherField: "a field",
  codeIsWrong: "The code is wrong, was used before or has expired. Send a new one, then enter that.",
  ownerIsLost:
    "The automation's owner is no longer an admin of its workspace. Open the automation and save it as its owner, then try again.",
  tooManyRequests: (seconds: number) => `Too many requests. ${waitOf(seconds)}, then try again.`,
  messageAndWait: (message: string, seconds: number) => `${message} ${waitOf(seconds)}, then try again.`,
  nothingWasChanged: "The service failed to do this, and nothing was changed. Try again.",
  maybeChanged: "The service failed while it did this. Look whether it was done before you try again.",
  tellTheOperator: (requestId: string) =>
    `If it fails again, give the number ${requestId} to whoever operates the service.`,
  databaseIsAway: (seconds: number) =>
    `The service cannot reach its database right now, and nothing was changed. ${waitOf(seconds)}, then try again.`,
  databaseWentAway: "The service lost its database while it did this. Look whether it was done before you try again.",
  sessionHasEnded: "Your session has ended. Reload the page to sign in again.",
  noConnection: "There is no connection to the service. It is tried again by itself.",
  addressLeadsNowhere: "The address of this page leads to nothing. Go back, or find it by the search.",
  pageFault: (message: string) => `This is a fault of the page. Reload it to go on. (${message})`,
  unknownFault: "This is a fault of the page. Reload it to go on.",
  labelMessage: (label: string, message: string) => `${label}: ${message}`,
  labelVerb: (label: string, message: string) => `${label} ${message}`,
  numbered: (label: string, number: number) => `${label} (no. ${number})`,
  lengthBetween: (least: string, most: string) => `the length has to be between ${least} and ${most}`,
  lengthAtMost: (most: string) => `the length has to be ${most} at most`,
  lengthAtLeast: (least: string) => `the length has to be ${least} at least`,
  between: (least: string, most: string) => `has to be between ${least} and ${most}`,
  isMissing: "has to be filled in",
  isNoEmail: "has to be an address such as name@example.com",
  hasAnotherForm: "is not written as it has to be"
} as const
