// Workflow id of a run, and its address in Temporal's UI.
import { Schema } from "effect"

export const RunIdentity = Schema.Struct({ run_id: Schema.String, automation_id: Schema.Int })
export type RunIdentity = typeof RunIdentity.Type

/** Identity of a run, and where it belongs. */
export const RunAddress = Schema.Struct({ ...RunIdentity.fields, org_id: Schema.Int, app_id: Schema.Int })

/** Returns the id of the first epoch; `Epoch.id` turns it into that of the present one. */
export const runWorkflowId = ({ automation_id, run_id }: RunIdentity): string =>
  `automations/${automation_id}/runs/${run_id}`

/** @param base address of the UI, which may name a namespace of its own */
export const workflowAddress = (base: URL, namespace: string, workflowId: string): string => {
  const baseHref = base.href.endsWith("/") ? base.href.slice(0, -1) : base.href
  const namespaceAddress = baseHref.includes("/namespaces/")
    ? baseHref
    : `${baseHref}/namespaces/${encodeURIComponent(namespace)}`
  return `${namespaceAddress.endsWith("/workflows") ? namespaceAddress : `${namespaceAddress}/workflows`}/${encodeURIComponent(workflowId)}`
}
