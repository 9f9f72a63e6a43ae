// Second steps of the reader (decisions, "The second step").
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"

export interface Factor {
  readonly factor_id: number
  readonly kind: "totp" | "passkey"
  readonly name: string
  readonly created_on: string
  readonly last_used_on: string | null
}

export interface FactorState {
  readonly factors: ReadonlyArray<Factor>
  readonly codes_left: number
  readonly asking: ReadonlyArray<{ readonly name: string; readonly required_from: string }>
  /** True if the sign-in is of these minutes, or was confirmed. */
  readonly may_add: boolean
  /** True if it was confirmed within ten minutes. */
  readonly may_change: boolean
  readonly passkeys_possible: boolean
}

/** Recovery codes, in the one answer that has them; none if there were some before. */
export interface NewCodes {
  readonly codes: ReadonlyArray<string>
}

export const FACTORS = ["factors"] as const

export const factors = queryOptions({ queryKey: FACTORS, queryFn: () => ask<FactorState>("/account/factors") })
