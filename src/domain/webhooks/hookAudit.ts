// Records changes of hooks in the audit log: the user, the hook's id, its host and the names of changed settings. Never a URL, a value or a
// secret.
import { Effect } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AccessGrant } from "../accounts/Access.ts"

type HookAct =
  | "created"
  | "changed"
  | "settings_changed"
  | "paused"
  | "resumed"
  | "verified"
  | "secret_rotated"
  | "deleted"

export const makeHookAudit = Effect.map(
  AuditLog,
  (audit) =>
    (
      { appId, caller, orgId }: AccessGrant,
      act: HookAct,
      details: { readonly hook_id: number; readonly [name: string]: unknown }
    ) =>
      audit.record({
        event: `hook.${act}`,
        orgId,
        userId: caller.userId,
        clientId: caller.credential.clientId ?? undefined,
        details: { app_id: appId, ...details }
      })
)
