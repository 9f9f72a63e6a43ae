// Shared by the loads: creates an app and a verified hook, and reads a field.
import { Effect, Option } from "effect"
import type { LoadContext } from "../Load.ts"

export const makeApp = Effect.fnUntraced(function* (
  { client, workspaceId }: LoadContext,
  name: string,
  further: ReadonlyArray<object> = []
) {
  const app = yield* client.get("POST", "/v1/app", {
    body: {
      workspace_id: workspaceId,
      name,
      fields: [
        { field_type: "single_text", config: { label: "Name" } },
        { field_type: "number", config: { label: "Count" } },
        ...further
      ]
    }
  })
  const fields: Record<string, number> = Object.fromEntries(app.fields.map((one: any) => [one.slug, one.field_id]))
  return { appId: app.app_id as number, fields }
})

/** A code may be another's that came later, and one that is on its way when everything dies is asked for again. */
export const verify = Effect.fnUntraced(function* ({ client, receiver }: LoadContext, hookId: number) {
  for (;;) {
    receiver.forgetCode(hookId)
    yield* client.get("POST", `/v1/hook/${hookId}/verify/request`)
    const code = yield* Effect.promise(() => receiver.code(hookId)).pipe(Effect.timeoutOption("20 seconds"))
    if (Option.isNone(code)) continue
    const { status } = yield* client.call("POST", `/v1/hook/${hookId}/verify/validate`, { body: { code: code.value } })
    if (status === 200) return
  }
})

export const makeHook = Effect.fnUntraced(function* (context: LoadContext, appId: number, type: string) {
  const { client, receiver } = context
  const url = `http://127.0.0.1:${receiver.port}/`
  const { hook_id } = yield* client.get("POST", `/v1/hook/app/${appId}`, { body: { type, url } })
  const { secret } = yield* client.get("GET", `/v1/hook/${hook_id}/secret`)
  receiver.trust(hook_id, secret)
  yield* verify(context, hook_id)
  return hook_id as number
})

/** The first value of a field as read, by external id. */
export const valueOf = (record: any, slug: string) =>
  record.fields.find((one: any) => one.external_id === slug)?.values[0]?.value

/** Sets a text field to a text, or to texts and references. */
export const assign = (fieldId: number, ...value: ReadonlyArray<unknown>) => ({
  field_type: "single_text",
  variable_def: { kind: "variable", source: "field", field_id: fieldId, field_type: "single_text" },
  assignment_type: "set",
  field_value: value
})
