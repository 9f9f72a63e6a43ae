// Texts of the account: the API key and access tokens.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const apiKey = {
  apiKey: "API key",
  itMayDoEverything:
    "It may do everything that you may do in this organization. For a single purpose, a token is safer.",
  thisIsYourNewApi: "This is your new API key. Copy it now: it is not shown again.",
  createApiKey: "Create API key",
  createdTime: (time: ReactNode) => nodes`Created ${time}`,
  rotate: "Rotate",
  rotateTheApiKey: "Rotate the API key?",
  rotateKey: "Rotate key",
  presentKeyStopsWorking: "The present key stops working at once, wherever it is used.",
  keyStaysAsItIs: "The key stays as it is."
} as const

export const newToken = {
  workspacesWithAllTheirApps: "Workspaces, with all their apps",
  singleApps: "Single apps",
  everythingThatYouMaySee: "Everything that you may see, now and later",
  onlyWhatYouSelectBelow: (most: number) => `Only what you select below (at most ${most} workspaces and ${most} apps)`,
  content: "Content",
  newToken: "New token",
  name: "Name",
  whatItIsForOnly: "What it is for. Only the name can be changed later.",
  permissions: "Permissions",
  noTokenWasCreated: "No token was created.",
  createToken: "Create token",
  loadingWorkspacesFailed: "Loading workspaces failed.",
  loadingAppsFailed: "Loading apps failed."
} as const

export const tokenRow = {
  renameName: (name: string) => `Rename ${name}`,
  name: "Name",
  nameStaysAsItIs: "The name stays as it is.",
  rename: "Rename",
  nWhatS: (n: number, what: string) => plural(n, { one: `${n} ${what}`, other: `${n} ${what}s` }),
  allContent: "All content",
  onlyWords: (words: string) => `Only ${words}`,
  and: " and ",
  revoked: "Revoked",
  maskedCreatedTime: (masked: ReactNode, time: ReactNode) => nodes`${masked} · created ${time}`,
  revokedTime: (time: ReactNode) => nodes`· revoked ${time}`,
  revoke: "Revoke",
  revokeQuestion: (name: string) => `Revoke ${name}?`,
  revokeToken: "Revoke token",
  itStopsWorking: "It stops working with the next request, and stays in this list. This cannot be undone.",
  itWasNotRevoked: "It was not revoked."
} as const

export const tokensPage = {
  thisIsYourNewToken: "This is your new token. Copy it now: it is not shown again.",
  guestsCannotCreatePersonalAccess: "Guests cannot create personal access tokens.",
  youHaveActiveTokens: (active: number) => `You have ${active} active tokens, the most there can be. Revoke one first.`,
  yourTokens: "Your tokens",
  loadingYourTokensFailed: "Loading your tokens failed."
} as const
