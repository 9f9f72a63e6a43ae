// Words of the search: pages and commands by their names.
import { plural } from "../../../../src/platform/text/plural.ts"

export const pagesByName = {
  administration: { text: "Administration", about: "The organization, its people and what may act for them." },
  home: "Home",
  whatIsGoingOn: "What is going on.",
  apps: "Apps",
  recordsAndTheirFields: "Records and their fields.",
  automations: "Automations",
  whatHappensByItself: "What happens by itself.",
  runs: "Runs",
  whatAutomationsHaveDone: "What automations have done.",
  webhooks: "Webhooks",
  whoIsToldOfChanges: "Who is told of changes.",
  yourAccount: "Your account",
  whoYouAreYourOrganizations: "Who you are, your organizations, and the sign-out."
} as const

export const commandsByName = {
  newApp: "New app",
  newAutomation: "New automation",
  importAutomation: "Import an automation",
  newWebhook: "New webhook",
  inviteAColleague: "Invite a colleague",
  darkTheme: "Dark theme",
  lightTheme: "Light theme",
  systemTheme: "Theme of the system",
  compactRows: "Compact rows",
  regularRows: "Regular rows",
  comfortableRows: "Comfortable rows"
} as const

export const newRecordCommands = {
  newRecordIn: (app: string) => `New record in ${app}`
} as const

export const useResults = {
  recordsCommentsAutomationsApps:
    "Records, comments, automations, apps, pages and commands, by the beginnings of words.",
  openedLast: "Opened last",
  searchHasTooManyWords: "The search has too many words. Leave some out.",
  searchFailed: "The search failed. Try again in a moment.",
  searching: "Searching…",
  nothingFound: "Nothing found.",
  firstCountResults: (count: number) => `The first ${count} results. Type more to narrow them.`,
  countResults: (count: number) => plural(count, { one: `${count} result`, other: `${count} results` })
} as const
