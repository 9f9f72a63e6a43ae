// Records changes of automations in the audit log (decisions P14), with the automation's id and name.
import { Effect } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../../platform/audit/auditKinds.ts"

interface AuditedAutomation {
  readonly app_id: number
  readonly automation_id: number
  readonly name: string
  readonly org_id: number
}

export const makeAutomationAudit = Effect.map(
  AuditLog,
  (audit) =>
    (
      act: Extract<AuditKind, `automation.${string}`>,
      { app_id, automation_id, name, org_id }: AuditedAutomation,
      more: Readonly<Record<string, unknown>> = {}
    ) =>
      audit.record({ event: act, orgId: org_id, details: { automation_id, name, app_id, ...more } })
)
