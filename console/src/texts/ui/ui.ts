// Texts of parts that all pages use: dialogs, lists to choose from, tables, questions, theme and density.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const appearanceButton = {
  words: {
    compact: "Compact",
    regular: "Regular",
    comfortable: "Comfortable",
    system: "Like the system",
    light: "Light",
    dark: "Dark"
  },
  appearance: "Appearance",
  density: "Density",
  theme: "Theme",
  thisBrowserKeepsIt: "This browser keeps it."
} as const

export const choiceOfMany = {
  noKey: (key: number) => `No. ${key}`
} as const

export const combobox = {
  choose: "Choose",
  showTheChoices: "Show the choices",
  nothingFound: "Nothing found."
} as const

export const conditionFields = {
  field: "Field",
  condition: "Condition"
} as const

export const dialog = {
  close: "Close"
} as const

export const findChoices = {
  removeTitle: (title: string) => `Remove ${title}`,
  nothingIsFound: "Nothing is found."
} as const

export const hourBars = {
  asNumbers: "As numbers",
  from: "From",
  pointAtAnHour: "Point at an hour, or go through them with the arrow keys."
} as const

export const layout = {
  home: "Home",
  apps: "Apps",
  automations: "Automations",
  runs: "Runs",
  webhooks: "Webhooks",
  admin: "Admin",
  changeOrganization: "Change organization",
  yourAccount: "Your account",
  documentation: "Documentation",
  skipToContent: "Skip to content",
  console: "Console"
} as const

export const page = {
  titleMillrace: (title: string) => `${title} · Millrace`,
  whereYouAre: "Where you are"
} as const

export const question = {
  cancel: "Cancel"
} as const

export const secretOnce = {
  copied: "Copied",
  copy: "Copy"
} as const

export const serviceNote = {
  tooManyRequestsTheConsole: (tooManyRequests: ReactNode) => nodes`${tooManyRequests} The console continues by itself`,
  tooManyRequests: "Too many requests.",
  inSecondsS: (seconds: number) => `in ${seconds} s`,
  noConnectionToTheServiceTheConsole: (noConnectionToTheService: ReactNode) =>
    nodes`${noConnectionToTheService} The console reconnects by itself. Edited cells are kept and saved then.`,
  noConnectionToTheService: "No connection to the service."
} as const

export const showMore = {
  loading: "Loading…",
  more: (more: string, shown: string) => `${more} more. All ${shown} are shown.`,
  moreShownAreShown: (more: string, shown: string) => `${more} more, ${shown} are shown.`
} as const

export const states = {
  loading: "Loading…",
  tryAgain: "Try again"
} as const

export const time = {
  neverUsed: "never used",
  lastUsedTime: (time: ReactNode) => nodes`last used ${time}`
} as const

export const unsavedGuard = {
  leaveWithoutSavingQuestion: "Leave without saving?",
  whatYouTyped: "What you typed is not saved and would be lost.",
  leaveWithoutSaving: "Leave without saving",
  stay: "Stay"
} as const

export const values = {
  yes: "Yes",
  no: "No",
  done: "done:",
  open: "open:",
  empty: "Empty"
} as const

export const withSecrets = {
  secretNobodyIsShownIt: "A secret. Nobody is shown it.",
  secretNotShown: "(a secret, not shown)"
} as const
