// Failure streaks (decisions W1; service.md 3.1): the effect of one execution on its hook. Pure.

import type { HookStatus } from "./Hook.ts"

/** Percentages of the allowed failures at which the app's admins are notified. */
export const ALERT_SHARES = [50, 70, 90] as const

export interface HookHealth {
  readonly status: HookStatus
  readonly failures: number
  /** Share that admins were last notified of; 0: none in this streak. */
  readonly alerted: number
}

/** Failure streak that reaches a share of the allowed failures. */
const failuresAt = (share: number, allowed: number) => Math.ceil((allowed * share) / 100)

/** Failure streak at which an active hook's next notice is due; `alerted` is the share that its admins were last told of. */
export const nextNoticeAt = (alerted: number, allowed: number): number => {
  const nextShare = ALERT_SHARES.find((percent) => percent > alerted)
  return nextShare === undefined ? allowed + 1 : Math.min(failuresAt(nextShare, allowed), allowed + 1)
}

/** Notice of an execution that reached an alert share or the limit. */
export type FailureNotice = { readonly kind: "failing"; readonly share: number } | { readonly kind: "lost" }

export type Notice =
  /** Adds the error of the execution that caused the notice, as the log has it. */
  | (FailureNotice & { readonly error: string })
  /** Its filter can no longer be used (W13). */
  | { readonly kind: "paused"; readonly reason: string }
  /** The person who saved the hook last may no longer read the records in its bodies (W17). */
  | { readonly kind: "record_withheld"; readonly reason: string }

/** @param allowed failures in a row that keep the hook verified; one more does not */
export const afterExecution = (
  health: HookHealth,
  ok: boolean,
  allowed: number
): { readonly health: HookHealth; readonly notice: FailureNotice | null } => {
  if (ok) return { health: { ...health, failures: 0, alerted: 0 }, notice: null }
  const failures = health.failures + 1
  if (health.status === "inactive") return { health: { ...health, failures }, notice: null }
  if (failures > allowed) return { health: { ...health, status: "inactive", failures }, notice: { kind: "lost" } }
  if (failures < nextNoticeAt(health.alerted, allowed)) return { health: { ...health, failures }, notice: null }
  const share = ALERT_SHARES.findLast((percent) => failures >= failuresAt(percent, allowed))!
  return { health: { ...health, failures, alerted: share }, notice: { kind: "failing", share } }
}
