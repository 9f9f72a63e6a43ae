// Queries the service's catalogues of triggers, actions and operators; cached for the visit.
import type { AnswerOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"
import type { JsonSchema } from "./model/schemaForm.ts"

export type ActionType = Omit<AnswerOf<"automationMeta.actions">["actions"][number], "config_schema"> & {
  readonly config_schema: JsonSchema
}
export type TriggerType = Omit<AnswerOf<"automationMeta.triggers">["triggers"][number], "config_schema"> & {
  readonly config_schema: JsonSchema
}

export const actionTypes = queryOptions({
  queryKey: ["catalogue", "actions"],
  queryFn: ({ signal }) => client.automationMeta.actions({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY
})

export const triggerTypes = queryOptions({
  queryKey: ["catalogue", "triggers"],
  queryFn: ({ signal }) => client.automationMeta.triggers({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY
})

export const operatorsOf = (field_type: string) =>
  queryOptions({
    queryKey: ["catalogue", "filter", field_type],
    queryFn: ({ signal }) => client.automationMeta.filter({ field_type }, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })

export const scriptNames = queryOptions({
  queryKey: ["catalogue", "script"],
  queryFn: ({ signal }) => client.automationMeta.script({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY
})
