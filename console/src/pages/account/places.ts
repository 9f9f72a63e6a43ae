// The pages of one's own account, and what each is for.

export const accountPlaces = [
  {
    to: "/account/tokens",
    text: "Access tokens",
    about: "For scripts and integrations that act as you, limited to what they need; and your API key."
  },
  {
    to: "/account/sign-in",
    text: "Sign-in methods",
    about: "Your password, passkeys, an authenticator app and recovery codes."
  },
  {
    to: "/account/apps",
    text: "Connected apps",
    about: "Apps that act for you, and the end of it."
  },
  {
    to: "/account/sessions",
    text: "Sessions",
    about: "Where you are signed in, and the way out of each."
  }
] as const

export type AccountPlace = (typeof accountPlaces)[number]
