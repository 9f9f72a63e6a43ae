// Records changes of automations in the audit log (decisions P14), with the automation's id and name.
import { Effect } from "effect"
import { AuditLog } from "../../../ground/audit/AuditLog.ts"
import type { AuditKind } from "../../../ground/audit/auditKinds.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

export const makeAutomationAudit = Effect.map(
  AuditLog,
  (audit) =>
    (
      act: Extract<AuditKind, `automation.${string}`>,
      { app_id, automation_id, name, org_id }: Pick<AutomationRow, "app_id" | "automation_id" | "name" | "org_id">,
      more: Readonly<Record<string, unknown>> = {}
    ) =>
      audit.record({ event: act, orgId: org_id, details: { automation_id, name, app_id, ...more } })
)
