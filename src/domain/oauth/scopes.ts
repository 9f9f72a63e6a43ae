// Scope parameters (RFC 6749 3.3; service.md 4.1), and the text of each scope in plain words on the consent screen.
import { allScopes, type Scope, type ScopeVerb, scopes } from "../accounts/Scope.ts"

/** The distinct scopes of a parameter, known or not, in the order sent. */
export const splitScopes = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(" ").filter((s) => s !== ""))
]

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)

/** Text of each scope on the consent screen. */
export const scopeLines = Object.fromEntries(allScopes.map((scope) => [scope, scopes[scope].line])) as Record<
  Scope,
  string
>
export const scopeVerbs = Object.fromEntries(allScopes.map((scope) => [scope, scopes[scope].verb])) as Record<
  Scope,
  ScopeVerb
>
export const strongScopes: ReadonlySet<Scope> = new Set(allScopes.filter((scope) => "strong" in scopes[scope]))
