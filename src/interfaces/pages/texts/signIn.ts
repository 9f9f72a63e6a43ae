// Texts of the pages before a session: sign-in, password, invitation.
import { type Content, html } from "../../web/html.ts"

export const demoSignIn = {
  thisLinkDoesNotWork: "This link does not work",
  itWasUsedHasExpired:
    "It was used, has expired, or was opened on another machine. The next start of the service prints a new one.",
  signIn: "Sign in"
} as const

export const forgotPassword = {
  backToSignIn: "Back to sign in",
  setYourPassword: "Set your password",
  somebodyProbablyYouAsked: (email: string, baseUrl: string, linkHours: number, url: string) =>
    `Somebody, probably you, asked for a link to set the password of ${email} at ${baseUrl}.\n\nOpen it within ${linkHours} hours:\n${url}\n\nIf it was not you, ignore this mail: nothing has changed.\n`,
  forgotPassword: "Forgot password",
  thisInstallationSendsNoMail:
    "This installation sends no mail. Ask the people who run it for a link to set a new password.",
  weMailYouALink: "We mail you a link to set a new one.",
  emailInSentence: "email",
  email: "Email",
  sendLink: "Send link",
  tooManyRequests: "Too many requests",
  tryAgainInAnHour: "Try again in an hour.",
  checkYourMail: "Check your mail",
  ifSomebodyHasASign: (linkHours: number) =>
    `If somebody has a sign-in with this address, a link is on its way. It works once, for ${linkHours} hours.`
} as const

export const invitation = {
  thisInvitationDoesNotWork: "This invitation does not work",
  itWasUsedWithdrawn:
    "It was used, withdrawn or replaced by a newer one, has expired, or was not copied whole. Ask who invited you for another.",
  signIn: "Sign in",
  join: (name: Content) => html`Join ${name}`,
  toJoinAsRoleWord: (value: Content, name: Content, roleWord: string, email: Content) =>
    html`${value} to join ${name} as ${roleWord}. The invitation is for ${email}.`,
  youAreInvited: "You are invited",
  invitesYou: (name: Content) => html`${name} invites you`,
  workspaces: "Workspaces:",
  acceptTheInvitation: "Accept the invitation",
  signInAsEmail: (suffix: Content, email: string) => html`${suffix}Sign in as ${email} to accept it.`,
  youAreSigned: (email: string) => `You are signed in as ${email}.`,
  youHaveNoPasswordHere:
    "You have no password here yet. Ask the people who run this service for a link to set one, then open this link again.",
  setPasswordAndJoin: "Set password and join",
  invitation: "Invitation"
} as const

export const newPassword = {
  password: "password",
  newPassword: "New password",
  atLeastMinimumLengthCharacters: (minimumLength: number) =>
    `At least ${minimumLength} characters. A few unrelated words make a good one.`,
  repeated: "repeated",
  newPasswordAgain: "New password again",
  newPasswordNeedsMinimumLength: (minimumLength: number, maximumLength: number) =>
    `The new password needs ${minimumLength} to ${maximumLength} characters.`,
  twoNewPasswords: "The two new passwords are not the same."
} as const

export const openForm = {
  tooManyRequests: "Too many requests",
  tryAgainInAMinute: "Try again in a minute."
} as const

export const password = {
  thisLinkDoesNotWork: "This link does not work",
  itWasUsedHasExpired: "It was used, has expired, or was not copied whole. Ask for a new one.",
  forgotPassword: "Forgot password",
  signIn: "Sign in",
  setYourPassword: "Set your password",
  forEmail: (email: Content) => html`For ${email}`,
  setPassword: "Set password",
  password: "Password",
  changePassword: "Change password",
  passwordIsChanged:
    "The password is changed. Other browsers were signed out; connected apps, your API key and your tokens go on.",
  current: "current",
  currentPassword: "Current password",
  tooManyAttempts: "Too many attempts. Wait a quarter of an hour.",
  currentPasswordIsWrong: "The current password is wrong."
} as const

export const signIn = {
  notices: { password: "The password is set. Sign in with it.", out: "You are signed out." },
  signIn: "Sign in",
  youAreSigned: (as: string) => `You are signed in as ${as}. Sign in here to continue as somebody else.`,
  emailInSentence: "email",
  email: "Email",
  passwordInSentence: "password",
  password: "Password",
  forgotPassword: "Forgot password?",
  tooManyAttempts: "Too many attempts. Wait a quarter of an hour, or ask for a link with “Forgot password?”.",
  emailAddressOrThePassword: "The email address or the password is wrong."
} as const
