// Edits the values that a step writes into fields (service.md 2.7, normalization rule 4): a field, and a value of its kind or an
// expression.
import { useId } from "react"
import { assignments as texts } from "../../../../texts/automations/editorForm.ts"
import { AddOne } from "../../../../ui/AddOne.tsx"
import { useAppOf, useEditor } from "../context.ts"
import { fieldReference } from "../model/references.ts"
import { controlOf, emptyOf, type JsonSchema, resolved } from "../model/schemaForm.ts"
import { Control } from "./Control.tsx"

interface Assignment {
  readonly field_type: string
  readonly variable_def: { readonly field_id?: number }
  readonly assignment_type?: "set" | "set_code"
  readonly field_value?: unknown
  readonly code?: unknown
}

interface AssignmentsProps {
  readonly root: JsonSchema
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<Assignment>) => void
  readonly about: number | undefined
}

export const Assignments = ({ about, onChange, root, value }: AssignmentsProps) => {
  const id = useId()
  const { app: own } = useEditor()
  const app = useAppOf(about) ?? own
  const list = Array.isArray(value) ? (value as ReadonlyArray<Assignment>) : []
  const kinds = resolved({ $ref: "#/$defs/FieldAssignment" }, root).anyOf ?? []
  const schemaOf = (type: string) =>
    kinds.find((one) => resolved(one, root).properties?.["field_type"]?.enum?.includes(type))
  const unassignedFields = app.fields.filter(
    ({ field_id, field_type }) =>
      schemaOf(field_type) !== undefined && !list.some(({ variable_def }) => variable_def.field_id === field_id)
  )
  const replaceAssignment = (at: number, next: Assignment) =>
    onChange(list.map((one, index) => (index === at ? next : one)))
  const add = (id: number) => {
    const field = app.fields.find(({ field_id }) => field_id === id)
    if (field === undefined) return
    const properties = resolved(schemaOf(field.field_type) ?? {}, root).properties ?? {}
    onChange([
      ...list,
      {
        field_type: field.field_type,
        variable_def: fieldReference(field) as Assignment["variable_def"],
        assignment_type: "set",
        field_value: emptyOf(properties["field_value"] ?? {}, root)
      }
    ])
  }
  return (
    <>
      {list.map((assignment, at) => {
        const { assignment_type = "set", field_type, variable_def } = assignment
        const label =
          app.fields.find(({ field_id }) => field_id === variable_def.field_id)?.label ?? texts.fieldThatIsGone
        const key = assignment_type === "set" ? "field_value" : "code"
        const schema = resolved(schemaOf(field_type) ?? {}, root).properties?.[key] ?? {}
        const entryId = `assign-${variable_def.field_id}`
        return (
          <fieldset className="list-entry" key={variable_def.field_id} aria-label={label}>
            <Control
              id={entryId}
              field={{
                key,
                label,
                control: controlOf(key, schema, root),
                schema,
                owner: undefined,
                note: undefined,
                required: false,
                rare: false
              }}
              root={root}
              label={label}
              value={assignment[key]}
              onChange={(next) => replaceAssignment(at, { ...assignment, [key]: next ?? [] })}
              about={about}
              config={{ variable_def }}
              problems={[]}
            />
            <div className="entry-tools">
              <div className="pick">
                <input
                  id={`${entryId}-code`}
                  type="checkbox"
                  checked={assignment_type === "set_code"}
                  onChange={({ target }) =>
                    replaceAssignment(at, { ...assignment, assignment_type: target.checked ? "set_code" : "set" })
                  }
                />
                <label htmlFor={`${entryId}-code`}>{texts.byAnExpression}</label>
              </div>
              <button
                type="button"
                className="quiet small"
                aria-label={texts.removeLabel(label)}
                onClick={() => onChange(list.filter((_, index) => index !== at))}
              >
                {texts.remove}
              </button>
            </div>
          </fieldset>
        )
      })}
      <AddOne
        id={`${id}-add`}
        label={texts.addAField}
        choices={unassignedFields.map(({ field_id, label }) => [field_id, label])}
        onAdd={add}
      />
    </>
  )
}
