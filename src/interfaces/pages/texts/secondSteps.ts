// Texts of second steps (set up, asked for, confirmed anew) and of the page of a record.
import { type Content, html } from "../../web/html.ts"

export const confirm = {
  confirmThatItIsYou: "Confirm that it is you",
  whatFollowsChanges: "What follows changes how you sign in. Enter your password",
  orUseASecondStep: ", or use a second step",
  passwordInSentence: "password",
  password: "Password",
  confirm: "Confirm",
  confirmByCode: "Confirm by code",
  tooManyAttempts: "Too many attempts. Wait a quarter of an hour.",
  passwordIsWrong: "The password is wrong.",
  thatWasNotRight: "That was not right, or was used before."
} as const

export const ownFactors = {
  kinds: { totp: "Authenticator app", passkey: "Passkey" },
  notices: {
    added: "Added.",
    removed: "Removed.",
    confirmed: "Confirmed. You can change your second steps for ten minutes."
  },
  addedTime: (time: Content) => html`Added ${time}`,
  lastUsedTimeOr: (timeOr: Content) => html`Last used ${timeOr}`,
  remove: "Remove…",
  itNoLongerSigns: "It no longer signs you in.",
  removePlain: (plain: string) => `Remove ${plain}`,
  removeNow: "Remove",
  confirmThatItIsYou: "Confirm that it is you",
  twoStepSignIn: "Two-step sign-in",
  afterYourPasswordYouShow:
    "After your password you show something that you have: a passkey of your device, or a code of an app.",
  asksForASecondStep: (name: Content, time: Content) => html`${name} asks for a second step from ${time} on.`,
  itIsOff: "It is off: your password alone signs you in.",
  addASecondStep: "Add a second step",
  passkey: "Passkey",
  notPossibleHere: "Not possible here: passkeys need an address with a name, by https.",
  fingerprintFaceOrCode: "Fingerprint, face or code of this device, or a security key. It cannot be phished.",
  nameInSentence: "name",
  name: "Name",
  thisDevice: "This device",
  addPasskey: "Add passkey",
  authenticatorApp: "Authenticator app",
  appOnYourPhoneShows: "An app on your phone shows a code of six digits.",
  setUpAnApp: "Set up an app",
  changeIt: "Change it",
  toAddRemoveOrReplace: "To add, remove or replace anything, show first that it is you.",
  recoveryCodes: "Recovery codes",
  codesLeftOfCodesLeft: (codesLeft: number, codes: number) =>
    `${codesLeft} of ${codes} left. Each signs you in once, in place of a second step.`,
  makeNewCodes: "Make new codes…",
  presentOnesAreWorthNothing: "The present ones are worth nothing then.",
  makeNewCodesNow: "Make new codes",
  toMakeNewOnes: "To make new ones or to remove a second step, confirm first.",
  twoStepSign: "Two-step sign-in is on.",
  whenYouHaveLost:
    "When you have lost your second step, one of these signs you in. Each works once. Print them, or keep them where you keep passwords: they are not shown again.",
  iHaveKeptThem: "I have kept them"
} as const

export const record = {
  noSuchRecord: "No such record",
  itDoesNotExist: "It does not exist, or you may not see it.",
  record: "Record",
  thisRecordIsIn: (name: Content) => html`This record is in ${name}`,
  chooseThatOrganizationToOpen: "Choose that organization to open it.",
  youAreWorkingInOpening: (name: Content) =>
    html`You are working in ${name}. Opening the record switches to the other organization, in every tab.`,
  openTheRecord: "Open the record"
} as const

export const secondStep = {
  secondStep: "Second step",
  youAreSigning: (email: string) => `You are signing in as ${email}.`,
  signIn: "Sign in",
  signInAsSomebodyElse: "Sign in as somebody else",
  thatWasNotRight: "That was not right, or was used before. Try again."
} as const

export const stepForms = {
  passkeysNeedJavaScript: "Passkeys need JavaScript.",
  useYourPasskey: "Use your passkey",
  code: "code",
  codeOfYourAuthenticatorApp: "Code of your authenticator app",
  useARecoveryCode: "Use a recovery code",
  recovery: "recovery",
  recoveryCode: "Recovery code",
  eachWorksOnce: "Each works once.",
  signInWithIt: "Sign in with it",
  tooManyAttempts: "Too many attempts. Wait a quarter of an hour, or use a passkey or a recovery code."
} as const

export const totpSetup = {
  setUpAnAuthenticatorApp: "Set up an authenticator app",
  scanThisWithTheApp: "1. Scan this with the app",
  qrCodeOfTheSecret: "QR code of the secret below",
  orTypeThisSecretIn: "Or type this secret in",
  theSecret: "The secret",
  enterTheCode: "2. Enter the code that it shows",
  nameInSentence: "name",
  name: "Name",
  authenticatorApp: "Authenticator app",
  codeInSentence: "code",
  code: "Code",
  turnOn: "Turn on"
} as const
