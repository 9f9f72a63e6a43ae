// A search and its results as the API shows them (developer-api.md 11.1).
import { Schema } from "effect"
import type { Scope } from "../accounts/Scope.ts"

export const searchKinds = ["record", "comment", "automation", "app"] as const
export const SearchKind = Schema.Literals(searchKinds)
export type SearchKind = typeof SearchKind.Type

export const SearchResult = Schema.Struct({
  kind: SearchKind,
  id: Schema.Int,
  app_id: Schema.Int,
  title: Schema.String.annotate({ description: "A comment has that of its record" }),
  record_id: Schema.optionalKey(Schema.Int.annotate({ description: "The record of a comment" })),
  reply_id: Schema.optionalKey(Schema.Int.annotate({ description: "The reply to the comment that was found" })),
  field_id: Schema.optionalKey(Schema.Int.annotate({ description: "The field of the snippet" })),
  snippet: Schema.String.annotate({
    description: "Plain text of at most 162 characters; empty if only the title matches"
  }),
  score: Schema.Finite.annotate({ description: "How well it matches, from 0 to 1" })
}).annotate({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

export const SearchPage = Schema.Struct({
  results: Schema.Array(SearchResult),
  cursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "SearchPage" })
export type SearchPage = typeof SearchPage.Type

export interface SearchRequest {
  readonly q: string
  readonly kinds: ReadonlyArray<SearchKind>
  readonly appId?: number
  readonly workspaceId?: number
  readonly limit: number
  readonly cursor?: string
}

/** Rows of the index by what they are: the letter before their words, what they are found as, and what finding them takes. */
export const entryKinds = {
  app: { letter: "a", foundAs: "app", scope: "apps:read", level: 1 },
  automation: { letter: "m", foundAs: "automation", scope: "automations:read", level: 5 },
  record: { letter: "r", foundAs: "record", scope: "records:read", level: 1 },
  comment: { letter: "c", foundAs: "comment", scope: "records.comments:read", level: 1 },
  reply: { letter: "p", foundAs: "comment", scope: "records.comments:read", level: 1 }
} as const satisfies Record<
  string,
  { readonly letter: string; readonly foundAs: SearchKind; readonly scope: Scope; readonly level: 1 | 5 }
>
export type EntryKind = keyof typeof entryKinds
/** In the order in which equal ones are listed. */
export const entryKindNames = Object.keys(entryKinds) as ReadonlyArray<EntryKind>
