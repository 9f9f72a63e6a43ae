// Which calls take a decision of a person, and what is asked: what is gone for good or is much at once, and what becomes of a broken
// automation. Names are read with the caller's rights. To change is not to read (developer-api.md 2.4): who lacks the scope for the names is
// asked by ids. What cannot be read for another reason is not done either.
import { Data, Effect } from "effect"
import type { InProcessAnswer, InProcessCall } from "../../../domain/accounts/InProcess.ts"
import { isSuccess } from "../call.ts"
import type { ToolContext } from "../ToolContext.ts"

export interface DecisionChoice {
  readonly value: string
  readonly title: string
  /** The call is not made. */
  readonly leaves?: true
  /** Done before the call. */
  readonly first?: InProcessCall
}

export interface Question {
  readonly message: string
  readonly choices: ReadonlyArray<DecisionChoice>
}

/** Fails when the subject of the question cannot be read: the tool then neither asks nor acts. */
class NotRead extends Data.TaggedError("NotRead")<{ readonly answer: InProcessAnswer }> {}

type Ask = (desk: ToolContext, args: Readonly<Record<string, any>>) => Effect.Effect<Question | undefined, NotRead>

/** Records that may go to the trash without a question. */
const few = 5

const yesOrNo = (message: string, title: string): Question => ({
  message,
  choices: [
    { value: "leave", title: "Leave it as it is", leaves: true },
    { value: "proceed", title }
  ]
})

/** `undefined` where the credential lacks the scope for it. */
const read = Effect.fnUntraced(function* ({ api, caller }: ToolContext, path: string) {
  const answer = yield* api.call(caller, { method: "GET", path })
  if (isSuccess(answer)) return answer.body as any
  return (answer.body as any)?.error_code === "forbidden" ? undefined : yield* new NotRead({ answer })
})

/** A question about what is read at a path. */
const about = (path: (args: any) => string, ask: (found: any, args: any) => Question | undefined): Ask =>
  Effect.fnUntraced(function* (desk, args) {
    return ask(yield* read(desk, path(args)), args)
  })

const broken: Ask = Effect.fnUntraced(function* (desk, { automation_id }) {
  const path = `/v1/automation/${automation_id}`
  const automation = (yield* read(desk, path))?.automation
  if (automation?.status !== "broken") return undefined
  const saved: ReadonlyArray<any> = (yield* read(desk, `${path}/revision`))?.revisions ?? []
  const sound = saved.find((one, index) => index > 0 && !one.broken)
  const reasons: ReadonlyArray<any> = automation.broken_reason?.errors ?? []
  const why = reasons
    .map(({ code }) => code)
    .slice(0, 3)
    .join(", ")
  return {
    message: `“${automation.name}” is broken${why === "" ? "" : ` (${why})`}. What is to become of it?`,
    choices: [
      { value: "leave", title: "Leave it as it is", leaves: true },
      { value: "activate", title: "Activate it, if its cause is gone" },
      ...(sound === undefined
        ? []
        : [
            {
              value: "restore",
              title: `Restore the definition of ${sound.created_at}, and activate it`,
              first: { method: "POST", path: `${path}/revision/${sound.id}/restore` }
            }
          ])
    ]
  }
})

const named = (name: string) => `“${name}”`

/** Questions by tool. */
export const questions: Readonly<Record<string, Ask>> = {
  delete_record: about(
    ({ record_id }) => `/v1/record/${record_id}?include_deleted=true`,
    (record, { record_id, skip_trash }) => {
      const what = record === undefined ? `record ${record_id}` : `${named(record.title)} of ${record.app.name}`
      return skip_trash === true
        ? yesOrNo(`Destroy ${what} for good? It cannot be brought back.`, "Destroy it")
        : undefined
    }
  ),
  delete_records: about(
    ({ app_id }) => `/v1/app/${app_id}`,
    (app, { app_id, record_ids, skip_trash }) => {
      const what = `${record_ids.length} records of ${app?.name ?? `app ${app_id}`}`
      if (skip_trash === true) return yesOrNo(`Destroy ${what} for good? They cannot be brought back.`, "Destroy them")
      return record_ids.length > few
        ? yesOrNo(`Move ${what} to the trash? They can be restored for 30 days.`, "Move them")
        : undefined
    }
  ),
  delete_automation: about(
    ({ automation_id }) => `/v1/automation/${automation_id}`,
    (found, { automation_id }) => {
      const what = found === undefined ? automation_id : `${named(found.automation.name)} (${found.automation.status})`
      return yesOrNo(
        `Delete the automation ${what} for good? Its runs end and vanish with it, those that wait too.`,
        "Delete it"
      )
    }
  ),
  delete_webhook: about(
    ({ hook_id }) => `/v1/hook/${hook_id}`,
    (hook, { hook_id }) => {
      const what = hook === undefined ? hook_id : `to ${hook.url} (${hook.status})`
      return yesOrNo(`Delete the webhook ${what} for good? What it has yet to send is not sent.`, "Delete it")
    }
  ),
  delete_secret: about(
    ({ secret_id }) => `/v1/secret/${secret_id}`,
    (secret, { secret_id }) =>
      yesOrNo(
        `Delete the secret ${secret?.name ?? secret_id} for good? Steps that use it fail from then on.`,
        "Delete it"
      )
  ),
  update_app: about(
    ({ app_id }) => `/v1/app/${app_id}`,
    (app, { app_id, fields_to_delete = [] }) => {
      const deletedFieldIds: ReadonlyArray<number> = fields_to_delete.map((one: any) => one.field_id)
      const labels =
        app === undefined
          ? deletedFieldIds.map((id) => `field ${id}`)
          : app.fields.filter((one: any) => deletedFieldIds.includes(one.field_id)).map((one: any) => one.label)
      const where = app?.name ?? `app ${app_id}`
      return labels.length === 0
        ? undefined
        : yesOrNo(`Delete ${labels.join(", ")} of ${where}, with their values in all records?`, "Delete them")
    }
  ),
  activate_automation: broken
}
