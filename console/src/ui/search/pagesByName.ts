// The pages of the console that the search finds by their names and by the words under which people look for them ("2FA", "password").
import { accountPlaces } from "../../pages/account/places.ts"
import { adminPlaces, type Role } from "../../pages/admin/places.ts"
import { pagesByName as texts } from "../../texts/ui/searchWords.ts"
import type { Place } from "../place.ts"

/** Part of the console. */
type Section = "Console" | "Your account" | "Administration"

export interface FoundPage {
  readonly kind: "page"
  readonly id: string
  readonly to: Place["to"]
  readonly title: string
  readonly snippet: string
  readonly section: Section
}

interface NamedPlace extends Place {
  readonly about: string
  readonly opens: (role: Role) => boolean
}

const MOST = 5

/** Words beside those of its title, by the address of a page. */
const words: Readonly<Record<string, string>> = {
  "/": "start overview failures",
  "/apps": "tables databases",
  "/automations": "workflows flows triggers",
  "/runs": "executions history log errors",
  "/webhooks": "hooks deliveries events",
  "/account": "profile me organization organisation switch sign out log out logout",
  "/account/tokens": "api key keys personal pat credentials developer rotate revoke",
  "/account/sign-in":
    "password passkey passkeys webauthn security 2fa mfa totp two factor step authentication authenticator recovery codes login",
  "/account/apps": "oauth connections disconnect permissions integrations consent",
  "/account/sessions": "devices browsers sign out log out logout everywhere",
  "/admin": "settings organization organisation",
  "/admin/members": "people users team invite invitation roles guests owners",
  "/admin/workspaces": "spaces teams",
  "/admin/secrets": "credentials variables values",
  "/admin/mail": "email smtp sender server",
  "/admin/providers": "authentication oauth token client credentials",
  "/admin/apps": "policy oauth connections integrations rules block approve allow",
  "/admin/sign-in": "security second step 2fa mfa two factor authentication passkey password login require reset",
  "/admin/usage": "limits quota credits storage plan billing",
  "/admin/audit": "log trail events history changes security who"
}

const everybody = () => true
const consolePlaces = [
  { to: "/", text: texts.home, about: texts.whatIsGoingOn },
  { to: "/apps", text: texts.apps, about: texts.recordsAndTheirFields },
  { to: "/automations", text: texts.automations, about: texts.whatHappensByItself },
  { to: "/runs", text: texts.runs, about: texts.whatAutomationsHaveDone },
  { to: "/webhooks", text: texts.webhooks, about: texts.whoIsToldOfChanges }
] as const

const ownPlaces = [
  { to: "/account", text: texts.yourAccount, about: texts.whoYouAreYourOrganizations },
  ...accountPlaces
] as const
const administration: NamedPlace = {
  to: "/admin",
  text: texts.administration.text,
  about: texts.administration.about,
  opens: everybody
}

const sections: Readonly<Record<Section, ReadonlyArray<NamedPlace>>> = {
  Console: consolePlaces.map((place) => ({ ...place, opens: everybody })),
  "Your account": ownPlaces.map((place) => ({ ...place, opens: everybody })),
  Administration: [administration, ...adminPlaces]
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** True if each typed word begins one of the known words; false if none is typed. */
export const beginsAll = (typed: string, known: string): boolean => {
  const [typedWords, knownWords] = [wordsOf(typed), wordsOf(known)]
  return typedWords.length > 0 && typedWords.every((begin) => knownWords.some((word) => word.startsWith(begin)))
}

/** Pages that the role opens, of whose words each typed one begins some; those that have them in the title come first. */
export const pagesByName = (text: string, role: Role | undefined): ReadonlyArray<FoundPage> => {
  if (role === undefined) return []
  const pages = (Object.keys(sections) as ReadonlyArray<Section>).flatMap((section) =>
    sections[section]
      .filter(({ opens }) => opens(role))
      .flatMap(({ about, text: title, to }) => {
        const inTitle = beginsAll(text, title)
        const isMatch = inTitle || beginsAll(text, `${title} ${words[String(to)] ?? ""}`)
        const page: FoundPage = { kind: "page", id: String(to), to, title, snippet: about, section }
        return isMatch ? [{ page, inTitle }] : []
      })
  )
  return pages
    .toSorted((one, other) => Number(other.inTitle) - Number(one.inTitle))
    .slice(0, MOST)
    .map(({ page }) => page)
}
