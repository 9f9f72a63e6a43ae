// Texts of the account: its first page, connected apps, sessions.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const accountPage = {
  yourAccount: "Your account",
  account: "Account"
} as const

export const accountStartPage = {
  organizations: "Organizations",
  youAreRole: (role: string) => `You are ${role}`,
  thisOne: "This one",
  switchToOrgName: (orgName: string) => `Switch to ${orgName}`,
  switch: "Switch",
  asksForASecondStep: "Asks for a second step at sign-in",
  setUpASecondStep: (orgName: string) => `Set up a second step for ${orgName}`,
  setOneUp: "Set one up",
  youAreStillHere: "You are still here.",
  yourAccount: "Your account",
  signOut: "Sign out",
  loadingYourAccountFailed: "Loading your account failed."
} as const

export const ownAppsPage = {
  approvedTime: (time: ReactNode) => nodes`Approved ${time},`,
  permissions: (count: number) => plural(count, { one: "1 permission", other: `${count} permissions` }),
  disconnect: "Disconnect",
  fromOrgName: (name: string, orgName: string) => `${name} from ${orgName}`,
  disconnectQuestion: (name: string) => `Disconnect ${name}?`,
  itsTokensStopWorking: (orgName: string) =>
    `Its tokens stop working at once: it can no longer act for you in ${orgName}. What it has written stays. To connect again, it asks you for your consent.`,
  itWasNotDisconnected: "It was not disconnected.",
  noAppActsForYou: "No app acts for you",
  appAsksYouFirst: "An app asks you first, and you say what it may do.",
  loadingYourAppsFailed: "Loading your apps failed."
} as const

export const sessionsPage = {
  signedInTime: (time: ReactNode) => nodes`Signed in ${time}`,
  fromSourceAddress: (sourceAddress: string) => `from ${sourceAddress}`,
  thisOne: "This one",
  usedTime: (time: ReactNode) => nodes`Used ${time}`,
  signOut: "Sign out",
  signOutBrowser: (browser: string) => `Sign out ${browser}?`,
  whoeverSitsThere: "Whoever sits there has to sign in again. Connected apps and tokens go on.",
  itIsStillSignedIn: "It is still signed in.",
  theyAreStillSignedIn: "They are still signed in.",
  signOutEverywhereElse: "Sign out everywhere else",
  signOutEverywhereElseQuestion: "Sign out everywhere else?",
  onlyThisBrowserStaysSigned: "Only this browser stays signed in. Connected apps and tokens go on.",
  loadingYourSessionsFailed: "Loading your sessions failed."
} as const
