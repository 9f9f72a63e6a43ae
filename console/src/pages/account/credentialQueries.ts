// The API key and the personal access tokens of the reader (developer-api.md 1.7).
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"

export interface Token {
  readonly credential_id: number
  readonly name: string
  readonly masked: string
  readonly scopes: ReadonlyArray<string>
  readonly content_selection: "all" | "selected"
  readonly workspace_ids: ReadonlyArray<number>
  readonly app_ids: ReadonlyArray<number>
  readonly created_on: string
  readonly last_used_on: string | null
  readonly revoked_on: string | null
}

export interface Credentials {
  readonly api_key: { readonly masked: string; readonly created_on: string } | null
  readonly tokens: ReadonlyArray<Token>
  readonly may_create: boolean
  /** Bounds of what a user has. */
  readonly most_active: number
  readonly most_selected: number
  readonly scopes: ReadonlyArray<{ readonly scope: string; readonly line: string }>
}

export const CREDENTIALS = ["credentials"] as const

export const credentials = queryOptions({
  queryKey: CREDENTIALS,
  queryFn: () => ask<Credentials>("/account/credentials")
})

/** A secret, in the one answer that has it. */
export interface Secret {
  readonly token: string
}
