// Apps, fields and automations that the examples of the reference pages name: what a definition is validated against without a service.
import { Result } from "effect"
import { decodeCreate } from "../../../src/domain/automations/input/automationBodies.ts"
import type { FieldModel, ValidationModel } from "../../../src/domain/automations/schema/ValidationModel.ts"
import { validate } from "../../../src/domain/automations/validation/validateDefinition.ts"
import type { FieldTypeTag } from "../../../src/domain/records/fields/registry.ts"

export const ORDERS = 902
export const CUSTOMERS = 903

const fieldModel = (
  field_id: number,
  app_id: number,
  field_type: FieldTypeTag,
  label: string,
  more: Partial<FieldModel> = {}
): [number, FieldModel] => [
  field_id,
  {
    field_id,
    app_id,
    field_type,
    label,
    required: false,
    always_hidden: false,
    is_unique: false,
    option_ids: new Set(),
    referenced_app_ids: new Set(),
    ...more
  }
]

/** Fields of the two apps that examples of actions and triggers read. */
const fields = new Map([
  fieldModel(4401, ORDERS, "single_text", "Reference"),
  fieldModel(4402, ORDERS, "status", "State", { required: true, option_ids: new Set([51, 52]) }),
  fieldModel(4403, ORDERS, "single_date", "Due"),
  fieldModel(4404, ORDERS, "single_relation", "Customer", { referenced_app_ids: new Set([CUSTOMERS]) }),
  fieldModel(4405, ORDERS, "number", "Weight"),
  fieldModel(4406, ORDERS, "multi_attachment", "Papers"),
  fieldModel(4501, CUSTOMERS, "single_text", "Name"),
  fieldModel(4502, CUSTOMERS, "multi_email", "Mail", { is_unique: true }),
  fieldModel(4503, CUSTOMERS, "number", "Orders")
])

const target = (id: number, trigger_type: string) => ({
  id,
  app_id: ORDERS,
  trigger_type,
  inputs: [{ custom_type: "any", label: "Reason" }] as const,
  outputs: []
})

/** Model of what exists; `more` are fields of the orders beside those above. */
export const modelWith = (more: ReadonlyArray<FieldModel> = []): ValidationModel => ({
  app_id: ORDERS,
  timezone: "Europe/Vienna",
  apps: new Set([ORDERS, CUSTOMERS]),
  fields: new Map([...fields, ...more.map((field) => [field.field_id, field] as const)]),
  edge_app_ids: new Set([CUSTOMERS]),
  users: new Set([12, 13]),
  records: new Set([3001, 3002]),
  automations: new Map([
    [67, target(67, "automation_called")],
    [68, target(68, "weblink_clicked")]
  ]),
  secrets: new Set(["shop_key"]),
  withheld: { secrets: new Set(), providers: new Set(), mail_accounts: new Set() },
  now: Date.UTC(2026, 0, 1),
  min_spacing_ms: 300_000
})

/** Problems of a definition as the API would report them: those of decoding, else those that keep it from being activated. */
export const problemsOf = (definition: object, model: ValidationModel = modelWith()): ReadonlyArray<string> => {
  let minted = 0
  const result = decodeCreate(JSON.parse(JSON.stringify({ name: "Example", ...definition })), () => `node${++minted}`)
  if (Result.isFailure(result)) return [result.failure.message]
  const { actions = [], filter = null, trigger = null } = result.success
  return validate({ trigger, filter, actions }, model, "activate").map(({ code, message }) => `${code}: ${message}`)
}

export const fieldRef = (field_id: number, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id,
  field_type: fields.get(field_id)!.field_type,
  ...more
})
export const collected = (field_id: number) => fieldRef(field_id, { collection: true })
export const recordCollection = { kind: "variable", source: "action", action_type: "record_collection" }
