// Edits a key of a config, by the control that its schema asks for (model/schemaForm.ts).
import type { ReactNode } from "react"
import { control as texts } from "../../../../texts/automations/editorForm.ts"
import type { FilterGroup, Reference } from "../model/definition.ts"
import { unchosenOf, wordsOfChoice, wordsOfToken } from "../model/formWords.ts"
import type { Problem } from "../model/problems.ts"
import { type FormField, type JsonSchema, resolved, takesSecrets } from "../model/schemaForm.ts"
import type { Config } from "../model/steps.ts"
import { Assignments } from "./Assignments.tsx"
import { AppSelect, AutomationSelect, FieldPicks, FieldSelect, UserSelect, ViewSelect } from "./entities.tsx"
import { FilterBuilder } from "./FilterBuilder.tsx"
import { JsonValue } from "./JsonValue.tsx"
import { LinesEditor } from "./LinesEditor.tsx"
import { ListEditor } from "./ListEditor.tsx"
import { NumbersInput } from "./NumbersInput.tsx"
import { PathInput } from "./PathInput.tsx"
import { IdsEditor, ReferenceList, ReferenceSelect } from "./ReferenceSelect.tsx"
import { SchemaForm } from "./SchemaForm.tsx"
import { SecretNameSelect, SecretSelect } from "./SecretSelect.tsx"
import { ValueEditor } from "./ValueEditor.tsx"
import { ZoneSelect } from "./ZoneSelect.tsx"

export interface ControlProps {
  readonly id: string
  readonly field: FormField
  readonly root: JsonSchema
  readonly label: string
  readonly value: unknown
  /** Called with the new value; undefined omits the key. */
  readonly onChange: (value: unknown) => void
  readonly about: number | undefined
  readonly config: Config
  readonly problems: ReadonlyArray<Problem>
}

const html = /^(?:pdf_(?:body|header|footer)|message_body|webpage_body)/
const lines = /^(?:comment_content|reply_content|http_call_body|response_body)$/
const longCode = /^(?:code|assignment_code)$/

/** An object that may be left out is left out once it is empty, or has lost the type that says what it is. */
const withoutEmpty = ({ required }: FormField, { properties = {} }: JsonSchema, next: Config): Config | undefined =>
  !required && (Object.keys(next).length === 0 || ("type" in properties && next["type"] === undefined))
    ? undefined
    : next

/** Controls that hold several: their name is a legend. */
const grouped: ReadonlySet<string> = new Set([
  "assignments",
  "filter",
  "list",
  "object",
  "references",
  "ids",
  "choices",
  "template",
  "code",
  "json"
])

export const Control = (props: ControlProps) => {
  const { field, id, label, problems } = props
  const isNoted = field.note !== undefined && field.control !== "template" && field.control !== "code"
  const notesId = isNoted || problems.length > 0 ? `${id}-notes` : undefined
  const notes = notesId !== undefined && (
    <div id={notesId}>
      {isNoted && <small>{field.note}</small>}
      {problems.map(({ message, tone }) => (
        <small key={message} className={tone === "bad" ? "error-line" : "warn-line"}>
          {message}
        </small>
      ))}
    </div>
  )
  if (field.control === "flag")
    return (
      <div className="pick">
        <input
          id={id}
          type="checkbox"
          aria-describedby={notesId}
          checked={props.value === true}
          onChange={(event) => props.onChange(event.target.checked)}
        />
        <div>
          <label htmlFor={id}>{label}</label>
          {notes}
        </div>
      </div>
    )
  const isGroup = grouped.has(field.control) || (field.control === "fields" && Array.isArray(field.schema.anyOf))
  return isGroup ? (
    <fieldset className={`field group ${field.control}`} aria-describedby={notesId}>
      <legend>{label}</legend>
      {field.control === "object" && notes}
      <Body {...props} />
      {field.control !== "object" && notes}
    </fieldset>
  ) : (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {field.required && unchosenOf(field.key, field.owner) === undefined ? texts.required : ""}
      </label>
      <Body {...props} notesId={notesId} />
      {notes}
    </div>
  )
}

