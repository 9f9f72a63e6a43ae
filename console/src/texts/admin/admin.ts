// Texts of the organization: its first page, sign-in policy, usage, and rules for apps that nobody has connected yet.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const addAppRule = {
  clientId: "Client ID",
  asTheAppsMakerGives: "As the app's maker gives it: of a registered app, or the address of its description.",
  whoMayConnectIt: "Who may connect it",
  isInTheList: (name: string) => `${name} is in the list: change its rule there.`,
  noRuleWasAdded: "No rule was added.",
  addRule: "Add rule",
  addARule: "Add a rule",
  addARuleForAnApp: "Add a rule for an app"
} as const

export const adminPage = {
  administration: "Administration",
  yourRoleDoesNotShow: "Your role does not show this",
  loadingYourRoleFailed: "Loading your role failed."
} as const

export const adminStartPage = {
  administration: "Administration",
  organizationItsPeople: "The organization, its people and what may act for them.",
  loadingYourRoleFailed: "Loading your role failed."
} as const

export const requirement = {
  atOnce: "At once",
  inDays: (days: number) => `In ${days} days`,
  peopleHave: (count: number, shownCount: string) =>
    plural(count, { one: "1 person has", other: `${shownCount} people have` }),
  requireOneFromEverybody: "Require one from everybody",
  requireASecondStep: "Require a second step",
  requireASecondStepQuestion: "Require a second step from everybody?",
  requireIt: "Require it",
  connectedAppsKeysAndTokens: (value: string) => `${value} Connected apps, keys and tokens go on.`,
  everybodyHasOne: "Everybody has one.",
  peopleNone: (people: string, value: string) =>
    `${people} none: ${value} they set one up before they do anything else here.`,
  fromNowOn: "from now on",
  afterDays: (days: string) => `after ${days} days`,
  policyStaysAsItIs: "The policy stays as it is.",
  makeItOptional: "Make it optional",
  makeTheSecondStepOptional: "Make the second step optional?",
  whoeverHasNoneSigns: "Whoever has none signs in by the password alone. Those who have one keep it.",
  confirmThatItIsYou: "Confirm that it is you",
  toChangeAnythingHere: "to change anything here.",
  secondStep: "Second step",
  itIsOptional: "It is optional: everybody decides for themselves.",
  itIsRequiredFrom: "It is required from ",
  itIsRequiredSince: "It is required since ",
  peopleOneOfMembers: (people: string, members: string) => `${people} one, of ${members}.`,
  youHaveNoneYourself: (setUpASecond: ReactNode) =>
    nodes`You have none yourself. ${setUpASecond} before you require one from others.`,
  setUpASecondStep: "Set up a second step"
} as const

export const signInPolicyPage = {
  loadingTheSignInPolicyFailed: "Loading the sign-in policy failed."
} as const

export const usagePage = {
  bytesMb: (bytes: string) => `${bytes} MB`,
  toldOfTold: (used: string, limit: string, suffix: ReactNode) => nodes`${used} of ${limit}${suffix}`,
  apps: "Apps",
  records: "Records",
  automations: "Automations",
  webhooks: "Webhooks",
  people: "People",
  shares: "Shares",
  actionsOfAutomationsThisHour: "Actions of automations, this hour",
  newRunsWaitUntil: "New runs wait until the next hour.",
  mailsTheLast24Hours: "Mails, the last 24 hours",
  stepsThatSendMailFail: "Steps that send mail fail until some of them are a day old.",
  files: "Files",
  noMoreFilesAreTaken: "No more files are taken.",
  actionsOfTheLastDay: "Actions of the last day, by the hour",
  actionsByTheHour: "Actions by the hour",
  actions: "Actions",
  howMuchThereIs: "How much there is",
  loadingTheUsageFailed: "Loading the usage of the organization failed."
} as const
