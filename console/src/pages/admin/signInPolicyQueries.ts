// The sign-in policy of the organization, for its admins (decisions, "The second step"): by the session, since a confirmed identity is its.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"
import type { Role } from "./places.ts"

export interface SignInPolicy {
  /** Time from which everybody needs a second step. */
  readonly required_from: string | null
  readonly grace_days: ReadonlyArray<number>
  readonly members: number
  readonly with_second_step: number
  /** True if the reader has a second step. */
  readonly has_own: boolean
  /** True if the reader confirmed their identity within ten minutes. */
  readonly may_change: boolean
}

export interface SignInMember {
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly has_second_step: boolean
  /** Reason for which the reader cannot reset it. */
  readonly refusal: string | null
}

interface MemberPage {
  readonly members: ReadonlyArray<SignInMember>
  readonly next_offset: number | null
}

export const SIGN_IN_POLICY = ["sign-in-policy"] as const

export const signInPolicy = queryOptions({
  queryKey: [...SIGN_IN_POLICY, "policy"],
  queryFn: () => ask<SignInPolicy>("/organization/sign-in")
})

export const signInMembers = (text: string, without: boolean) =>
  infiniteQueryOptions({
    queryKey: [...SIGN_IN_POLICY, "members", text, without],
    queryFn: ({ pageParam }) => ask<MemberPage>("/organization/sign-in/members", { text, without, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset }) => next_offset ?? undefined
  })
