// Words of the account: the names of its pages, and browsers as sessions name them.

export const browserOf = {
  aBrowser: "A browser",
  browserOnSystem: (browser: string, system: string) => `${browser} on ${system}`
} as const

export const places = {
  accessTokens: "Access tokens",
  forScriptsAndIntegrations:
    "For scripts and integrations that act as you, limited to what they need; and your API key.",
  signInMethods: "Sign-in methods",
  yourPasswordPasskeysAnAuthenticator: "Your password, passkeys, an authenticator app and recovery codes.",
  connectedApps: "Connected apps",
  appsThatAct: "Apps that act for you, and the end of it.",
  sessions: "Sessions",
  whereYouAreSigned: "Where you are signed in, and the way out of each."
} as const
