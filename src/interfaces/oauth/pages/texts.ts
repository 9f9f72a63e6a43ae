// Texts of the consent page: the app that asks, what it may do, and why a request is refused.
import { type Content, html } from "../../web/html.ts"

export const asking = {
  sendsYouToHost: (host: Content) => html`Sends you to ${host}`,
  unverified: "Unverified",
  itsIdIsADocument: (document: Content) => html`Its ID is a document of ${document}`,
  thisAppCannotBeTied: (host: Content) =>
    html`This app cannot be tied to a website. You will be sent to ${host}, a program on your own computer. Go on only if you have just started it yourself.`,
  thisAppCannotBeTiedToAWebsite: (host: Content) =>
    html`This app cannot be tied to a website. You will be sent to ${host}, an app on this device. Go on only if you have just used it yourself.`,
  asksToAct: (name: Content) => html`${name} asks to act as you. You decide after signing in.`
} as const

export const consentViews = {
  verbs: { read: "Read", change: "Change", manage: "Manage" },
  thisAppCannotBeConnected: "This app cannot be connected",
  tryAgainInAMoment: "Try again in a moment",
  nothingWasSent: (value: string) => `Nothing was sent to the app. ${value}`,
  tellItsMakers: "Tell its makers, with the word in brackets.",
  reloadThisPageOrStart: "Reload this page, or start again from the app.",
  startPage: "Start page",
  returnToApp: "Return to app",
  signedInAsEmailUse: (email: Content, useAnotherAccount: Content) =>
    html`Signed in as ${email} · ${useAnotherAccount}`,
  useAnotherAccount: "Use another account",
  youCannotConnectApp: (app: string) => `You cannot connect ${app}`,
  youCannotConnect: (name: Content) => html`You cannot connect ${name}`,
  youAreNotAUser: "You are not a user of any organization.",
  connectApp: (app: string) => `Connect ${app}?`,
  connect: (name: Content) => html`Connect ${name}?`,
  asksToAct: (name: Content) => html`${name} asks to act as you, and to:`,
  organization: "Organization",
  allow: "Allow",
  decline: "Decline",
  youCanDisconnect: "You can disconnect it at any time under Connected apps.",
  appsRequestCannotBeCarried: "The app's request cannot be carried out",
  goBackToTheApp: "Go back to the app and try again. If it happens again, tell its makers, with the word in brackets."
} as const

export const handlers = {
  thisRequestIsNotOpen: "This request is not open",
  itWasAnsweredAlready: "It was answered already, or was begun in another browser. Start again from the app.",
  startPage: "Start page",
  chooseTheOrganization: "Choose the organization that the app is to act in."
} as const
