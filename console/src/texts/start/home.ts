// Texts of the home page: automations and webhooks that fail, runs under way, dates that are due.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const homePage = {
  reasons: {
    running: "At work.",
    delay: "Waiting in a delay.",
    place: "Waiting for a free concurrency slot.",
    credits: "Waiting for credits.",
    retry: "Waiting to try a failed step again.",
    called_run: "Waiting for runs that they have called.",
    concurrency: "Waiting for other runs of their automation.",
    debounce: "Waiting for further changes of their record."
  },
  automationsThatFail: "Automations that fail",
  noneInTheLastDay: "None in the last day.",
  broken: "broken",
  failedRun: "failed run",
  webhooksThatFail: "Webhooks that fail",
  none: "None.",
  notVerified: "not verified",
  failure: "failure",
  runsUnderWay: "Runs under way",
  noRunIsUnderWay: "No run is under way.",
  run: "run",
  reasonTheOldestWasAsked: (reason: string, time: ReactNode) => nodes`${reason} The oldest was asked for ${time}.`,
  dueWithinADay: "Due within a day",
  noDateOfARecord: "No date of a record starts an automation today.",
  home: "Home",
  whatFailsWhatWaits: "What fails, what waits and what is due, of the apps that you administer.",
  runsOfTheLastDay: "Runs of the last day, by the hour",
  runsByTheHour: "Runs by the hour",
  runs: "Runs",
  failed: "Failed",
  deliveriesOfTheLastDay: "Deliveries of the last day, by the hour",
  deliveriesByTheHour: "Deliveries by the hour",
  attempts: "Attempts",
  notDelivered: "Not delivered",
  loadingTheOverviewFailed: "Loading the overview failed."
} as const
