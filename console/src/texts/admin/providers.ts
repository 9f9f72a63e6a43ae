// Texts of providers: logins of requests, and mail accounts.
import type { ReactNode } from "react"
import { countText } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const mailAccountForm = {
  securities: {
    starttls: "TLS once connected (STARTTLS)",
    tls: "TLS from the start",
    none: "None: mail and password can be read on the way"
  },
  newMailAccount: "New mail account",
  change: (name: string) => `Change ${name}`,
  name: "Name",
  server: "Server",
  port: "Port",
  asARule: "587 as a rule; 465 with TLS from the start.",
  encryption: "Encryption",
  username: "Username",
  password: "Password",
  typeItAgain: "Type it again: it would be sent to another server or as another user.",
  leftEmptyItStays: "Left empty, it stays as it is. Nobody can read it.",
  nobodyCanReadItAfterwards: "Nobody can read it afterwards.",
  sendersAddress: "Sender's address",
  sendersName: "Sender's name",
  accountWasNotKept: "The account was not kept.",
  addTheAccount: "Add the account",
  keepTheChanges: "Keep the changes"
} as const

export const mailAccountsPage = {
  default: "default",
  fromAddressByHostPort: (fromAddress: string, host: string, port: number) => `${fromAddress} by ${host}:${port} ·`,
  sendingYouAMail: "Sending you a mail …",
  mailToYouWasSent: "A mail to you was sent: it works.",
  itDoesNotWork: (message: ReactNode) => nodes`It does not work. ${message}`,
  tryName: (name: string) => `Try ${name}`,
  try: "Try",
  makeTheDefault: (name: string) => `Make ${name} the default`,
  makeDefault: "Make default",
  changeName: (name: string) => `Change ${name}`,
  change: "Change",
  deleteTheAccount: "Delete the account",
  noAutomationNamesIt: "No automation names it.",
  mailThatNamesNoAccount:
    "Mail that names no account goes by the installation's server from then on. Steps that name this account fail.",
  stepsThatNameItFail: "Steps that name it fail from then on.",
  wasNotTried: (name: string) => `${name} was not tried.`,
  isNotTheDefault: (name: string) => `${name} is not the default.`,
  wasNotDeleted: (name: string) => `${name} was not deleted.`,
  noMailAccount: "No mail account",
  mailOfThisOrganizationGoes: "Mail of this organization goes by the installation's server, where it has one.",
  newMailAccount: "New mail account",
  loadingMailAccountsFailed: "Loading mail accounts failed."
} as const

export const providerForm = {
  grants: {
    client_credentials: "With the client's own secret",
    refresh_token: "With a refresh token of an account"
  },
  clientAuths: { basic: "In a header", post: "In the body" },
  typeItAgain: "Type it again: it would be sent elsewhere or as another client.",
  leftEmptyItStays: "Left empty, it stays as it is. Nobody can read it.",
  nobodyCanReadItAfterwards: "Nobody can read it afterwards.",
  newProvider: "New provider",
  change: (name: string) => `Change ${name}`,
  name: "Name",
  addressThatGivesTokens: "Address that gives tokens",
  howTokensAreGot: "How tokens are got",
  clientId: "Client ID",
  clientSecret: "Client secret",
  refreshToken: "Refresh token",
  whereClientIdAndSecret: "Where client ID and secret are sent",
  scope: "Scope",
  asTheOtherSideNames: "As the other side names it; left empty, none is asked for.",
  providerWasNotKept: "The provider was not kept.",
  addTheProvider: "Add the provider",
  keepTheChanges: "Keep the changes"
} as const

export const providersPage = {
  clientIdAtHost: (clientId: string, host: string) => `${clientId} at ${host} ·`,
  askingForAToken: "Asking for a token …",
  itHasAToken: "It has a token: it works.",
  itDoesNotWork: (message: ReactNode) => nodes`It does not work. ${message}`,
  tryName: (name: string) => `Try ${name}`,
  try: "Try",
  changeName: (name: string) => `Change ${name}`,
  change: "Change",
  deleteTheProvider: "Delete the provider",
  noAutomationAndNoWebhook: "No automation and no webhook names it.",
  stepsThatName: "Steps that name it are skipped from then on, and webhooks that sign in by it fail.",
  wasNotTried: (name: string) => `${name} was not tried.`,
  wasNotDeleted: (name: string) => `${name} was not deleted.`,
  noProvider: "No provider",
  stepsAndWebhooksThatCall:
    "Steps and webhooks that call other services with OAuth 2.0 get their tokens from a provider.",
  newProvider: "New provider",
  loadingAuthenticationProvidersFailed: "Loading authentication providers failed."
} as const

export const removeAccount = {
  automations: (automations: number) => countText(automations, "automation", "automations"),
  webhooks: (webhooks: number) => countText(webhooks, "webhook", "webhooks"),
  inUseBy: "In use by:",
  ofAppName: (name: ReactNode, appName: string) => nodes`${name} of ${appName}`,
  webhookToHost: (host: string) => `the webhook to ${host}`,
  otherUsesOfApps: (otherUses: string) => `${otherUses} of apps that you do not administer`,
  and: " and ",
  deleteQuestion: (name: string) => `Delete ${name}?`,
  deleteName: (name: string) => `Delete ${name}`,
  delete: "Delete",
  loadingTheUsesFailed: "Loading its uses failed."
} as const