interface BodyProps extends ControlProps {
  /** Element that describes the control, if there is one. */
  readonly notesId?: string | undefined
}
const Body = ({ about, config, field, id, label, notesId, onChange, problems, root, value }: BodyProps): ReactNode => {
  const { key, owner } = field
  const schema = resolved(field.schema, root)
  const invalid = problems.some(({ tone }) => tone === "bad")
  const described = { id, "aria-describedby": notesId, "aria-invalid": invalid || undefined }
  switch (field.control) {
    case "template":
      return (
        <ValueEditor
          label={label}
          value={value}
          onChange={onChange}
          language={html.test(key) ? "html" : "text"}
          line={!html.test(key) && !lines.test(key)}
          invalid={invalid}
          takesSecrets={takesSecrets(field.schema)}
        />
      )
    case "code":
      return (
        <ValueEditor
          label={label}
          value={value}
          onChange={onChange}
          language="javascript"
          line={!longCode.test(key)}
          invalid={invalid}
        />
      )
    case "filter":
      return (
        <FilterBuilder label={label} group={(value ?? null) as FilterGroup | null} onChange={onChange} about={about} />
      )
    case "choice":
      return (
        <select
          {...described}
          value={String(value ?? "")}
          onChange={({ target }) => onChange(schema.enum?.find((token) => String(token) === target.value))}
        >
          {schema.default === undefined && <option value="">{unchosenOf(key, owner) ?? texts.choose}</option>}
          {(schema.enum ?? []).map((token) => (
            <option key={String(token)} value={String(token)}>
              {wordsOfChoice(key, token, owner)}
            </option>
          ))}
        </select>
      )
    case "choices": {
      const chosenTokens = (value ?? []) as ReadonlyArray<unknown>
      return (resolved(schema.items ?? {}, root).enum ?? []).map((token) => (
        <div className="pick" key={String(token)}>
          <input
            id={`${id}-${String(token)}`}
            type="checkbox"
            checked={chosenTokens.includes(token)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosenTokens, token] : chosenTokens.filter((one) => one !== token))
            }
          />
          <label htmlFor={`${id}-${String(token)}`}>{wordsOfToken(String(token))}</label>
        </div>
      ))
    }
    case "number":
      return (
        <input
          {...described}
          type="number"
          step="any"
          min={schema.minimum}
          max={schema.maximum}
          value={typeof value === "number" ? value : ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
        />
      )
    case "numbers":
      return <NumbersInput {...described} value={value} onChange={onChange} />
    case "text":
    case "time":
      return (
        <input
          {...described}
          type={field.control}
          autoComplete="off"
          value={typeof value === "string" ? value : ""}
          onChange={({ target }) => onChange(target.value === "" && !field.required ? undefined : target.value)}
        />
      )
    case "app":
      return schema.type === "array" ? (
        <JsonValue label={label} value={value} onChange={onChange} />
      ) : (
        <AppSelect id={id} value={value} onChange={onChange} />
      )
    case "view":
      return <ViewSelect id={id} app={about} value={value} onChange={onChange} />
    case "automation":
      return <AutomationSelect id={id} value={value} onChange={onChange} />
    case "user":
      return <UserSelect id={id} value={value} onChange={onChange} />
    case "fields":
      return schema.type === "integer" ? (
        <FieldSelect id={id} app={about} value={value} onChange={onChange} dates />
      ) : (
        <FieldPicks id={id} app={about} value={value} onChange={onChange} nullable={schema.anyOf !== undefined} />
      )
    case "reference":
      return (
        <ReferenceSelect
          id={id}
          value={value as Reference | undefined}
          onChange={onChange}
          collectionsOnly={key === "record_collection"}
        />
      )
    case "references":
      return <ReferenceList id={id} value={value} onChange={onChange} />
    case "ids":
      return <IdsEditor id={id} field={config["variable_def"]} value={value} onChange={onChange} />
    case "assignments":
      return <Assignments root={root} value={value} onChange={onChange} about={about} />
    case "lines":
      return <LinesEditor {...described} value={value} onChange={onChange} />
    case "list":
      return <ListEditor label={label} root={root} schema={schema} value={value} onChange={onChange} about={about} />
    case "object":
      return (
        <SchemaForm
          root={root}
          schema={field.schema}
          config={(value ?? {}) as Config}
          onChange={(next) => onChange(withoutEmpty(field, schema, next))}
          about={about}
        />
      )
    case "secret":
      return <SecretSelect {...described} value={value} onChange={onChange} />
    case "secretName":
      return <SecretNameSelect {...described} value={value} onChange={onChange} />
    case "zone":
      return <ZoneSelect {...described} value={value} onChange={onChange} />
    case "path":
      return <PathInput {...described} value={value} onChange={onChange} />
    default:
      return <JsonValue label={label} value={value} onChange={onChange} />
  }
}
