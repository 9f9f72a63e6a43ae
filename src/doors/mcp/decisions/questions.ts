// Which calls take a decision of a person, and what is asked: what is gone for good or is much at once, and what becomes of a broken
// automation. Names are read with the caller's rights; where they cannot be, nothing is asked, since the call is refused itself.
import { Effect } from "effect"
import type { InProcessCall } from "../../../domain/accounts/InProcess.ts"
import { isSuccess } from "../call.ts"
import type { Desk } from "../Desk.ts"

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

type Ask = (desk: Desk, args: Readonly<Record<string, any>>) => Effect.Effect<Question | undefined>

/** As many go to the trash without a question. */
const few = 5

const yesOrNo = (message: string, title: string): Question => ({
  message,
  choices: [
    { value: "leave", title: "Leave it as it is", leaves: true },
    { value: "proceed", title }
  ]
})

const read = Effect.fnUntraced(function* ({ api, caller }: Desk, path: string) {
  const answer = yield* api.call(caller, { method: "GET", path })
  return isSuccess(answer) ? (answer.body as any) : undefined
})

/** A question about what is read at a path; none where it cannot be read. */
const about = (path: (args: any) => string, ask: (found: any, args: any) => Question | undefined): Ask =>
  Effect.fnUntraced(function* (desk, args) {
    const found = yield* read(desk, path(args))
    return found === undefined ? undefined : ask(found, args)
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

/** By tool. */
export const questions: Readonly<Record<string, Ask>> = {
  delete_record: about(
    ({ record_id }) => `/v1/record/${record_id}?include_deleted=true`,
    ({ title, app }, { skip_trash }) =>
      skip_trash === true
        ? yesOrNo(`Destroy “${title}” of ${app.name} for good? It cannot be brought back.`, "Destroy it")
        : undefined
  ),
  delete_records: about(
    ({ app_id }) => `/v1/app/${app_id}`,
    ({ name }, { record_ids, skip_trash }) => {
      if (skip_trash === true)
        return yesOrNo(
          `Destroy ${record_ids.length} records of ${name} for good? They cannot be brought back.`,
          "Destroy them"
        )
      return record_ids.length > few
        ? yesOrNo(
            `Move ${record_ids.length} records of ${name} to the trash? They can be restored for 30 days.`,
            "Move them"
          )
        : undefined
    }
  ),
  delete_automation: about(
    ({ automation_id }) => `/v1/automation/${automation_id}`,
    ({ automation }) =>
      yesOrNo(
        `Delete the automation “${automation.name}” (${automation.status}) for good? Its runs end and vanish with it, those that wait too.`,
        "Delete it"
      )
  ),
  delete_webhook: about(
    ({ hook_id }) => `/v1/hook/${hook_id}`,
    ({ status, url }) =>
      yesOrNo(`Delete the webhook to ${url} (${status}) for good? What it has yet to send is not sent.`, "Delete it")
  ),
  delete_secret: about(
    ({ secret_id }) => `/v1/secret/${secret_id}`,
    ({ name }) => yesOrNo(`Delete the secret ${name} for good? Steps that use it fail from then on.`, "Delete it")
  ),
  update_app: about(
    ({ app_id }) => `/v1/app/${app_id}`,
    ({ fields, name }, { fields_to_delete = [] }) => {
      const gone = new Set(fields_to_delete.map((one: any) => one.field_id))
      const labels = fields.filter((one: any) => gone.has(one.field_id)).map((one: any) => one.label)
      return labels.length === 0
        ? undefined
        : yesOrNo(`Delete ${labels.join(", ")} of ${name}, with their values in all records?`, "Delete them")
    }
  ),
  activate_automation: broken
}
