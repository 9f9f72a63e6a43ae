// Texts that all pages of the service share: frame, errors, menus, limits on guesses.

export const frame = {
  formCannotBeAccepted: "The form cannot be accepted",
  itDoesNotBelong: "It does not belong to this session. Go back, reload the page and try again.",
  startPage: "Start page",
  noOrganization: "No organization",
  youAreNotAnActive: "You are not an active user of any organization.",
  thereIsNoSuchPage: "There is no such page",
  addressContainsACharacter: "The address contains a character that no address here has.",
  serviceCannotAnswerRightNow: "The service cannot answer right now.",
  unavailableTextTryAgain: (unavailableText: string) => `${unavailableText} Try again in a moment.`,
  unavailableTextItIsNotKnown: (unavailableText: string) =>
    `${unavailableText} It is not known whether what you sent was kept: look before you send it again.`,
  unavailableTextNothingWasChanged: (unavailableText: string) =>
    `${unavailableText} Nothing was changed. Try again in a moment.`,
  somethingWentWrong: "Something went wrong"
} as const

export const guesses = {
  manyPeopleAreSigning: "Many people are signing in right now. Try again in a few seconds."
} as const

export const layout = {
  connectedApps: "Connected apps",
  accessTokens: "Access tokens",
  signInMethods: "Sign-in methods",
  password: "Password",
  twoStepSignIn: "Two-step sign-in",
  appPolicy: "App policy",
  signInPolicy: "Sign-in policy",
  auditLog: "Audit log",
  documentation: "Documentation",
  signIn: "Sign in",
  change: "change",
  signOut: "Sign out",
  account: "Account",
  titleMillrace: (title: string) => `${title} · Millrace`,
  skipToContent: "Skip to content"
} as const

export const methods = {
  notThatWay: "Not that way",
  thisPageDoesNotTake: "This page does not take this kind of request."
} as const

export const parts = {
  noName: "(no name)"
} as const
