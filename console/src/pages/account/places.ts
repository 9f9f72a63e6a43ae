// The pages of one's own account, and what each is for.
import { places as texts } from "../../texts/account/accountWords.ts"

export const accountPlaces = [
  {
    to: "/account/tokens",
    text: texts.accessTokens,
    about: texts.forScriptsAndIntegrations
  },
  {
    to: "/account/sign-in",
    text: texts.signInMethods,
    about: texts.yourPasswordPasskeysAnAuthenticator
  },
  {
    to: "/account/apps",
    text: texts.connectedApps,
    about: texts.appsThatAct
  },
  {
    to: "/account/sessions",
    text: texts.sessions,
    about: texts.whereYouAreSigned
  }
] as const

export type AccountPlace = (typeof accountPlaces)[number]
