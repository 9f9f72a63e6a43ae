// Texts of the account: how somebody signs in, by password, passkeys, authenticator app and recovery codes.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const addApp = {
  authenticatorApp: "Authenticator app",
  codeOfTheApp: "Code of the app",
  scanThisWithTheApp: "1. Scan this with the app",
  qrCodeOfTheSecret: "QR code of the secret below",
  orTypeThisSecretIn: "Or type this secret in",
  enterTheCode: "2. Enter the code that it shows",
  name: "Name",
  code: "Code",
  itIsNotTurnedOn: "It is not turned on.",
  turnOn: "Turn on",
  setUpAnAuthenticatorApp: "Set up an authenticator app",
  thereIsNoSecretYet: "The secret for the app could not be made."
} as const

export const addPasskey = {
  thisDevice: "This device",
  addAPasskey: "Add a passkey",
  fingerprintFaceOrCode: "Fingerprint, face or code of this device, or a security key. It cannot be phished.",
  name: "Name",
  browserAddedNone: "The browser added none: you cancelled, or this passkey is in use already.",
  noPasskeyWasAdded: "No passkey was added.",
  addPasskey: "Add passkey"
} as const

export const factors = {
  kinds: { totp: "Authenticator app", passkey: "Passkey" },
  kindAddedTime: (kind: string, time: ReactNode) => nodes`${kind} · added ${time} ·`,
  remove: "Remove",
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeIt: "Remove it",
  itNoLongerSigns: "It no longer signs you in.",
  itWasNotRemoved: "It was not removed.",
  yourRecoveryCodes: "Your recovery codes",
  whenYouHaveLost:
    "When you have lost your second step, one of these signs you in. Each works once. Print them, or keep them where you keep passwords: they are not shown again.",
  recoveryCodes: "Recovery codes",
  codesLeft: (codesLeft: number) => `${codesLeft} left. Each signs you in once, in place of a second step.`,
  makeNewCodes: "Make new codes",
  makeNewRecoveryCodes: "Make new recovery codes?",
  presentOnesStopWorking: "The present ones stop working at once.",
  codesStayAsTheyAre: "The codes stay as they are.",
  twoStepSignIn: "Two-step sign-in",
  afterYourPasswordYouShow:
    "After your password you show something that you have: a passkey of your device, or a code of an app.",
  asksForASecondStep: (name: string, time: ReactNode) => nodes`${name} asks for a second step from ${time} on.`,
  itIsOff: "It is off: your password alone signs you in.",
  addAPasskey: "Add a passkey",
  setUpAnApp: "Set up an app",
  passkeysNeedAnAddress: "Passkeys need an address with a name, by https: here there are none.",
  confirmThatItIsYou: "Confirm that it is you",
  toAnythingHere: (value: string) => `to ${value} anything here.`,
  removeOrReplace: "remove or replace",
  change: "change"
} as const

export const passwordForm = {
  password: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
  atLeast10Characters: "At least 10 characters. A few unrelated words make a good one.",
  newPasswordAgain: "New password again",
  twoNewPasswords: "The two new passwords are not the same.",
  passwordStaysAsItWas: "The password stays as it was.",
  passwordIsChanged:
    "The password is changed. Other browsers were signed out; connected apps, your API key and your tokens go on.",
  changePassword: "Change password"
} as const

export const signInPage = {
  loadingYourSecondStepsFailed: "Loading your second steps failed."
} as const
