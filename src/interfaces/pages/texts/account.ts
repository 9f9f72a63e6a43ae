// Texts of the account pages: start, API key, tokens, connected apps, choice of the organization.

import { plural } from "../../../platform/text/plural.ts"
import { type Content, html } from "../../web/html.ts"

export const apiKey = {
  whatCopyItNow: (what: string) => `${what} Copy it now: it is not shown again.`,
  theSecret: "The secret",
  apiKey: "API key",
  itMayDoEverything: (name: Content, personalAccessToken: Content) =>
    html`It may do everything you may do in ${name}. For a single purpose, a ${personalAccessToken} is safer.`,
  personalAccessToken: "personal access token",
  thisIsYourNewApi: "This is your new API key.",
  youHaveNoApiKey: "You have no API key.",
  createApiKey: "Create API key",
  madeTime: (time: Content) => html`Made ${time}`,
  rotate: "Rotate…",
  presentKeyStopsWorking: "The present key stops working at once, wherever it is used.",
  rotateKey: "Rotate key"
} as const

export const chooseOrganization = {
  youAreRole: (role: string, suffix: Content) => html`You are ${role}${suffix}`,
  chosen: "· chosen",
  goOnInPlain: (plain: string) => `Go on in ${plain}`,
  goOnHere: "Go on here",
  asksForASecondStep: "Asks for a second step at sign-in.",
  setUpASecondStep: (plain: string) => `Set up a second step for ${plain}`,
  setOneUp: "Set one up",
  chooseAnOrganization: "Choose an organization",
  youAreNotAnActive: "You are not an active user of any organization.",
  keysTokensAndPoliciesBelong: "Keys, tokens and policies belong to one organization at a time."
} as const

export const personConnections = {
  notices: { ended: "Disconnected. The app's tokens stopped working.", gone: "It was disconnected already." },
  permissions: (count: number) => plural(count, { one: "1 permission", other: `${count} permissions` }),
  disconnectPlain: (plain: string) => `Disconnect ${plain}`,
  disconnect: "Disconnect",
  approvedTime: (time: Content) => html`Approved ${time}`,
  lastUsedTimeOr: (timeOr: Content) => html`Last used ${timeOr}`,
  disconnectAsking: "Disconnect…",
  appCanNoLongerAct: "The app can no longer act for you here. To come back it has to ask you again.",
  connectedApps: "Connected apps",
  theseAppsAct: "These apps act as you, within the permissions that you approved.",
  noAppIsConnected: "No app is connected."
} as const

export const start = {
  connectedApps: "Connected apps",
  seeWhichAppsAct: "See which apps act for you, and disconnect them.",
  accessTokens: "Access tokens",
  forScriptsAndIntegrationsLimited: "For scripts and integrations, limited to what they need; and your API key.",
  signInMethods: "Sign-in methods",
  yourPasswordPasskeysAnAuthenticator: "Your password, passkeys, an authenticator app and recovery codes.",
  sessions: "Sessions",
  whereYouAreSigned: "Where you are signed in, and the way out of each.",
  password: "Password",
  changeItConnected: "Change it. Connected apps go on.",
  twoStepSignIn: "Two-step sign-in",
  passkeysAnAuthenticatorApp: "Passkeys, an authenticator app and recovery codes.",
  appPolicy: "App policy",
  approveLimitAndBlockApps: "Approve, limit and block apps, and end connections.",
  signInPolicy: "Sign-in policy",
  askEverybodyForASecond: "Ask everybody for a second step, and help who has lost theirs.",
  auditLog: "Audit log",
  whoConnectedChangedAndEnded: "Who connected, changed and ended what.",
  forDevelopers: "For developers",
  apiDocumentation: "API documentation",
  guidesAndEveryOperation: "Guides, and every operation to try.",
  addresses: "Addresses",
  developerApi: "Developer API",
  mcpServer: "MCP server",
  openAPI: "OpenAPI",
  oAuthMetadata: "OAuth metadata",
  start: "Start",
  recordsWebhooksAndAutomations: "Records, webhooks and automations",
  millraceKeepsYourOrganizationsRecords:
    "Millrace keeps your organization's records, tells other systems when they change, and carries out your automations. Apps connect by OAuth, with your consent.",
  signIn: "Sign in",
  openTheConsole: "Open the console",
  youAreSigned: (email: Content, name: Content, role: string, suffix: Content) =>
    html`You are signed in as ${email} in ${name}, as ${role}.${suffix}`,
  chooseAnotherOrganization: "Choose another organization",
  youAreSignedInAsEmail: (email: Content, chooseAnOrganization: Content) =>
    html`You are signed in as ${email}. ${chooseAnOrganization} to begin.`,
  chooseAnOrganization: "Choose an organization",
  youAreSignedInAs: (email: Content) => html`You are signed in as ${email}.`,
  asksForASecondStep: (name: Content, setOneUp: Content) =>
    html`${name} asks for a second step at sign-in. ${setOneUp} to go on.`,
  setOneUp: "Set one up",
  youAreNotAnActive: "You are not an active user of any organization. Ask an admin to add you.",
  hello: (name: Content) => html`Hello, ${name}`,
  yourAccount: "Your account",
  yourOrganization: "Your organization"
} as const

export const tokens = {
  notices: { renamed: "Renamed.", revoked: "Revoked. It stopped working; it stays listed below." },
  newToken: "New token",
  nameInSentence: "name",
  name: "Name",
  whatItIsForOnly: "What it is for. Only the name can be changed later.",
  permissions: "Permissions",
  content: "Content",
  everythingThatIMaySee: "Everything that I may see, now and later",
  onlyWhatISelectBelow: (selectedPerKind: number) =>
    `Only what I select below (at most ${selectedPerKind} workspaces and ${selectedPerKind} apps)`,
  workspacesAndApps: "Workspaces and apps",
  workspacesWithAllTheirApps: "Workspaces, with all their apps",
  singleApps: "Single apps",
  createToken: "Create token",
  revoked: "Revoked",
  madeTime: (time: Content, suffix: Content) => html`Made ${time}${suffix}`,
  revokedTime: (time: Content) => html`· revoked ${time}`,
  lastUsedTimeOr: (timeOr: Content) => html`Last used ${timeOr}`,
  revoke: "Revoke…",
  itStopsWorking: "It stops working with the next request.",
  revokePlain: (plain: string) => `Revoke ${plain}`,
  revokeNow: "Revoke",
  allContent: "All content",
  selectedContent: (length: number) => `Selected content: ${length} of workspaces and apps`,
  rename: "Rename",
  guestsCannotCreatePersonalAccess: "Guests cannot create personal access tokens.",
  youHaveActiveTokens: (active: number) => `You have ${active} active tokens, the most there can be. Revoke one first.`,
  accessTokens: "Access tokens",
  personalAccessTokens: "Personal access tokens",
  forScriptsAndIntegrations: (name: Content) =>
    html`For scripts and integrations that act as you in ${name}, within the permissions and content that you choose.`,
  thisIsYourNewToken: "This is your new token.",
  yourTokens: "Your tokens"
} as const
