// Mail accounts and authentication providers of the organization, and what uses one of them.
import type { AnswerOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"

export type MailAccount = AnswerOf<"mailAccounts.list">["smtp_accounts"][number]
export type Provider = AnswerOf<"authenticationProviders.list">["authentication_providers"][number]
export type Uses = AnswerOf<"mailAccounts.uses">

export const mailAccounts = queryOptions({
  queryKey: ["mail accounts"],
  queryFn: ({ signal }) => client.mailAccounts.list({}, { signal })
})

export const providers = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => client.authenticationProviders.list({}, { signal })
})

export const usesOfMailAccount = (smtp_account_id: number) =>
  queryOptions({
    queryKey: ["mail accounts", "uses", smtp_account_id],
    queryFn: ({ signal }) => client.mailAccounts.uses({ smtp_account_id }, { signal }),
    staleTime: 0
  })

export const usesOfProvider = (authentication_provider_id: number) =>
  queryOptions({
    queryKey: ["providers", "uses", authentication_provider_id],
    queryFn: ({ signal }) => client.authenticationProviders.uses({ authentication_provider_id }, { signal }),
    staleTime: 0
  })
